import { noTrafficPolicy, type SnapshotApi } from '@gatehouse/contract/gateway'
import { localhostCertificate } from '@gatehouse/http1/testing/localhost-certificate'
import { startRecordingUpstream } from '@gatehouse/http1/testing/recording-upstream'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { connect } from 'node:tls'
import type { TLSSocket } from 'node:tls'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createTrafficPolicies } from '../../policy/traffic-policies.ts'
import {
  buildApi,
  buildEndpoint,
  buildSnapshot,
  clientToken,
} from '../../testing/build-snapshot.ts'
import { readAnswer } from '../../testing/read-answer.ts'
import { startGateway, traceSecret } from '../../testing/test-gateway.ts'
import { traceHeader, traceHeaderName } from '../../trace/trace-signature.ts'

/** Certificates, and with those of clients their keys. */
const pem = (name: string) =>
  readFileSync(new URL(`../../../fixtures/${name}.pem`, import.meta.url), 'utf8')
const authority = pem('clients-ca')
const client = pem('client')

const policyOf = (ca: string | null) => ({
  ...noTrafficPolicy,
  client_certificates: ca === null ? null : { ca },
})

/** API 1 takes certificates of this authority, and its endpoint 2 a token as well; API 2 takes anybody. */
function snapshotOf(url: string, ca: string | null, revision = 1) {
  return buildSnapshot({
    revision,
    mark: `m${revision}`,
    apis: [
      buildApi({ base_url: url, policy: policyOf(ca) }),
      buildApi({ id: 2, name: 'Open', context: 'open', base_url: url }),
    ],
    endpoints: [
      buildEndpoint(),
      buildEndpoint({ id: 2, path: '/guarded', requires_token: true }),
      buildEndpoint({ id: 3, api_id: 2 }),
    ],
    access: [{ role_id: 2, endpoint_ids: [1, 2, 3] }],
  })
}

const ticketKeys = () => randomBytes(48).toString('base64')

async function start(ca: string | null = authority, { isSecure = true, keys = ticketKeys() } = {}) {
  const upstream = await startRecordingUpstream()
  const tls = isSecure ? { ...localhostCertificate, ticketKeys: keys } : null
  const compilePolicy = createTrafficPolicies().compile
  const gateway = await startGateway(snapshotOf(upstream.url, ca), { tls, compilePolicy })
  const swap = (next: string | null, revision: number) =>
    expect(gateway.swap(snapshotOf(upstream.url, next, revision))).toMatchObject({ ok: true })
  return { upstream, gateway, swap }
}

interface Shown {
  pem?: string | undefined
  session?: Buffer | undefined
  maxVersion?: 'TLSv1.2' | 'TLSv1.3'
}

/** A connection of a client that shows this certificate with its key, or none. */
class SecureClient {
  readonly socket: TLSSocket
  session: Buffer | undefined
  #received = ''

