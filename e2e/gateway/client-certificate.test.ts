import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLegacyTlsServer } from '../../packages/upstream/src/testing/legacy-tls-server.ts'
import { runProduct, signIn, type Call, type Product } from '../harness/run-product.ts'

// TLS settings of an API, where they are used: the gateway, Build Request and runs.

const file = (name: string) =>
  readFileSync(new URL(`../../packages/upstream/fixtures/${name}`, import.meta.url))
const certificateOf = (pem: string) =>
  /-----BEGIN CERTIFICATE-----[\s\S]+-----END CERTIFICATE-----/.exec(pem)?.[0] ?? ''
const keyOf = (pem: string) =>
  /-----BEGIN PRIVATE KEY-----[\s\S]+-----END PRIVATE KEY-----/.exec(pem)?.[0] ?? ''
const server = file('self-signed-localhost.pem').toString()
const other = file('self-signed-elsewhere.pem').toString()
const rsa = file('self-signed-rsa.pem').toString()
const pfx = file('self-signed-localhost.pfx').toString('base64')

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-certificates-'))
const subjects: string[] = []
const strict = createServer(
  { key: server, cert: server, ca: [server, other], requestCert: true, rejectUnauthorized: true },
  (request, response) => {
    subjects.push(String((request.socket as TLSSocket).getPeerCertificate().subject.CN))
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":7}')
    })
  },
)
const legacy = createLegacyTlsServer(rsa)
let product: Product
let call: Call

async function open(listening: Server): Promise<void> {
  listening.listen(0, '127.0.0.1')
  await new Promise((resolve) => listening.once('listening', resolve))
}

beforeAll(async () => {
  await Promise.all([open(strict), open(legacy)])
  product = await runProduct({ DATA_DIR: folder, GATEWAY_WORKERS: '1' })
  call = await signIn(product.url)
})
afterAll(async () => {
  await product?.end('SIGKILL')
  strict.closeAllConnections()
  strict.close()
  legacy.close()
  rmSync(folder, { recursive: true, force: true })
})

/** What each of the three places answers, with the code of a failure. */
async function throughAllPlaces(name: string, listening: Server, tls: object) {
  const create = async (path: string, body: object) => {
    const answer = await call('POST', path, body)
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    return (answer.body as { id: number }).id
  }
  const api_id = await create('/api/apis', {
    name,
    api_protocol: 'http',
    gateway_status: 'active',
    api_access: 'internally',
    api_url: `https://localhost:${(listening.address() as AddressInfo).port}`,
    tls,
  })
  const endpoint = (method_type: string) =>
    create('/api/endpoint', {
      api_id,
      method_type,
      status: 'active',
      path: '/items',
      authentication: 0,
      summery: `${name} ${method_type}`,
      description: name,
    })
  const read = await endpoint('get')
  const submit = await endpoint('post')
  const through = await fetch(`${product.gatewayUrl}/${name.toLowerCase()}/items`)
  const text = await through.text()
  const code = /upstream\.\w+/.exec(text)?.[0]
  const built = await call('GET', `/admin/get-data?end_point=${read}&body=`)
  const run = await call('POST', '/api/tax', { endpoint_1: { end_point: submit, body: '{}' } })
  const outcome = ({ status, body }: { status: number; body: unknown }) =>
    status === 200 ? 200 : (body as { code: string }).code
  return { gateway: code ?? through.status, build: outcome(built), run: outcome(run) }
}

const everywhere = (outcome: unknown) => ({ gateway: outcome, build: outcome, run: outcome })
const ca = certificateOf(server)

describe('an upstream that wants a client certificate', () => {
  it.each<[string, object, string]>([
    [
      'Pem',
      { ca, client_certificate: certificateOf(other), client_key: keyOf(other) },
      'Gatehouse test, elsewhere',
    ],
    ['Pfx', { ca, pfx, passphrase: 'secret' }, 'Gatehouse test, localhost'],
  ])('gets the one of a %s file in all three places', async (name, tls, subject) => {
    subjects.length = 0
    expect(await throughAllPlaces(name, strict, tls)).toEqual(everywhere(200))
    expect(subjects).toEqual([subject, subject, subject])
  })

  it('refuses the connection without one', async () => {
    subjects.length = 0
    await throughAllPlaces('None', strict, { ca })
    expect(subjects).toEqual([])
  })
})

describe('an upstream without secure renegotiation', () => {
  it('is called only where the API allows legacy renegotiation', async () => {
    const trusting = { ca: certificateOf(rsa) }
    expect(await throughAllPlaces('Modern', legacy, trusting)).toEqual({
      ...everywhere('upstream.tls'),
      run: 'run.failed',
    })
    const allowing = { ...trusting, legacy_renegotiation: true }
    expect(await throughAllPlaces('Legacy', legacy, allowing)).toEqual(everywhere(200))
  })
})
