import { createHash } from 'node:crypto'
import { afterEach, expect, it, vi } from 'vitest'
import { snapshotWith, startGateway, startUpstream } from './testing/policy-gateway.ts'

// The machine's clock is set while requests go on. Only the time of day jumps: timers and the monotonic clock go on.

const hourMs = 3_600_000
const token = `ghp_${'a'.repeat(49)}`
const jump = (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms })
afterEach(() => vi.useRealTimers())

it('a rate limit neither opens nor stays closed for longer where the clock is set', async () => {
  const { url } = await startUpstream((_, res) => res.end('fine'))
  const rate_limit = { requests: 2, window_seconds: 60, per: 'address' } as const
  const { ask } = await startGateway(snapshotWith({ rate_limit }, { base_url: url }))
  for (const ms of [0, hourMs]) {
    jump(ms)
    expect((await ask()).status).toBe(200)
  }
  for (const ms of [24 * hourMs, -48 * hourMs]) {
    jump(ms)
    const refused = await ask()
    expect(refused.status).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60)
  }
})

it.each([
  ['ahead', 24 * hourMs],
  ['back', -24 * hourMs],
])('what the cache keeps is as old as it is where the clock is set %s', async (_, ms) => {
  const { url, seen } = await startUpstream((_, res) => {
    res.writeHead(200, { 'cache-control': 'max-age=60' }).end('kept')
  })
  const time = { now: 1_000 }
  const { ask } = await startGateway(
    snapshotWith({ cache: { max_bytes: 1_000_000 } }, { base_url: url }),
    { nowMs: () => time.now },
  )
  await ask()
  time.now += 30_000
  jump(ms)
  expect((await ask()).headers['age']).toBe('30')
  expect(seen).toHaveLength(1)
  time.now += 31_000
  await ask()
  expect(seen).toHaveLength(2)
})

it('a personal token ends by the clock of the machine: one that is set back opens again until then', async () => {
  const { url } = await startUpstream((_, res) => res.end('fine'))
  const snapshot = snapshotWith({}, { base_url: url, requires_token: true })
  snapshot.super_admin_role_id = 1
  const digest = createHash('sha256').update(token).digest('hex')
  const expires_at = new Date(Date.now() + hourMs).toISOString()
  snapshot.tokens = [
    { id: 1, digest, user_id: 7, expires_at, role_ids: [1], signing_secret: null, limits: null },
  ]
  const { ask } = await startGateway(snapshot)
  const status = async () => (await ask({ headers: { authorization: `Bearer ${token}` } })).status
  expect(await status()).toBe(200)
  jump(2 * hourMs)
  expect(await status()).toBe(401)
  jump(-2 * hourMs)
  expect(await status()).toBe(200)
})