  constructor(port: number, { pem, session, maxVersion = 'TLSv1.3' }: Shown = {}) {
    const own = pem === undefined ? {} : { cert: pem, key: pem }
    const { cert: ca } = localhostCertificate
    const resumed = session && { session }
    this.socket = connect({ port, host: 'localhost', ca, maxVersion, ...own, ...resumed })
    this.socket.setEncoding('latin1')
    this.socket.on('data', (text: string) => (this.#received += text))
    this.socket.on('session', (begun: Buffer) => (this.session = begun))
    this.socket.on('error', () => undefined)
    onTestFinished(() => void this.socket.destroy())
  }

  /** Status and message; undefined: the connection ended before an answer. */
  async ask(path = '/sales/orders', fields: readonly string[] = []) {
    const lines = [`GET ${path} HTTP/1.1`, 'Host: localhost', ...fields, '', '']
    this.socket.write(lines.join('\r\n'))
    for (;;) {
      const read = readAnswer(this.#received, this.socket.destroyed)
      if (read) {
        this.#received = this.#received.slice(read.length)
        const { status, body } = read.answer
        const text = Buffer.from(body, 'latin1').toString()
        const parsed = (text.startsWith('{') ? JSON.parse(text) : {}) as Record<string, string>
        return { status, code: parsed['code'], message: parsed['message'] }
      }
      if (this.socket.destroyed) return undefined
      await new Promise<void>((resolve) => {
        this.socket.once('data', () => resolve())
        this.socket.once('close', () => resolve())
      })
    }
  }
}

describe('a client certificate', () => {
  it.each(['TLSv1.2', 'TLSv1.3'] as const)(
    'of the authority opens its API beside the token, over %s',
    async (maxVersion) => {
      const { gateway, upstream } = await start()
      const shown = new SecureClient(gateway.port, { pem: client, maxVersion })
      expect(await shown.ask()).toMatchObject({ status: 200 })
      expect(await shown.ask('/sales/guarded')).toMatchObject({ status: 401 })
      const bearer = `Authorization: Bearer ${clientToken}`
      expect(await shown.ask('/sales/guarded', [bearer])).toMatchObject({ status: 200 })
      expect(upstream.requests).toHaveLength(2)
      const without = new SecureClient(gateway.port, { maxVersion })
      expect(await without.ask('/sales/guarded', [bearer])).toMatchObject({
        status: 403,
        code: 'client.certificate',
      })
      expect(upstream.requests).toHaveLength(2)
    },
  )

  it.each([
    ['of another authority of the same name', 'client-impostor', /not issued/],
    ['that signed itself, with the same subject', 'client-self-signed', /not issued/],
    ['that has expired', 'client-expired', /has expired/],
    ['that is not valid yet', 'client-early', /not valid yet/],
    ['that is made for servers', 'client-for-servers', /not made for clients/],
  ])('%s is refused, and its connection ends', async (_, name, message) => {
    const { gateway, upstream } = await start()
    const shown = new SecureClient(gateway.port, { pem: pem(name) })
    expect(await shown.ask()).toMatchObject({
      status: 403,
      message: expect.stringMatching(message),
    })
    expect(await shown.ask()).toBeUndefined()
    expect(upstream.requests).toHaveLength(0)
  })

  it('is taken of each of several authorities, and an API without any takes anybody', async () => {
    const { gateway } = await start(`${pem('impostor-ca')}\n${authority}`)
    for (const name of ['client', 'client-impostor'])
      expect(await new SecureClient(gateway.port, { pem: pem(name) }).ask()).toMatchObject({
        status: 200,
      })
    const anybody = new SecureClient(gateway.port)
    expect(await anybody.ask('/open/orders')).toMatchObject({ status: 200 })
  })

  it('is of nobody where the authority can’t be read, or has expired', async () => {
    for (const ca of ['no certificate', pem('old-ca')]) {
      const { gateway } = await start(ca)
      expect(await new SecureClient(gateway.port, { pem: client }).ask()).toMatchObject({
        status: 403,
      })
    }
  })

  it('that a header names is none', async () => {
    const { gateway, upstream } = await start()
    const spoofed = [
      'X-Client-Cert',
      'Client-Cert',
      'X-SSL-Client-Cert',
      'X-SSL-Client-Verify',
    ].map((name) => `${name}: SUCCESS`)
    expect(await new SecureClient(gateway.port).ask('/sales/orders', spoofed)).toMatchObject({
      status: 403,
    })
    const shown = new SecureClient(gateway.port, { pem: client })
    expect(await shown.ask('/sales/orders', spoofed)).toMatchObject({ status: 200 })
    const names = upstream.requests[0]?.headers.map(([name]) => name.toLowerCase())
    for (const name of names ?? []) expect(name).not.toMatch(/client/)
  })

  it('can’t be shown over plain HTTP', async () => {
    const { gateway, upstream } = await start(authority, { isSecure: false })
    const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '127.0.0.1' }
    const answer = await fetch(`${gateway.url}/sales/orders`, { headers })
    expect(answer.status).toBe(403)
    expect(await answer.text()).toContain('over TLS')
    expect((await fetch(`${gateway.url}/open/orders`)).status).toBe(200)
    expect(upstream.requests).toHaveLength(1)
  })

  it('is not asked of an administrator who tries an endpoint', async () => {
    const { gateway } = await start()
    const trace = `${traceHeaderName}: ${traceHeader(traceSecret, 'e1_t1')}`
    const asked = new SecureClient(gateway.port)
    expect(await asked.ask('/sales/orders', [trace])).toMatchObject({ status: 200 })
  })
})

describe('a change of the authorities', () => {
  it('counts for the next request of a connection that is open', async () => {
    const { gateway, swap } = await start()
    const shown = new SecureClient(gateway.port, { pem: client })
    expect(await shown.ask()).toMatchObject({ status: 200 })
    swap(pem('impostor-ca'), 2)
    expect(await shown.ask()).toMatchObject({ status: 403 })
    swap(authority, 3)
    expect(await new SecureClient(gateway.port, { pem: client }).ask()).toMatchObject({
      status: 200,
    })
  })

  it('ends a connection from before anybody was asked; the next one is asked', async () => {
    const { gateway, swap } = await start(null)
    const before = new SecureClient(gateway.port, { pem: client })
    expect(await before.ask()).toMatchObject({ status: 200 })
    swap(authority, 2)
    expect(await before.ask()).toMatchObject({ status: 403 })
    expect(await before.ask()).toBeUndefined()
    // The session of before would bring no certificate.
    const { session } = before
    expect(session).toBeDefined()
    const next = new SecureClient(gateway.port, { pem: client, session })
    expect(await next.ask()).toMatchObject({ status: 200 })
    expect(next.socket.isSessionReused()).toBe(false)
    swap(null, 3)
    expect(await new SecureClient(gateway.port).ask()).toMatchObject({ status: 200 })
  })
})

it('is asked for where the draft of an API alone wants it, of the tokens that reach the draft', async () => {
  const { gateway, upstream } = await start(null)
  const plain = snapshotOf(upstream.url, null, 2)
  const [{ draft: _none, ...api }, open] = plain.apis as [SnapshotApi, SnapshotApi]
  const draft = { token_ids: [1], api: { ...api, policy: policyOf(authority) } }
  expect(gateway.swap({ ...plain, apis: [{ ...api, draft }, open] })).toMatchObject({ ok: true })
  const bearer = `Authorization: Bearer ${clientToken}`
  const shown = new SecureClient(gateway.port, { pem: client })
  expect(await shown.ask('/sales/guarded', [bearer])).toMatchObject({ status: 200 })
  const without = new SecureClient(gateway.port)
  expect(await without.ask()).toMatchObject({ status: 200 })
  expect(await without.ask('/sales/guarded', [bearer])).toMatchObject({ status: 403 })
})

describe.each(['TLSv1.2', 'TLSv1.3'] as const)(
  'a session that is resumed, over %s',
  (maxVersion) => {
    it('brings its certificate, and is held against the authorities of now', async () => {
      const keys = ticketKeys()
      const [one, other] = [await start(authority, { keys }), await start(authority, { keys })]
      const first = new SecureClient(one.gateway.port, { pem: client, maxVersion })
      expect(await first.ask()).toMatchObject({ status: 200 })
      const resume = async (port: number) => {
        const { session } = first
        expect(session).toBeDefined()
        const resumed = new SecureClient(port, { session, maxVersion })
        const answer = await resumed.ask()
        expect(resumed.socket.isSessionReused()).toBe(true)
        return answer
      }
      // At another worker too.
      expect(await resume(other.gateway.port)).toMatchObject({ status: 200 })
      one.swap(pem('impostor-ca'), 2)
      expect(await resume(one.gateway.port)).toMatchObject({ status: 403 })
    })

    it('without a certificate stays without one', async () => {
      const { gateway } = await start()
      const first = new SecureClient(gateway.port, { maxVersion })
      expect(await first.ask('/open/orders')).toMatchObject({ status: 200 })
      const resumed = new SecureClient(gateway.port, { session: first.session, maxVersion })
      expect(await resumed.ask()).toMatchObject({ status: 403 })
    })
  },
)
