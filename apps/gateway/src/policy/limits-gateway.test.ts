import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { createAddressGuard } from '@gatehouse/upstream/http'
import { describe, expect, it } from 'vitest'
import { UpstreamOrigins } from '../snapshot/upstream-origins.ts'
import {
  snapshotWith,
  startGateway,
  startUpstream,
  type Handler,
} from './testing/policy-gateway.ts'

const fine: Handler = (req, res) => {
  req.resume().on('end', () => res.end('fine'))
}

describe('a rate limit', () => {
  const rate_limit = { requests: 2, window_seconds: 60, per: 'address' } as const

  it('answers 429 with Retry-After and the RateLimit fields, and calls nothing', async () => {
    const { url, seen } = await startUpstream(fine)
    const { ask } = await startGateway(snapshotWith({ rate_limit }, { base_url: url }), {
      nowMs: () => 1_000,
    })
    const first = await ask()
    expect(first).toMatchObject({ status: 200, text: 'fine' })
    expect(first.headers).toMatchObject({
      'ratelimit-limit': '2',
      'ratelimit-remaining': '1',
      'ratelimit-reset': '30',
      'ratelimit-policy': '2;w=60',
    })
    await ask()
    const refused = await ask()
    expect(refused).toMatchObject({ status: 429, code: 'client.rate_limited' })
    expect(refused.headers).toMatchObject({ 'retry-after': '30', 'ratelimit-remaining': '0' })
    expect(seen).toHaveLength(2)
  })

  it('puts its RateLimit fields in the place of those of the upstream, and beside all others', async () => {
    const { url } = await startUpstream((_req, res) => {
      const limited =
        seenAnswers++ % 2 === 0 ? { 'RateLimit-Limit': '9', 'Ratelimit-Else': '9' } : {}
      res.writeHead(200, { Date: 'now', 'X-A': '1', ...limited, 'Content-Length': '4' }).end('fine')
    })
    let seenAnswers = 0
    const { ask } = await startGateway(
      snapshotWith({ rate_limit: { ...rate_limit, requests: 10 } }, { base_url: url }),
    )
    for (let round = 0; round < 6; round++) {
      const { headers } = await ask()
      expect(headers).toMatchObject({ 'x-a': '1', 'ratelimit-limit': '10' })
      expect(headers).not.toHaveProperty('ratelimit-else')
    }
  })

  it('counts clients behind a trusted proxy one by one', async () => {
    const { url } = await startUpstream(fine)
    const { ask } = await startGateway(snapshotWith({ rate_limit }, { base_url: url }))
    const statusFor = async (address: string) =>
      (await ask({ headers: { 'x-forwarded-for': address } })).status
    const seen = []
    for (const address of ['203.0.113.1', '203.0.113.1', '203.0.113.1', '203.0.113.2']) {
      seen.push(await statusFor(address))
    }
    expect(seen).toEqual([200, 200, 429, 200])
  })

  it('counts the tokens of one user together and users one by one, from wherever they come', async () => {
    const { url } = await startUpstream(fine)
    const snapshot = snapshotWith(
      { rate_limit: { ...rate_limit, requests: 1, per: 'token' } },
      { base_url: url, requires_token: true },
    )
    const digest = (token: string) => createHash('sha256').update(token).digest('hex')
    snapshot.super_admin_role_id = 1
    const tokens = ['1', '2', '3'].map((sign) => `ghp_${sign.repeat(49)}`)
    snapshot.tokens = tokens.map((token, at) => ({
      id: at + 1,
      digest: digest(token),
      user_id: at === 2 ? 8 : 7,
      expires_at: '2999-01-01T00:00:00.000Z',
      role_ids: [1],
      signing_secret: null,
      limits: null,
    }))
    const { ask } = await startGateway(snapshot)
    const statuses = []
    for (const [at, token] of [tokens[0], tokens[0], ...tokens.slice(1)].entries()) {
      const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': `203.0.113.${at}` }
      statuses.push((await ask({ headers })).status)
    }
    expect(statuses).toEqual([200, 429, 429, 200])
  })

  it('counts what other workers have let through, and reports its own to them', async () => {
    const { url } = await startUpstream(fine)
    const { ask, policies } = await startGateway(snapshotWith({ rate_limit }, { base_url: url }))
    const headers = { 'x-forwarded-for': '127.0.0.1' }
    await ask({ headers })
    expect(policies.drainTakes()).toEqual([[1, '127.0.0.1', 1]])
    policies.absorbTakes([
      [1, '127.0.0.1', 1],
      [99, '127.0.0.1', 1],
    ])
    expect((await ask({ headers })).status).toBe(429)
    expect(policies.drainTakes()).toEqual([])
  })

  it('goes on counting through a new snapshot, and starts from nothing where it was changed', async () => {
    const { url } = await startUpstream(fine)
    const snapshot = snapshotWith({ rate_limit }, { base_url: url })
    const { ask, swap } = await startGateway(snapshot)
    await ask()
    await ask()
    swap(snapshotWith({ rate_limit }, { base_url: url, name: 'Renamed' }))
    expect((await ask()).status).toBe(429)
    swap(snapshotWith({ rate_limit: { ...rate_limit, requests: 3 } }, { base_url: url }))
    expect((await ask()).status).toBe(200)
  })
})

