import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startRecordingUpstream } from '@gatehouse/http1/testing/recording-upstream'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { TraceMessage } from '../messages/report-messages.ts'
import {
  adminToken,
  buildApi,
  buildEndpoint,
  buildSnapshot,
  buildToken,
  clientRole,
  clientToken,
  digestOf,
} from '../testing/build-snapshot.ts'
import { startGateway, traceSecret } from '../testing/test-gateway.ts'
import { traceHeader, traceHeaderName, type Lent } from './trace-signature.ts'
import { lentMs } from './unsaved-endpoints.ts'

// A request that the control plane signs goes through as one of a token, without the token's text.

const path = '/sales/orders?page=1'
/** Tokens by id: 1 has access, 2 is a Super Admin's, 3 has no access, 4 has expired. */
async function start() {
  const dataDir = mkdtempSync(join(tmpdir(), 'gateway-try-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  const upstream = await startRecordingUpstream()
  const traces: TraceMessage[] = []
  const gateway = await startGateway(
    buildSnapshot({
      apis: [buildApi({ base_url: upstream.url })],
      endpoints: [buildEndpoint({ requires_token: true })],
      tokens: [
        buildToken(),
        buildToken({ id: 2, digest: digestOf(adminToken), role_ids: [1] }),
        buildToken({ id: 3, digest: digestOf('third'), role_ids: [77] }),
        buildToken({ id: 4, digest: digestOf('fourth'), expires_at: '2020-01-01T00:00:00.000Z' }),
      ],
    }),
    { dataDir, onTrace: (trace) => traces.push(trace) },
  )
  const send = async (
    header: string,
    { to = path, ...options }: RequestInit & { to?: string } = {},
  ) => {
    const headers = { [traceHeaderName]: header, ...(options.headers as object) }
    const answer = await fetch(gateway.url + to, { ...options, headers })
    await answer.text()
    return answer.status
  }
  const lastLine = async () => {
    await gateway.close()
    const folder = join(dataDir, 'logs', 'gateway')
    const lines = readFileSync(join(folder, readdirSync(folder)[0] ?? ''), 'utf8').trim()
    return JSON.parse(lines.split('\n').at(-1) ?? '') as Record<string, unknown>
  }
  return { gateway, upstream, traces, send, lastLine }
}

type LentToToken = Lent & { tokenId: number }
const lend = (changes: Partial<LentToToken> = {}): Lent => ({
  tokenId: 1,
  method: 'GET',
  target: path,
  untilMs: Date.now() + lentMs,
  ...changes,
})
const signed = (changes?: Partial<LentToToken>, id = 'e1_t1', secret = traceSecret) =>
  traceHeader(secret, id, lend(changes))

describe('a signed try is answered as the holder of the token would be', () => {
  it.each([
    ['with access', 1, 200, undefined],
    ['a Super Admin', 2, 200, undefined],
    ['without access', 3, 403, 'client.access_denied'],
    ['with a token that has expired', 4, 401, 'client.token_invalid'],
    ['with a token that was revoked', 5, 401, 'client.token_invalid'],
  ])('%s', async (_, tokenId, status, code) => {
    const { send, traces, upstream } = await start()
    expect(await send(signed({ tokenId }))).toBe(status)
    expect(traces[0]?.stages.at(-1)?.code).toBe(code)
    expect(traces[0]?.stages[2]).toMatchObject({
      name: 'authenticate',
      details: { is_tried_as_client: true, token_id: status === 401 ? null : tokenId },
    })
    expect(upstream.requests).toHaveLength(status === 200 ? 1 : 0)
    expect(JSON.stringify(upstream.requests)).not.toContain(traceHeaderName)
  })

  it('is marked in the access log, and is no use of the token', async () => {
    const { gateway, send, lastLine } = await start()
    await send(signed())
    expect(gateway.report().token_uses).toEqual([])
    expect(await lastLine()).toMatchObject({ token_id: 1, user_id: 4, is_try: true, status: 200 })
  })
})

describe('a signed try is answered as a client with one role would be', () => {
  const asRole = (roleId: number) =>
    traceHeader(traceSecret, 'e1_t1', {
      roleId,
      method: 'GET',
      target: path,
      untilMs: Date.now() + lentMs,
    })

  it.each([
    ['with access', clientRole, 200, undefined],
    ['Super Admin', 1, 200, undefined],
    ['without access', 77, 403, 'client.access_denied'],
  ])('%s', async (_, roleId, status, code) => {
    const { gateway, send, traces, upstream, lastLine } = await start()
    expect(await send(asRole(roleId))).toBe(status)
    expect(traces[0]?.stages.at(-1)?.code).toBe(code)
    expect(traces[0]?.stages[2]).toMatchObject({
      name: 'authenticate',
      details: { is_tried_as_client: true, token_id: null, role_id: roleId },
    })
    expect(upstream.requests).toHaveLength(status === 200 ? 1 : 0)
    expect(gateway.report().token_uses).toEqual([])
    expect(await lastLine()).toMatchObject({ token_id: null, is_try: true, status })
  })

  it('neither as another role, nor as the token of that number, nor twice', async () => {
    const { send } = await start()
    const header = asRole(1)
    expect(await send(header.replace('.r1.', '.r2.'))).toBe(401)
    expect(await send(header.replace('.r1.', '.1.'))).toBe(401)
    expect(await send(header)).toBe(200)
    expect(await send(header)).toBe(401)
  })
})

describe('without a valid signature a request is nobody’s', () => {
  it.each<[string, (now: number) => string]>([
    ['of another secret', () => signed({}, 'e1_t1', 'another secret')],
    ['for another token', () => signed().replace('.1.', '.2.')],
    [
      'for a later time',
      (now: number) => signed({ untilMs: now + 1 }).replace(`${now + 1}`, `${now + 9_000}`),
    ],
    ['of another trace', () => signed().replace('e1_t1', 'e1_t2')],
    ['for another path', () => signed({ target: '/sales/others' })],
    ['for another query', () => signed({ target: '/sales/orders?page=2' })],
    ['for another method', () => signed({ method: 'POST' })],
    [
      'of a plain trace',
      (now: number) => traceHeader(traceSecret, 'e1_t1').replace('.', `.1.${now + 9_000}.`),
    ],
    ['that is too old', (now: number) => signed({ untilMs: now - 1 })],
    ['from too far in the future', (now: number) => signed({ untilMs: now + 3_600_000 })],
    ['with its end cut off', () => signed().slice(0, -1)],
  ])('%s', async (_, header) => {
    const { send, traces, upstream } = await start()
    expect(await send(header(Date.now()))).toBe(401)
    expect(traces).toEqual([])
    expect(upstream.requests).toEqual([])
  })

  it('counts once', async () => {
    const { send } = await start()
    const header = signed()
    expect([await send(header), await send(header), await send(signed({}, 'e1_t2'))]).toEqual([
      200, 401, 200,
    ])
  })

  it('does not help where the path leads to another endpoint', async () => {
    const { send } = await start()
    expect(await send(signed({}, 'e2_t1'))).toBe(404)
  })

  it('is not used where the request shows a token itself', async () => {
    const { send, traces } = await start()
    const headers = { authorization: `Bearer ${clientToken}` }
    expect(await send(signed({ tokenId: 3 }), { headers })).toBe(200)
    expect(traces[0]?.stages[2]?.details).toMatchObject({ token_id: 1 })
    const wrong = signed({}, 'e1_t2')
    expect(await send(wrong, { headers: { authorization: 'Bearer x' } })).toBe(401)
  })

  it('and a gateway without a secret takes none', async () => {
    const gateway = await startGateway(
      buildSnapshot({ endpoints: [buildEndpoint({ requires_token: true })] }),
      { traceSecret: null },
    )
    const headers = { [traceHeaderName]: signed() }
    expect((await fetch(gateway.url + path, { headers })).status).toBe(401)
  })
})
