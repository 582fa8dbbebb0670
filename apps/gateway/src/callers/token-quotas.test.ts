import { noTokenLimits, type TokenLimits } from '@gatehouse/contract/gateway'
import { startRecordingUpstream } from '@gatehouse/http1/testing/recording-upstream'
import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  adminToken,
  buildApi,
  buildSnapshot,
  buildToken,
  clientToken,
  digestOf,
} from '../testing/build-snapshot.ts'
import { startGateway, traceSecret } from '../testing/test-gateway.ts'
import { traceHeader, traceHeaderName } from '../trace/trace-signature.ts'
import { lentMs } from '../trace/unsaved-endpoints.ts'
import { createTrafficPolicies } from '../policy/traffic-policies.ts'
import { TokenQuotas } from './token-quotas.ts'

const noonMs = Date.parse('2026-11-30T12:00:00Z')
const hourSeconds = 3_600
const quota = { per_day: 2, per_month: 3 }

function takes(quotas: TokenQuotas, atMs: number, times: number): number[] {
  return Array.from({ length: times }, () => quotas.take(7, quota, atMs, true))
}
const told = (day: string, today: number, this_month: number) => [
  { token_id: 7, day, today, this_month },
]

describe('a quota', () => {
  it('lets through so many in a day and in a calendar month, in UTC', () => {
    const quotas = new TokenQuotas()
    expect(takes(quotas, noonMs - 24 * 3_600_000, 3)).toEqual([0, 0, 12 * hourSeconds])
    // The last of the month: until its end both are the same.
    expect(takes(quotas, noonMs, 2)).toEqual([0, 12 * hourSeconds])
    expect(takes(quotas, noonMs + 12 * 3_600_000 - 1, 1)).toEqual([1])
    expect(takes(quotas, noonMs + 12 * 3_600_000, 3)).toEqual([0, 0, 24 * hourSeconds])
  })

  it('of a month alone waits for the next month', () => {
    const quotas = new TokenQuotas()
    const month = { per_day: null, per_month: 1 }
    const atMs = Date.parse('2026-02-01T00:00:00Z')
    expect(quotas.take(7, month, atMs, true)).toBe(0)
    expect(quotas.take(7, month, atMs, true)).toBe(28 * 24 * hourSeconds)
  })

  it('counts what other workers have let through, and nothing twice', () => {
    const quotas = new TokenQuotas()
    expect(takes(quotas, noonMs, 1)).toEqual([0])
    expect(quotas.drain()).toEqual([[7, 1]])
    expect(quotas.drain()).toEqual([])
    // Its own one, come back.
    quotas.absorb(told('2026-11-30', 1, 1), noonMs)
    expect(takes(quotas, noonMs, 2)).toEqual([0, 12 * hourSeconds])
    quotas.absorb(told('2026-11-30', 1, 1), noonMs)
    expect(takes(quotas, noonMs, 1)).toEqual([12 * hourSeconds])
    const others = new TokenQuotas()
    others.absorb(told('2026-11-30', 2, 2), noonMs)
    expect(takes(others, noonMs, 1)).toEqual([12 * hourSeconds])
  })

  it('looks at the day and the month that a number is for', () => {
    const quotas = new TokenQuotas()
    quotas.absorb(told('2026-11-29', 2, 2), noonMs)
    expect(takes(quotas, noonMs, 2)).toEqual([0, 12 * hourSeconds])
    const next = new TokenQuotas()
    next.absorb(told('2026-10-31', 2, 3), noonMs)
    expect(takes(next, noonMs, 2)).toEqual([0, 0])
    next.absorb([{ token_id: 7, day: 'nonsense', today: 9, this_month: 9 }], noonMs)
    expect(takes(next, noonMs + 86_400_000, 1)).toEqual([0])
  })

  it('is looked at, and not counted, for a request that its holder did not send', () => {
    const quotas = new TokenQuotas()
    for (let at = 0; at < 5; at++) expect(quotas.take(7, quota, noonMs, false)).toBe(0)
    expect(quotas.drain()).toEqual([])
  })
})