describe('a bound on requests at once', () => {
  it('answers 503 with Retry-After, and gives the place back when the answer has ended', async () => {
    const gate = Promise.withResolvers<void>()
    const arrived = Promise.withResolvers<void>()
    const { url, seen } = await startUpstream((_req, res) => {
      arrived.resolve()
      void gate.promise.then(() => res.end('fine'))
    })
    const { ask } = await startGateway(snapshotWith({ max_concurrent: 1 }, { base_url: url }))
    const first = ask()
    await arrived.promise
    const refused = await ask()
    expect(refused).toMatchObject({ status: 503, code: 'gateway.busy' })
    expect(refused.headers['retry-after']).toBe('1')
    gate.resolve()
    expect((await first).status).toBe(200)
    expect((await ask()).status).toBe(200)
    expect(seen).toHaveLength(2)
  })
})

it('a client that leaves gives its place back', async () => {
  const arrived = Promise.withResolvers<void>()
  const given = Promise.withResolvers<void>()
  let calls = 0
  const { url } = await startUpstream((req, res) => {
    if (++calls > 1) res.end('fine')
    else {
      arrived.resolve()
      // The gateway ends its call once the request is over for it.
      req.socket.once('close', () => given.resolve())
    }
  })
  const gateway = await startGateway(snapshotWith({ max_concurrent: 1 }, { base_url: url }))
  const leaving = connect(Number(new URL(gateway.url).port), '127.0.0.1')
  leaving.write('GET /p/a HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await arrived.promise
  leaving.destroy()
  await given.promise
  expect((await gateway.ask()).status).toBe(200)
})

describe('a bound on the size of bodies', () => {
  it('answers 413 by the length announced, before the upstream is called', async () => {
    const { url, seen } = await startUpstream(fine)
    const { ask } = await startGateway(snapshotWith({ max_body_bytes: 10 }, { base_url: url }))
    expect(await ask({ method: 'POST', body: 'x'.repeat(11) })).toMatchObject({
      status: 413,
      code: 'client.too_large',
    })
    expect(seen).toHaveLength(0)
    expect((await ask({ method: 'POST', body: 'x'.repeat(10) })).status).toBe(200)
  })

  it('cuts a body in chunks off where it goes over, and the upstream never gets it whole', async () => {
    let received = 0
    const ended: string[] = []
    const { url } = await startUpstream((req, res) => {
      req.on('data', (chunk: Buffer) => (received += chunk.length))
      req.on('end', () => {
        ended.push('whole')
        res.end()
      })
      req.on('error', () => ended.push('cut'))
    })
    const { ask } = await startGateway(snapshotWith({ max_body_bytes: 100_000 }, { base_url: url }))
    async function* tooMuch() {
      for (let sent = 0; sent < 4; sent++) {
        yield Buffer.alloc(40_000)
        await setImmediate()
      }
    }
    expect(await ask({ method: 'POST', body: tooMuch() })).toMatchObject({
      status: 413,
      code: 'client.too_large',
    })
    expect(received).toBeLessThanOrEqual(100_000)
    expect(ended).not.toContain('whole')
    async function* enough() {
      yield Buffer.alloc(50_000)
      yield Buffer.alloc(50_000)
    }
    expect((await ask({ method: 'POST', body: enough() })).status).toBe(200)
  })
})

it('an API without a policy has no hooks at all', async () => {
  const { url } = await startUpstream(fine)
  const snapshot = snapshotWith({}, { base_url: url })
  const { policies, ask } = await startGateway(snapshot)
  const [api] = snapshot.apis
  const guard = createAddressGuard({ allow: [], deny: [], own: () => [] })
  expect(api && policies.compile(api, new UpstreamOrigins({ guard }), [])).toBeNull()
  const answer = await ask()
  expect(Object.keys(answer.headers).filter((name) => /ratelimit|cache|vary/.test(name))).toEqual(
    [],
  )
})
