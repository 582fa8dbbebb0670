import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { bearerCredential } from '../testing/build-snapshot.ts'
import {
  snapshotWith,
  startGateway,
  startUpstream,
  type Handler,
} from './testing/policy-gateway.ts'

const cache = { max_bytes: 1_000_000 }

/** A gateway with a cache whose clock the test moves, before an upstream that counts its calls. */
async function start(headers: Record<string, string>, handler?: Handler, requires_token = false) {
  const time = { now: Date.parse('2026-06-01T08:00:00Z') }
  let calls = 0
  const { url, seen } = await startUpstream(
    handler ??
      ((req, res) => {
        res.writeHead(200, headers)
        res.end(req.method === 'HEAD' ? undefined : `call ${++calls}`)
      }),
  )
  const snapshot = snapshotWith({ cache }, { base_url: url, requires_token })
  const { ask, swap } = await startGateway(snapshot, {
    dateMs: () => time.now,
    nowMs: () => time.now,
  })
  return { ask, swap, seen, time, snapshot, url }
}
const pass = (time: { now: number }, seconds: number) => {
  time.now += seconds * 1_000
}

describe('the cache', () => {
  it('answers a GET again without a call, with its age, and says so', async () => {
    const { ask, seen, time } = await start({ 'cache-control': 'max-age=60', 'x-own': '1' })
    const first = await ask()
    expect(first).toMatchObject({ status: 200, text: 'call 1' })
    expect(first.headers['cache-status']).toBe('gatehouse; fwd=miss')
    pass(time, 30)
    const second = await ask()
    expect(second).toMatchObject({ status: 200, text: 'call 1' })
    expect(second.headers).toMatchObject({
      age: '30',
      'x-own': '1',
      'cache-status': 'gatehouse; hit',
      'content-length': '6',
    })
    expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id'])
    pass(time, 30)
    expect((await ask()).text).toBe('call 2')
    expect(seen).toHaveLength(2)
  })

  it('distinguishes paths, queries and hosts', async () => {
    const { ask } = await start({ 'cache-control': 'max-age=60' })
    const texts = []
    for (const asked of [
      {},
      { path: '/p/a?x=1' },
      { path: '/p/7/b' },
      { headers: { host: 'other.example.com' } },
      { path: '/p/a?x=1' },
    ]) {
      texts.push((await ask(asked)).text)
    }
    expect(texts).toEqual(['call 1', 'call 2', 'call 3', 'call 4', 'call 2'])
  })

  it('answers HEAD from a GET, and a client that has it with 304', async () => {
    const { ask, seen } = await start({ 'cache-control': 'max-age=60', etag: '"v1"', 'x-own': '1' })
    await ask()
    const head = await ask({ method: 'HEAD' })
    expect(head).toMatchObject({ status: 200, text: '' })
    expect(head.headers).toMatchObject({ 'content-length': '6', etag: '"v1"' })
    const known = await ask({ headers: { 'if-none-match': '"v1"' } })
    expect(known).toMatchObject({ status: 304, text: '' })
    expect(known.headers).toMatchObject({ etag: '"v1"', age: '0' })
    expect(known.headers['x-own']).toBeUndefined()
    expect((await ask({ headers: { 'if-none-match': '"v0"' } })).text).toBe('call 1')
    expect(seen).toHaveLength(1)
  })

  it('asks whether an old answer still holds, with its own validator', async () => {
    const asked: (string | undefined)[] = []
    const { ask, time } = await start({}, (req, res) => {
      asked.push(req.headers['if-none-match'])
      const isKnown = req.headers['if-none-match'] === '"v1"'
      res.writeHead(isKnown ? 304 : 200, { 'cache-control': 'max-age=60', etag: '"v1"' })
      res.end(isKnown ? undefined : 'whole')
    })
    await ask()
    pass(time, 61)
    const again = await ask({ headers: { 'if-none-match': '"of the client"' } })
    expect(again).toMatchObject({ status: 200, text: 'whole' })
    expect(again.headers).toMatchObject({
      age: '0',
      'cache-status': 'gatehouse; hit; fwd=stale; fwd-status=304',
    })
    expect((await ask()).headers['cache-status']).toBe('gatehouse; hit')
    expect(asked).toEqual([undefined, '"v1"'])
  })

  it('replaces the answer of an upstream that fails, as long as the answer says', async () => {
    const isUp = { now: true }
    const { ask, time } = await start({}, (req, res) => {
      const headers = { 'cache-control': 'max-age=60, stale-if-error=60' }
      if (isUp.now) res.writeHead(200, headers).end('whole')
      else if (req.headers['x-cut']) req.socket.destroy()
      else res.writeHead(503).end('down')
    })
    await ask()
    isUp.now = false
    pass(time, 90)
    expect(await ask()).toMatchObject({ status: 200, text: 'whole' })
    expect(await ask({ headers: { 'x-cut': '1' } })).toMatchObject({ status: 200, text: 'whole' })
    pass(time, 31)
    expect(await ask()).toMatchObject({ status: 503, text: 'down' })
  })

  it('forgets what a PUT or POST that went well has changed', async () => {
    const { ask } = await start({ 'cache-control': 'max-age=60' })
    expect((await ask()).text).toBe('call 1')
    await ask({ method: 'PUT', body: 'x' })
    expect((await ask()).text).toBe('call 3')
  })

  it('never keeps an answer whose body was cut off', async () => {
    let calls = 0
    const { ask } = await start({}, (_req, res) => {
      res.writeHead(200, { 'cache-control': 'max-age=60' })
      if (++calls > 1) res.end('whole')
      else res.write('x'.repeat(100_000), () => res.destroy())
    })
    await expect(ask()).rejects.toThrow()
    expect((await ask()).text).toBe('whole')
  })

  it('is empty again where the address or the policy was changed, and only then', async () => {
    const { ask, swap, snapshot, url } = await start({ 'cache-control': 'max-age=60' })
    await ask()
    swap(snapshot)
    expect((await ask()).text).toBe('call 1')
    swap(snapshotWith({ cache }, { base_url: url, credential: bearerCredential('another') }))
    expect((await ask()).text).toBe('call 2')
    swap(
      snapshotWith(
        { cache: { max_bytes: 2_000_000 } },
        { base_url: url, credential: bearerCredential('another') },
      ),
    )
    expect((await ask()).text).toBe('call 3')
  })

  it('is empty again where the headers of an endpoint were changed, and only then', async () => {
    const { ask, swap, snapshot } = await start({ 'cache-control': 'max-age=60' })
    await ask()
    const withHeader = (value: string) => ({
      ...snapshot,
      endpoints: snapshot.endpoints.map((endpoint) => ({
        ...endpoint,
        static_headers: [{ name: 'Accept-Version', value }],
      })),
    })
    swap(withHeader('V1'))
    expect((await ask()).text).toBe('call 2')
    swap(withHeader('V1'))
    expect((await ask()).text).toBe('call 2')
    swap(withHeader('V2'))
    expect((await ask()).text).toBe('call 3')
  })
})

