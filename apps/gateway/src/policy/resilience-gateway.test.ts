import { describe, expect, it } from 'vitest'
import { bearerCredential } from '../testing/build-snapshot.ts'
import { closedPort, snapshotWith, startGateway, startUpstream } from './testing/policy-gateway.ts'

/** No pauses: what is planned runs at once. */
const atOnce = {
  schedule: (callback: () => void) => {
    const timer = setImmediate(callback)
    return () => clearImmediate(timer)
  },
  random: () => 0,
}

/** Answers with these statuses one after the other, then with 200. */
const answering = (statuses: number[], headers: Record<string, string> = {}) =>
  startUpstream((req, res) => {
    req.resume()
    const status = statuses.shift() ?? 200
    res.writeHead(status, status === 200 ? {} : headers).end(`${status}`)
  })

describe('retries', () => {
  const retries = { attempts: 2, backoff_ms: 100 }

  it.each([502, 503, 504])('send a GET again after a %i', async (status) => {
    const { url, seen } = await answering([status, status])
    const { ask } = await startGateway(snapshotWith({ retries }, { base_url: url }), atOnce)
    expect(await ask()).toMatchObject({ status: 200, text: '200' })
    expect(seen).toHaveLength(3)
  })

  it('pass the last answer on where all tries failed', async () => {
    const { url, seen } = await answering([503, 503, 503, 503])
    const { ask } = await startGateway(snapshotWith({ retries }, { base_url: url }), atOnce)
    expect(await ask()).toMatchObject({ status: 503, text: '503' })
    expect(seen).toHaveLength(3)
  })

  it('never repeat a POST or a PUT', async () => {
    const { url, seen } = await answering([503, 503])
    const { ask } = await startGateway(snapshotWith({ retries }, { base_url: url }), atOnce)
    expect((await ask({ method: 'POST', body: 'x' })).status).toBe(503)
    expect((await ask({ method: 'PUT', body: 'x' })).status).toBe(503)
    expect(seen).toHaveLength(2)
  })

  it('never repeat a GET of an endpoint that is declared a submit', async () => {
    const { url, seen } = await answering([503, 503])
    const snapshot = snapshotWith({ retries }, { base_url: url })
    const endpoints = snapshot.endpoints.map((one) => ({ ...one, is_repeatable: false }))
    const { ask } = await startGateway({ ...snapshot, endpoints }, atOnce)
    expect((await ask()).status).toBe(503)
    expect(seen).toHaveLength(1)
  })

  it('never repeat a GET that was sent and found no answer', async () => {
    const { url, seen } = await startUpstream((req) => req.socket.destroy())
    const { ask } = await startGateway(snapshotWith({ retries }, { base_url: url }), atOnce)
    expect(await ask()).toMatchObject({ status: 502, code: 'upstream.cut' })
    expect(seen).toHaveLength(1)
  })

  it('try again where no connection was made, at another base URL if there is one', async () => {
    const { url, seen } = await answering([])
    const targets = { own_weight: 1, others: [{ url, weight: 1 }], health_check: null }
    const { ask } = await startGateway(
      snapshotWith({ retries, targets }, { base_url: await closedPort() }),
      atOnce,
    )
    for (let asked = 0; asked < 4; asked++) expect((await ask()).status).toBe(200)
    expect(seen).toHaveLength(4)
  })

  it('give up where the upstream asks for more time than is left', async () => {
    const { url, seen } = await answering([503], { 'retry-after': '60' })
    const { ask } = await startGateway(snapshotWith({ retries }, { base_url: url }), atOnce)
    const answer = await ask()
    expect(answer).toMatchObject({ status: 503 })
    expect(answer.headers['retry-after']).toBe('60')
    expect(seen).toHaveLength(1)
  })

  it('leave nothing of an answer that was given up in the one that is given', async () => {
    let calls = 0
    const { url } = await startUpstream((_req, res) => {
      if (++calls > 1) res.end('fine')
      // Without an end: it has to be cut off.
      else res.writeHead(503, { 'x-first': '1' }).write('x'.repeat(200_000))
    })
    const { ask } = await startGateway(snapshotWith({ retries }, { base_url: url }), atOnce)
    const answer = await ask()
    expect(answer).toMatchObject({ status: 200, text: 'fine' })
    expect(answer.headers['x-first']).toBeUndefined()
  })
})

