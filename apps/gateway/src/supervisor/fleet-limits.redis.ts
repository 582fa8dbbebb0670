import { noTrafficPolicy } from '@gatehouse/contract'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { freePort, startRedis } from '../testing/throwaway-redis.ts'
import { patience } from '../policy/testing/shared-gateway.ts'
import { openHarness, snapshotOf, testSettings, type Harness } from './testing/fleet-harness.ts'
import { request } from './testing/steady-load.ts'

let harness: Harness
beforeEach(() => {
  harness = openHarness()
})
afterEach(() => harness.end())

const certificate = new URL(
  '../../../../packages/upstream/fixtures/self-signed-localhost.pem',
  import.meta.url,
).pathname

async function startFleet(url: string) {
  const redis = { url, prefix: 'fleet:', patience }
  const fleet = harness.start({ size: 2, settings: () => ({ ...testSettings(), redis }) })
  const snapshot = snapshotOf(1)
  const [api] = snapshot.apis
  const rate_limit = { requests: 30, window_seconds: 86_400, per: 'endpoint' } as const
  snapshot.apis = api ? [{ ...api, policy: { ...noTrafficPolicy, rate_limit } }] : []
  await fleet.publish(snapshot)
  await fleet.ready()
  const letThrough = async (requests: number) => {
    const ask = () => request(`http://127.0.0.1:${fleet.address.port}/t/ping`)
    const answers = await Promise.all(Array.from({ length: requests }, ask))
    return answers.filter(({ status }) => status === 200).length
  }
  return { fleet, letThrough }
}
const logged = (text: string) => harness.logged.filter((line) => line.includes(text)).length

it('two fleets of workers share a limit exactly; that Redis went and came is logged once by each', async () => {
  const redis = await startRedis()
  const [one, other] = [await startFleet(redis.url), await startFleet(redis.url)]
  const fleets = [one.fleet, other.fleet]
  await vi.waitUntil(() => fleets.every(({ limits }) => limits.state === 'shared'))
  expect((await one.letThrough(20)) + (await other.letThrough(20))).toBe(30)

  for (const fleet of fleets) fleet.setServers(2)
  await redis.kill()
  await vi.waitUntil(() => fleets.every(({ limits }) => limits.state === 'away'))
  expect(one.fleet.limits).toMatchObject({ servers: 2, timesAway: 1 })
  expect(one.fleet.limits.reason).toMatch(/\S/)
  await redis.start()
  await vi.waitUntil(() => fleets.every(({ limits }) => limits.state === 'shared'))
  expect(logged('Redis is away')).toBe(2)
  expect(logged('Redis is back')).toBe(2)
})

it('speaks TLS to a server whose certificate is trusted, and to no other', async () => {
  const port = await freePort()
  await startRedis(
    `--tls-port ${port} --tls-auth-clients no --tls-ca-cert-file ${certificate}`,
    `--tls-cert-file ${certificate} --tls-key-file ${certificate}`,
  )
  const doubting = await startFleet(`rediss://localhost:${port}`)
  await vi.waitUntil(() => doubting.fleet.limits.state === 'away')
  expect(doubting.fleet.limits.reason).toMatch(/self-signed certificate/)

  const before = process.env['NODE_EXTRA_CA_CERTS']
  onTestFinished(() => {
    if (before === undefined) delete process.env['NODE_EXTRA_CA_CERTS']
    else process.env['NODE_EXTRA_CA_CERTS'] = before
  })
  process.env['NODE_EXTRA_CA_CERTS'] = certificate
  const trusting = await startFleet(`rediss://localhost:${port}`)
  await vi.waitUntil(() => trusting.fleet.limits.state === 'shared')
})