describe('behind a token the cache', () => {
  const token = `ghp_${'1'.repeat(49)}`
  const headers = { authorization: `Bearer ${token}` }
  async function startGuarded(cacheControl: string) {
    const { swap, snapshot, ...rest } = await start(
      { 'cache-control': cacheControl },
      undefined,
      true,
    )
    swap({
      ...snapshot,
      super_admin_role_id: 1,
      tokens: [
        {
          id: 1,
          digest: createHash('sha256').update(token).digest('hex'),
          user_id: 1,
          expires_at: '2999-01-01T00:00:00.000Z',
          role_ids: [1],
          signing_secret: null,
          limits: null,
        },
      ],
    })
    return rest
  }

  it('keeps only what says that it is for everybody', async () => {
    const personal = await startGuarded('max-age=60')
    expect([
      (await personal.ask({ headers })).text,
      (await personal.ask({ headers })).text,
    ]).toEqual(['call 1', 'call 2'])
    const shared = await startGuarded('public, max-age=60')
    expect([(await shared.ask({ headers })).text, (await shared.ask({ headers })).text]).toEqual([
      'call 1',
      'call 1',
    ])
  })

  it('gives nothing to those who show none', async () => {
    const { ask } = await startGuarded('public, max-age=60')
    await ask({ headers })
    expect(await ask()).toMatchObject({ status: 401, code: 'client.unauthenticated' })
  })
})

