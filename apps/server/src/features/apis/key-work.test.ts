import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { configSnapshot, gatewayClientId, type SubmittedApi } from '@gatehouse/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildServer, httpApi, type TestServer } from '../../../test/servers/build-server.ts'
import { longestTurnMs, turnMaxMs } from '../../../test/time/longest-turn.ts'
import { recordingGateway } from '../../../test/servers/recording-gateway.ts'

// Files with keys say themselves how much work it takes to open them.

const folder = new URL('../../../../../packages/upstream/fixtures/', import.meta.url)
const read = (name: string) => readFileSync(new URL(name, folder))
const client_certificate = new X509Certificate(read('self-signed-localhost.pem')).toString()

const gateway = recordingGateway()
let server: TestServer
let api: number
let tokenId: number
beforeAll(async () => {
  server = await buildServer({}, gateway.link)
  api = await create('Plain')
  const made = await send('POST', '/admin/token/store', { user: gatewayClientId })
  tokenId = (made.body as { access_token: { id: number } }).access_token.id
})
afterAll(() => server.close())

const send = (method: 'GET' | 'POST' | 'PUT', url: string, body?: unknown) =>
  server.send(method, url, { token: server.admin.token, body })
async function create(name: string, tls?: object): Promise<number> {
  const answer = await send('POST', '/api/apis', httpApi({ name, ...(tls && { tls }) }))
  expect(answer.status, answer.text).toBe(201)
  return (answer.body as { id: number }).id
}
const published = (id: number) =>
  configSnapshot.parse(gateway.published.at(-1)).apis.find((each) => each.id === id)?.tls
const trial = (definition: Record<string, unknown>) => ({
  definition: httpApi(definition),
  route: { method_type: 'get', path: '/status' },
  method: 'GET',
  path: '/status',
})

describe.each([
  ['client_key', { client_certificate, client_key: read('key-files/many-rounds.pem').toString() }],
  ['pfx', { pfx: read('key-files/many-rounds.pfx').toString('base64') }],
])('200 million rounds in a %s', (field, file) => {
  const tls = { ...file, passphrase: 'secret' }

  it.each([
    ['a save of a new API', 'POST', (): string => '/api/apis', httpApi({ name: 'Another', tls })],
    ['a save', 'PUT', (): string => `/api/apis/${api}`, httpApi({ name: 'Plain', tls })],
    ['a draft', 'PUT', (): string => `/api/apis/${api}/draft`, httpApi({ name: 'Plain', tls })],
    [
      'a trial of a new API',
      'POST',
      (): string => '/api/apis/try',
      trial({ name: 'Another', tls }),
    ],
    [
      'a trial',
      'POST',
      (): string => `/api/apis/${api}/try-changes`,
      trial({ name: 'Plain', tls }),
    ],
  ] as const)('are refused by %s before they are run', async (_, method, url, body) => {
    const { user } = process.cpuUsage()
    const [answer, other] = await Promise.all([
      send(method, url(), { ...body, draft_tokens: [tokenId], draft_version: 0 }),
      send('GET', '/api/apis'),
    ])
    expect(process.cpuUsage().user - user).toBeLessThan(1_000_000)
    expect([answer.status, other.status], answer.text).toEqual([422, 200])
    const { errors } = answer.body as { errors: Record<string, string[]> }
    const path = url().includes('/try') ? `definition.tls.${field}` : `tls.${field}`
    expect(errors).toEqual({ [path]: [expect.stringContaining('takes too much work to open')] })
  })
})

it('a key with the most rounds that are taken is opened in a thread', async () => {
  const client_key = read('key-files/most-rounds.pem').toString()
  const tls = { client_certificate, client_key, passphrase: 'secret' }
  const longest = await longestTurnMs(() => create('Most rounds', tls))
  expect(longest).toBeLessThan(turnMaxMs)
})

it.each([
  ['client_key', { client_certificate, client_key: read('key-files/scrypt.pem').toString() }],
  ['pfx', { pfx: read('key-files/keytool.pfx').toString('base64') }],
] as const)('a %s is stored open, so that nobody has to open it again', async (field, file) => {
  const id = await create(`Of ${field}`, { ...file, passphrase: 'secret' })
  const opened = published(id)!
  expect(() =>
    createSecureContext(
      field === 'pfx'
        ? { pfx: Buffer.from(opened.pfx, 'base64') }
        : { key: opened.client_key, cert: opened.client_certificate },
    ),
  ).not.toThrow()
  expect(opened.client_key).not.toContain('ENCRYPTED')

  const { body } = await send('GET', `/api/apis/${id}/edit`)
  const text = (body as [{ submitted_data: string }])[0].submitted_data
  const { tls } = JSON.parse(text) as SubmittedApi
  expect(tls).toMatchObject({ has_passphrase: true, certificate: { subject: expect.any(String) } })
  const again = await send('PUT', `/api/apis/${id}`, httpApi({ name: `Of ${field}`, tls }))
  expect(again.status, again.text).toBe(200)
  expect(published(id)).toEqual(opened)
})
