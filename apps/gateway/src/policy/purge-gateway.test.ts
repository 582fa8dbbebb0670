import type { CachePurge, ConfigSnapshot } from '@gatehouse/contract/gateway'
import { describe, expect, it } from 'vitest'
import { snapshotWith, startGateway, startUpstream } from './testing/policy-gateway.ts'

const cached = { 'cache-control': 'max-age=60' }

/** A gateway with a cache before an upstream that counts its calls; each path has a tag. */
async function start(tagField = 'cache-tag') {
  let calls = 0
  const { url } = await startUpstream((req, res) => {
    const tags = req.url?.startsWith('/a') ? 'one, both' : 'two both'
    res.writeHead(200, { ...cached, [tagField]: tags }).end(`call ${++calls}`)
  })
  const snapshot = snapshotWith({ cache: { max_bytes: 1_000_000 } }, { base_url: url })
  return { snapshot, ...(await startGateway(snapshot)) }
}

const withPurges = (snapshot: ConfigSnapshot, ...cache_purges: CachePurge[]): ConfigSnapshot => ({
  ...snapshot,
  apis: snapshot.apis.map((api) => ({ ...api, cache_purges })),
})

const paths = ['/p/a', '/p/a?x=1', '/p/7/b']

describe('a purge', () => {
  it.each<[string, Omit<CachePurge, 'id'>, string[]]>([
    ['of all', { kind: 'api', value: '' }, ['call 4', 'call 5', 'call 6']],
    [
      'of a path, whatever the query',
      { kind: 'path', value: '/a' },
      ['call 4', 'call 5', 'call 3'],
    ],
    ['of what a path begins', { kind: 'path', value: '/7/*' }, ['call 1', 'call 2', 'call 4']],
    ['of another path', { kind: 'path', value: '/a/b' }, ['call 1', 'call 2', 'call 3']],
    ['of a tag', { kind: 'tag', value: 'one' }, ['call 4', 'call 5', 'call 3']],
    ['of a tag of all', { kind: 'tag', value: 'both' }, ['call 4', 'call 5', 'call 6']],
    ['of another tag', { kind: 'tag', value: 'On' }, ['call 1', 'call 2', 'call 3']],
  ])('%s drops the answers, once', async (_, purge, expected) => {
    const { ask, swap, snapshot } = await start()
    const askAll = async () => {
      const texts = []
      for (const path of paths) texts.push((await ask({ path })).text)
      return texts
    }
    await askAll()
    const purged = withPurges(snapshot, { id: 'p1', ...purge })
    swap(purged)
    expect(await askAll()).toEqual(expected)
    // The next change of the configuration names it again.
    swap(purged)
    expect(await askAll()).toEqual(expected)
  })

  it('of a tag reads Surrogate-Key too', async () => {
    const { ask, swap, snapshot } = await start('surrogate-key')
    await ask({ path: '/p/7/b' })
    swap(withPurges(snapshot, { id: 'p1', kind: 'tag', value: 'two' }))
    expect((await ask({ path: '/p/7/b' })).text).toBe('call 2')
  })

  it('from before the first request drops nothing of what comes later', async () => {
    const { ask, swap, snapshot } = await start()
    const purge = { id: 'p1', kind: 'api', value: '' } as const
    swap(withPurges(snapshot, purge))
    await ask()
    swap(withPurges(snapshot, purge))
    expect((await ask()).text).toBe('call 1')
  })

  it('drops everything where others may have come and gone', async () => {
    const { ask, swap, snapshot } = await start()
    await ask()
    const others = Array.from({ length: 20 }, (_, at) => ({
      id: `q${at}`,
      kind: 'path' as const,
      value: '/other',
    }))
    swap(withPurges(snapshot, ...others.slice(0, 19)))
    expect((await ask()).text).toBe('call 1')
    swap(withPurges(snapshot, ...others.map((each) => ({ ...each, id: `later ${each.id}` }))))
    expect((await ask()).text).toBe('call 2')
  })

  it('keeps out an answer whose request came before it', async () => {
    let answer: (() => void) | undefined
    let calls = 0
    const { url, seen } = await startUpstream((_, res) => {
      calls++
      if (calls > 1) res.writeHead(200, cached).end('new')
      else answer = () => res.writeHead(200, cached).end('old')
    })
    const snapshot = snapshotWith({ cache: { max_bytes: 1_000_000 } }, { base_url: url })
    const { ask, swap } = await startGateway(snapshot)
    const first = ask()
    await expect.poll(() => seen.length).toBe(1)
    swap(withPurges(snapshot, { id: 'p1', kind: 'path', value: '/a' }))
    answer?.()
    expect((await first).text).toBe('old')
    expect((await ask()).text).toBe('new')
  })
})