describe('an answer past its time', () => {
  const headers = { 'cache-control': 'max-age=60, stale-while-revalidate=30', etag: '"v1"' }

  it('is given at once while one call asks for the next', async () => {
    const next = Promise.withResolvers<void>()
    let calls = 0
    const { ask, seen, time } = await start({}, (_req, res) => {
      const text = `call ${++calls}`
      const answer = () => void res.writeHead(200, headers).end(text)
      if (calls === 1) answer()
      else void next.promise.then(answer)
    })
    await ask()
    pass(time, 70)
    const answers = await Promise.all([ask(), ask(), ask()])
    expect(answers.map(({ text }) => text)).toEqual(['call 1', 'call 1', 'call 1'])
    expect(answers[0]?.headers['cache-status']).toBe(
      'gatehouse; hit; detail=stale-while-revalidate',
    )
    next.resolve()
    await expect.poll(async () => (await ask()).text).toBe('call 2')
    expect(seen).toHaveLength(2)
    expect(seen[1]?.headers).toMatchObject({ 'if-none-match': '"v1"' })
  })

  it('is refreshed by a 304 to that call, whatever the client asked about', async () => {
    const { ask, seen, time } = await start({}, (req, res) => {
      if (req.headers['if-none-match'] === '"v1"') res.writeHead(304, headers).end()
      else res.writeHead(200, headers).end('whole')
    })
    await ask()
    pass(time, 70)
    expect((await ask({ headers: { 'if-none-match': '"other"' } })).text).toBe('whole')
    await expect.poll(async () => (await ask()).headers['cache-status']).toBe('gatehouse; hit')
    expect(seen).toHaveLength(2)
  })

  it('is given as long as it says where the upstream is gone', async () => {
    let isGone = false
    const { ask, time } = await start({}, (_req, res) => {
      if (isGone) res.destroy()
      else res.writeHead(200, headers).end('whole')
    })
    await ask()
    isGone = true
    pass(time, 89)
    expect((await ask()).text).toBe('whole')
    pass(time, 1)
    await expect.poll(async () => (await ask()).status).toBe(502)
  })
})

it('a part of a kept answer is a 206', async () => {
  const { ask, seen } = await start({ 'cache-control': 'max-age=60', etag: '"v1"' })
  await ask()
  const part = await ask({ headers: { range: 'bytes=0-3' } })
  expect(part).toMatchObject({ status: 206, text: 'call' })
  expect(part.headers).toMatchObject({ 'content-range': 'bytes 0-3/6', 'content-length': '4' })
  const known = await ask({ headers: { range: 'bytes=0-3', 'if-none-match': '"v1"' } })
  expect(known.status).toBe(304)
  expect(await ask({ method: 'HEAD', headers: { range: 'bytes=0-3' } })).toMatchObject({
    status: 200,
    text: '',
  })
  expect(seen).toHaveLength(1)
})

it('a write drops what its Location names', async () => {
  const { ask } = await start({}, (req, res) => {
    if (req.method === 'POST') res.writeHead(201, { location: '/7/b' }).end()
    else res.writeHead(200, { 'cache-control': 'max-age=60' }).end(String(Math.random()))
  })
  const before = await ask({ path: '/p/7/b' })
  expect((await ask({ path: '/p/7/b' })).text).toBe(before.text)
  await ask({ method: 'POST', body: '1' })
  expect((await ask({ path: '/p/7/b' })).text).not.toBe(before.text)
})
