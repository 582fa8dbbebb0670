import type { ConfigSnapshot, SnapshotApi, SnapshotToken } from '@gatehouse/contract/gateway'
import { noTokenLimits, noTrafficPolicy } from '@gatehouse/contract/gateway'
import { expect, it } from 'vitest'
import { adminToken, buildToken, clientToken, digestOf } from '../testing/build-snapshot.ts'
import { snapshotWith, startGateway, startUpstream } from './testing/policy-gateway.ts'

const named = { headers: { Authorization: `Bearer ${clientToken}` } }
const other = { headers: { Authorization: `Bearer ${adminToken}` } }
const tokens = [
  buildToken({ id: 1, role_ids: [1] }),
  buildToken({ id: 2, digest: digestOf(adminToken), role_ids: [1] }),
]

interface Place {
  live?: Partial<SnapshotApi>
  draft?: Partial<SnapshotApi>
}

/** An API with a draft that the first token reaches. */
async function start({ live = {}, draft = {} }: Place = {}) {
  const answer = (text: string) =>
    startUpstream((_req, res) => res.setHeader('cache-control', 'public, max-age=600').end(text))
  const [own, next] = [await answer('live'), await answer('draft')]
  const bare = snapshotWith({}, { base_url: own.url, requires_token: true, ...live })
  const [api] = bare.apis
  const { draft: _none, ...served } = api!
  const drafted = { token_ids: [1], api: { ...served, base_url: next.url, ...draft } }
  const snapshot = { ...bare, apis: [{ ...api!, draft: drafted }], tokens, super_admin_role_id: 1 }
  return { snapshot, own, next, ...(await startGateway(snapshot)) }
}

/** The same API with these tokens named, or without a draft. */
function naming(snapshot: ConfigSnapshot, token_ids: number[] | null): ConfigSnapshot {
  const [api] = snapshot.apis
  const draft = token_ids === null ? null : { ...api!.draft!, token_ids }
  return { ...snapshot, apis: [{ ...api!, draft }] }
}

function draftIn({ apis: [api] }: ConfigSnapshot) {
  if (!api?.draft) throw new Error('It has no draft.')
  return api.draft.api
}

const holding = (snapshot: ConfigSnapshot, held: SnapshotToken[]) => ({ ...snapshot, tokens: held })

it('a call with a named token is served by the draft, and every other call by the API', async () => {
  const { ask } = await start()
  expect((await ask(named)).text).toBe('draft')
  expect((await ask(other)).text).toBe('live')
  expect((await ask()).code).toBe('client.unauthenticated')
})

it('a token that is revoked, has expired, or is not named any more does not reach it', async () => {
  const { ask, swap, snapshot, next } = await start()
  const [first, second] = tokens as [SnapshotToken, SnapshotToken]
  swap(holding(snapshot, [second]))
  expect((await ask(named)).code).toBe('client.token_invalid')
  swap(holding(snapshot, [{ ...first, expires_at: '2020-01-01T00:00:00.000Z' }, second]))
  expect((await ask(named)).code).toBe('client.token_invalid')
  swap(naming(snapshot, [2]))
  expect((await ask(named)).text).toBe('live')
  expect((await ask(other)).text).toBe('draft')
  swap(naming(snapshot, null))
  expect((await ask(other)).text).toBe('live')
  expect(next.seen).toHaveLength(1)
})

it('a named token needs the access and the scope that it needs otherwise', async () => {
  const { ask, swap, snapshot, next } = await start()
  const [first] = tokens as [SnapshotToken]
  swap(holding(snapshot, [{ ...first, role_ids: [7] }]))
  expect((await ask(named)).code).toBe('client.access_denied')
  const limits = { ...noTokenLimits, methods: ['POST' as const] }
  swap(holding(snapshot, [{ ...first, limits }]))
  expect((await ask(named)).code).toBe('client.token_scope')
  expect(next.seen).toEqual([])
})

