import { expect, it } from 'vitest'
import { snapshotWith, startGateway, startUpstream } from './testing/policy-gateway.ts'

/** A gateway before an upstream that takes 250 ms, by the clock of the test. */
async function start(policy: Parameters<typeof snapshotWith>[0], maxAge = 60) {
  const time = { now: Date.parse('2026-06-01T08:00:00Z') }
  const { url } = await startUpstream((req, res) => {
    const fields = { 'cache-control': `max-age=${maxAge}`, etag: '"v1"' }
    if (req.headers['if-none-match'] === '"v1"') return res.writeHead(304, fields).end()
    time.now += 250
    return res.writeHead(200, fields).end('answer')
  })
  const tools = { dateMs: () => time.now, nowMs: () => time.now }
  const started = await startGateway(snapshotWith(policy, { base_url: url }), tools)
  /** Of all rows since the last time. */
  const counts = () => started.gateway.report().traffic.map((row) => row.cache)
  return { ...started, time, counts }
}

const cache = { max_bytes: 1_000_000 }

it('counts hits, misses and the time that the upstream took for what was kept', async () => {
  const { ask, counts } = await start({ cache })
  await ask()
  expect(counts()).toEqual([{ hits: 0, misses: 1, saved_ms: 0 }])
  await ask()
  await ask({ method: 'HEAD' })
  expect(counts()).toEqual([{ hits: 2, misses: 0, saved_ms: 500 }])
})

it('counts an answer that the upstream confirmed as a hit, which saved what it did not take', async () => {
  const { ask, counts, time } = await start({ cache })
  await ask()
  counts()
  time.now += 60_000
  expect((await ask()).text).toBe('answer')
  const [confirmed] = counts()
  expect(confirmed).toMatchObject({ hits: 1, misses: 0 })
  expect(confirmed?.saved_ms).toBeLessThanOrEqual(250)
})

it('counts nothing for requests that are not for the cache, and where there is none', async () => {
  const { ask, counts } = await start({ cache })
  await ask({ method: 'POST' })
  await ask({ headers: { 'cache-control': 'no-store' } })
  expect(counts()).toEqual([undefined, undefined])
  const other = await start({ max_concurrent: 5 })
  await other.ask()
  expect(other.counts()).toEqual([undefined])
})
