import { expect, it } from 'vitest'
import { closedPort, snapshotWith, startGateway, startUpstream } from './testing/policy-gateway.ts'
import type { TrafficPolicy } from '@gatehouse/contract/gateway'
import { buildToken, clientToken } from '../testing/build-snapshot.ts'

const byHeader = {
  header_name: 'X-Canary',
  header_value: 'yes',
  token_ids: [],
  percent: 0,
  sticky_by: 'token' as const,
  sticky_header: '',
}
const asked = { headers: { 'X-Canary': 'yes' } }

async function start(policy: Partial<TrafficPolicy> = {}, canary: object = {}) {
  const answer = (text: string) =>
    startUpstream((_req, res) => res.setHeader('cache-control', 'max-age=600').end(text))
  const stable = await answer('stable')
  const other = await answer('canary')
  const snapshot = snapshotWith(
    { ...policy, canary: { ...byHeader, url: `${other.url}/next`, ...canary } },
    { base_url: stable.url },
  )
  return { snapshot, stable, other, ...(await startGateway(snapshot)) }
}

it('a call with the header goes to the canary, below its path; the others stay', async () => {
  const { ask, other } = await start()
  expect((await ask(asked)).text).toBe('canary')
  expect((await ask()).text).toBe('stable')
  expect(other.seen.map(({ url }) => url)).toEqual(['/next/a'])
})

it('a call of a chosen token goes there', async () => {
  const { snapshot, swap, ask } = await start({}, { token_ids: [1] })
  const tokens = [buildToken({ role_ids: [1] })]
  const apis = snapshot.apis.map((api) => ({ ...api, requires_token: true }))
  swap({ ...snapshot, apis, tokens, super_admin_role_id: 1 })
  const headers = { Authorization: `Bearer ${clientToken}` }
  expect((await ask({ headers })).text).toBe('canary')
  swap({ ...snapshot, apis, tokens: [{ ...tokens[0]!, id: 2 }], super_admin_role_id: 1 })
  expect((await ask({ headers })).text).toBe('stable')
})

it('a share of clients goes there, a client always to the same', async () => {
  const { ask } = await start({}, { percent: 50, sticky_by: 'header', sticky_header: 'X-Till' })
  const tills = Array.from({ length: 20 }, (_, at) => String(at))
  const texts = async () =>
    Promise.all(tills.map(async (till) => (await ask({ headers: { 'X-Till': till } })).text))
  const first = await texts()
  expect(new Set(first)).toEqual(new Set(['canary', 'stable']))
  expect(await texts()).toEqual(first)
})

it('beside several base URLs, only chosen calls reach the canary', async () => {
  const third = await startUpstream((_req, res) => res.end('third'))
  const targets = { own_weight: 1, others: [{ url: third.url, weight: 1 }], health_check: null }
  const { ask, other } = await start({ targets })
  const texts = [(await ask()).text, (await ask()).text]
  expect(texts.toSorted()).toEqual(['stable', 'third'])
  expect((await ask(asked)).text).toBe('canary')
  expect(other.seen).toHaveLength(1)
})

it('answers of the canary are not kept for others, nor given from what is kept', async () => {
  const { ask } = await start({ cache: { max_bytes: 1_000_000 } })
  expect((await ask()).text).toBe('stable')
  expect((await ask(asked)).text).toBe('canary')
  const kept = await ask()
  expect([kept.text, kept.headers['cache-status']]).toEqual(['stable', 'gatehouse; hit'])
})

it('a canary that fails opens no circuit breaker, and retries stay with it', async () => {
  const url = await closedPort()
  const breaker = {
    failure_percent: 1,
    window_seconds: 60,
    minimum_requests: 1,
    cool_down_seconds: 60,
  }
  const { ask, stable } = await start(
    { circuit_breaker: breaker, retries: { attempts: 1, backoff_ms: 1 } },
    { url },
  )
  expect((await ask(asked)).code).toBe('upstream.refused')
  expect((await ask(asked)).code).toBe('upstream.refused')
  expect((await ask()).text).toBe('stable')
  expect(stable.seen).toHaveLength(1)
})