describe('the gateway', () => {
  afterEach(() => vi.useRealTimers())

  async function start(limits: Partial<TokenLimits>, policy = {}) {
    const upstream = await startRecordingUpstream()
    const usual = buildApi({ base_url: upstream.url, requires_token: true })
    const apis = [{ ...usual, policy: { ...usual.policy, ...policy } }]
    const tokens = [
      buildToken({ limits: { ...noTokenLimits, ...limits } }),
      buildToken({ id: 2, digest: digestOf(adminToken) }),
    ]
    const snapshot = buildSnapshot({ apis, tokens })
    const gateway = await startGateway(snapshot, {
      compilePolicy: createTrafficPolicies().compile,
    })
    const left: (string | null)[] = []
    const send = async (token = clientToken, headers: Record<string, string> = {}) => {
      const answer = await fetch(`${gateway.url}/sales/orders`, {
        headers: { ...(token === '' ? {} : { authorization: `Bearer ${token}` }), ...headers },
      })
      const text = await answer.text()
      const { code } = (text.startsWith('{') ? JSON.parse(text) : {}) as { code?: string }
      left.push(answer.headers.get('gatehouse-quota'))
      return { status: answer.status, code, retryAfter: answer.headers.get('retry-after') }
    }
    return { upstream, gateway, snapshot, send, left }
  }

  it('answers 429 until the day is over, also after other configurations', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: noonMs })
    const { send, gateway, snapshot, upstream } = await start({
      quota: { per_day: 2, per_month: null },
    })
    expect([(await send()).status, (await send()).status]).toEqual([200, 200])
    const refused = { status: 429, code: 'client.quota_exceeded', retryAfter: String(12 * 3_600) }
    expect(await send()).toEqual(refused)
    expect((await send(adminToken)).status).toBe(200)
    expect(gateway.swap({ ...snapshot, revision: 2 }).ok).toBe(true)
    expect(await send()).toEqual(refused)
    expect(upstream.requests).toHaveLength(3)
    expect(gateway.report().quota_uses).toEqual([[1, 2]])
    vi.setSystemTime(noonMs + 12 * 3_600_000)
    expect((await send()).status).toBe(200)
  })

  it('tells what is left of it with each answer', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: noonMs })
    const { send, left } = await start({ quota: { per_day: 2, per_month: 10 } })
    for (let at = 0; at < 3; at++) await send()
    await send(adminToken)
    expect(left).toEqual([
      'day;q=2;r=1;t=43200, month;q=10;r=9;t=43200',
      'day;q=2;r=0;t=43200, month;q=10;r=8;t=43200',
      'day;q=2;r=0;t=43200, month;q=10;r=8;t=43200',
      null,
    ])
  })

  it('does not count what the rate limit refuses', async () => {
    const rate_limit = { requests: 1, window_seconds: 3_600, per: 'token' as const }
    const { send, gateway } = await start(
      { quota: { per_day: 5, per_month: null } },
      { rate_limit },
    )
    expect([(await send()).status, (await send()).status]).toEqual([200, 429])
    expect(gateway.report().quota_uses).toEqual([[1, 1]])
  })

  it('refuses, and does not count, what an administrator tries with the token', async () => {
    const { send, gateway } = await start({ quota: { per_day: null, per_month: 1 } })
    let id = 0
    const tryOnce = () => {
      const lent = {
        tokenId: 1,
        untilMs: Date.now() + lentMs,
        method: 'GET',
        target: '/sales/orders',
      }
      return send('', { [traceHeaderName]: traceHeader(traceSecret, `e1_try${++id}`, lent) })
    }
    expect([(await tryOnce()).status, (await tryOnce()).status]).toEqual([200, 200])
    expect(gateway.report().quota_uses).toEqual([])
    expect((await send()).status).toBe(200)
    expect((await tryOnce()).code).toBe('client.quota_exceeded')
  })
})
