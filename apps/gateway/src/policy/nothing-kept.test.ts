import { connect } from 'node:net'
import { expect, it } from 'vitest'
import {
  snapshotWith,
  startGateway,
  startUpstream,
  type Handler,
} from './testing/policy-gateway.ts'

const places = 8

let endlessCalls = 0

/** What an upstream may do to a call, by the path's parameter. */
const endings: Record<string, Handler> = {
  fine: (_req, res) => res.end('fine'),
  kept: (_req, res) => res.writeHead(200, { 'cache-control': 'max-age=1' }).end('kept'),
  reset: (req) => req.socket.resetAndDestroy(),
  down: (_req, res) => res.writeHead(503).end('down'),
  endless: (_req, res) => {
    // The first time; the retry is answered.
    if (++endlessCalls % 2 === 0) res.end('fine')
    else res.writeHead(503).write('x'.repeat(100_000))
  },
  torn: (_req, res) =>
    res
      .writeHead(200, { 'cache-control': 'max-age=60', 'content-length': '200000' })
      .write('x'.repeat(100_000), () => res.destroy()),
  silent: () => undefined,
}

it('however requests end, they give back their places, and no incomplete answer is kept', async () => {
  const held: (() => void)[] = []
  const { url } = await startUpstream((req, res) => {
    const name = /^\/(\w+)\/b/.exec(req.url ?? '')?.[1] ?? ''
    if (name === 'hold') held.push(() => res.end())
    else endings[name]?.(req, res)
  })
  const policy = {
    max_concurrent: places,
    max_body_bytes: 1_000,
    retries: { attempts: 1, backoff_ms: 1 },
    cache: { max_bytes: 1_000_000 },
    rate_limit: { requests: 1_000_000, window_seconds: 1, per: 'address' },
    circuit_breaker: {
      failure_percent: 100,
      window_seconds: 600,
      minimum_requests: 10_000,
      cool_down_seconds: 1,
    },
  } as const
  const { gateway, ask, url: own } = await startGateway(snapshotWith(policy, { base_url: url }))
  const port = Number(new URL(own).port)

  /** A client that leaves once its request has been taken. */
  const leave = async (name: string) => {
    const before = gateway.report().in_flight
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write(`GET /p/${name}/b HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    await expect.poll(() => gateway.report().in_flight).toBeGreaterThan(before)
    socket.destroy()
  }
  const whole = Object.keys(endings).filter((name) => name !== 'silent')
  for (let round = 0; round < 30; round++) {
    for (const name of whole) {
      const answer = await ask({ path: `/p/${name}/b` }).catch(() => undefined)
      if (name === 'torn') expect(answer).toBeUndefined()
      if (name === 'fine' || name === 'kept' || name === 'down') expect(answer?.text).toBe(name)
      if (name === 'endless') expect(answer?.text).toBe('fine')
    }
    await leave('silent')
    const body = 'x'.repeat(2_000)
    expect((await ask({ method: 'POST', path: '/p/fine/b', body })).status).toBe(413)
  }
  await expect.poll(() => gateway.report().in_flight).toBe(0)

  const all = Array.from({ length: places }, () => ask({ path: '/p/hold/b' }))
  await expect.poll(() => held.length).toBe(places)
  expect((await ask({ path: '/p/hold/b' })).code).toBe('gateway.busy')
  for (const release of held) release()
  expect((await Promise.all(all)).map(({ status }) => status)).toEqual(Array(places).fill(200))
})