it('a draft of an open API is reached by its tokens alone, and the upstream does not see them', async () => {
  const { ask, next, own } = await start({
    live: { requires_token: false },
    draft: { requires_token: false },
  })
  expect((await ask()).text).toBe('live')
  expect((await ask(other)).text).toBe('live')
  expect((await ask(named)).text).toBe('draft')
  for (const { headers } of [...next.seen, ...own.seen])
    expect(headers).not.toHaveProperty('authorization')
})

it('the token counts in the header of the API and in that of the draft, and reaches neither upstream', async () => {
  const header = (name: string) => ({ policy: { ...noTrafficPolicy, api_key: { header: name } } })
  const { ask, next } = await start({ live: header('X-Old'), draft: header('X-New') })
  expect((await ask({ headers: { 'X-New': clientToken } })).text).toBe('draft')
  // As it will be for all: the draft asks for the key elsewhere.
  expect((await ask({ headers: { 'X-Old': clientToken } })).code).toBe('client.unauthenticated')
  expect((await ask({ headers: { 'X-Old': adminToken } })).text).toBe('live')
  const both = { 'X-Old': clientToken, Authorization: `Bearer ${clientToken}` }
  expect((await ask({ headers: both })).text).toBe('draft')
  for (const { headers } of next.seen) {
    expect(headers).not.toHaveProperty('x-old')
    expect(headers).not.toHaveProperty('x-new')
  }
})

it('what is kept by the cache is not shared, in either direction', async () => {
  const policy = { ...noTrafficPolicy, cache: { max_bytes: 1_000_000 } }
  const { ask } = await start({ live: { policy }, draft: { policy } })
  const of = async (asked: typeof named) => {
    const { text, headers } = await ask(asked)
    return [text, String(headers['cache-status']).includes('hit')]
  }
  expect(await of(named)).toEqual(['draft', false])
  expect(await of(other)).toEqual(['live', false])
  expect(await of(named)).toEqual(['draft', true])
  expect(await of(other)).toEqual(['live', true])
})

it('rate limits and circuit breakers count each for itself', async () => {
  const rate_limit = { requests: 1, window_seconds: 600, per: 'endpoint' as const }
  const policy = { ...noTrafficPolicy, rate_limit }
  const { ask } = await start({ live: { policy }, draft: { policy } })
  expect((await ask(named)).status).toBe(200)
  expect((await ask(named)).code).toBe('client.rate_limited')
  expect((await ask(other)).text).toBe('live')
  expect((await ask(other)).code).toBe('client.rate_limited')
})

it('a draft that is switched off, or can’t be read, stops nobody else', async () => {
  const { ask, swap, snapshot } = await start({ draft: { is_active: false } })
  expect((await ask(named)).code).toBe('config.api_disabled')
  expect((await ask(other)).text).toBe('live')
  const [api] = snapshot.apis
  const unreadable = { ...draftIn(snapshot), is_active: true, fault: 'policy' as const }
  swap({ ...snapshot, apis: [{ ...api!, draft: { token_ids: [1], api: unreadable } }] })
  expect((await ask(named)).code).toBe('config.api_unreadable')
  expect((await ask(other)).text).toBe('live')
})

it('what the API remembers survives a draft that comes, changes and goes', async () => {
  const rate_limit = { requests: 2, window_seconds: 600, per: 'endpoint' as const }
  const { ask, swap, snapshot } = await start({
    live: { policy: { ...noTrafficPolicy, rate_limit } },
  })
  expect((await ask(other)).status).toBe(200)
  swap(naming(snapshot, null))
  expect((await ask(other)).status).toBe(200)
  swap(naming(snapshot, [2]))
  expect((await ask(other)).text).toBe('draft')
  expect((await ask(named)).code).toBe('client.rate_limited')
})

it('a draft of another API is refused, and the snapshot before stays in force', async () => {
  const { ask, swap, snapshot } = await start()
  const [api] = snapshot.apis
  const foreign = { token_ids: [1], api: { ...draftIn(snapshot), context: 'q' } }
  expect(() => swap({ ...snapshot, apis: [{ ...api!, draft: foreign }] })).toThrow(
    'The draft of API 1 is of another one.',
  )
  expect((await ask(named)).text).toBe('draft')
})