describe('a circuit breaker', () => {
  const circuit_breaker = {
    failure_percent: 50,
    window_seconds: 60,
    minimum_requests: 2,
    cool_down_seconds: 10,
  }

  it('opens, spares the upstream, tries once and closes', async () => {
    const time = { now: 1_000 }
    const { url, seen } = await answering([500, 503, 500])
    const { ask } = await startGateway(snapshotWith({ circuit_breaker }, { base_url: url }), {
      nowMs: () => time.now,
    })
    expect([(await ask()).status, (await ask()).status]).toEqual([500, 503])
    const refused = await ask()
    expect(refused).toMatchObject({ status: 503, code: 'upstream.circuit_open' })
    expect(refused.headers['retry-after']).toBe('10')
    expect(seen).toHaveLength(2)

    time.now += 10_000
    expect((await ask()).text).toBe('500')
    expect((await ask()).code).toBe('upstream.circuit_open')
    time.now += 10_000
    expect((await ask()).status).toBe(200)
    expect((await ask()).status).toBe(200)
    expect(seen).toHaveLength(5)
  })

  it('counts calls that find no upstream, and no refusals of our own', async () => {
    const policy = { circuit_breaker, max_body_bytes: 1 }
    const { ask } = await startGateway(snapshotWith(policy, { base_url: await closedPort() }))
    for (let asked = 0; asked < 4; asked++) {
      expect((await ask({ method: 'POST', body: 'too large' })).status).toBe(413)
    }
    expect((await ask()).code).toBe('upstream.refused')
    expect((await ask()).code).toBe('upstream.refused')
    expect((await ask()).code).toBe('upstream.circuit_open')
  })
})

describe('several base URLs', () => {
  it('share the calls by weight, each under its own path', async () => {
    const one = await answering([])
    const other = await answering([])
    const targets = {
      own_weight: 1,
      others: [{ url: `${other.url}/base/`, weight: 2 }],
      health_check: null,
    }
    const { ask } = await startGateway(snapshotWith({ targets }, { base_url: one.url }))
    for (let asked = 0; asked < 6; asked++) await ask({ path: '/p/a?x=1' })
    expect(one.seen.map((req) => req.url)).toEqual(['/a?x=1', '/a?x=1'])
    expect(other.seen.map((req) => req.url)).toEqual(Array(4).fill('/base/a?x=1'))
  })

  it('are left out while their health check fails, and come back', async () => {
    const isDown = { one: true }
    const checked: string[] = []
    const one = await startUpstream((req, res) => {
      if (req.url === '/health') checked.push(String(req.headers.authorization))
      res.writeHead(isDown.one ? 500 : 200).end('one')
    })
    const other = await startUpstream((_req, res) => res.end('other'))
    const planned: (() => void)[] = []
    const waiting: (() => void)[] = []
    const targets = {
      own_weight: 1,
      others: [{ url: other.url, weight: 1 }],
      health_check: {
        path: '/health',
        interval_seconds: 1,
        timeout_ms: 10_000,
        unhealthy_after: 1,
        healthy_after: 1,
      },
    }
    const { ask } = await startGateway(
      snapshotWith({ targets }, { base_url: one.url, credential: bearerCredential('secret') }),
      {
        schedule: (callback) => {
          planned.push(callback)
          if (planned.length === 2) waiting.shift()?.()
          return () => undefined
        },
      },
    )
    /** A check of each, and their verdicts. */
    const checkAll = () =>
      new Promise<void>((resolve) => {
        waiting.push(resolve)
        for (const check of planned.splice(0)) check()
      })
    const answers = async () => [(await ask()).text, (await ask()).text].toSorted()

    await checkAll()
    expect(await answers()).toEqual(['other', 'other'])
    isDown.one = false
    await checkAll()
    expect(await answers()).toEqual(['one', 'other'])
    expect(checked).toEqual(['undefined', 'undefined'])
  })
})
