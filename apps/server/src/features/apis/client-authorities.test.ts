import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildServer, httpApi } from '../../../test/servers/build-server.ts'
import { buildSnapshot } from '../../publishing/build-snapshot.ts'

const pem = (name: string) =>
  readFileSync(new URL(`../../../../gateway/fixtures/${name}.pem`, import.meta.url), 'utf8')

let server: Awaited<ReturnType<typeof buildServer>>
beforeAll(async () => {
  server = await buildServer()
})
afterAll(() => server.close())

const save = (ca: string) => {
  const traffic_policy = { client_certificates: { ca } }
  const body = httpApi({ name: `Api ${crypto.randomUUID()}`, traffic_policy })
  return server.send('POST', '/api/apis', { token: server.admin.token, body })
}

it('authorities are stored, shown with subject and end, and published', async () => {
  const ca = `${pem('clients-ca')}\n${pem('impostor-ca')}`
  const answer = await save(ca)
  expect(answer.status, answer.text).toBe(201)
  const { id } = answer.body as { id: number }
  const path = `/api/apis/${id}/edit`
  const [record] = (await server.send('GET', path, { token: server.admin.token })).body as [
    { submitted_data: string },
  ]
  const authority = {
    subject: 'O=Example, CN=Example clients',
    expires_at: expect.stringMatching(/^2126-/) as string,
  }
  const shown = JSON.parse(record.submitted_data) as { client_authorities: object[] }
  expect(shown.client_authorities).toEqual([authority, authority])
  const { snapshot } = await buildSnapshot(server.db, server.secrets, {
    now: () => server.time.now,
  })
  const { policy } = snapshot.apis.find((api) => api.id === id)!
  expect(policy.client_certificates?.ca).toBe(ca.trim())
})

/** The same certificate with another algorithm of its key, which nobody knows. */
function withUnknownKey(text: string): string {
  const { raw } = new X509Certificate(text)
  raw[raw.indexOf(Buffer.from('06072a8648ce3d0201', 'hex')) + 8] = 9
  return `-----BEGIN CERTIFICATE-----\n${raw.toString('base64')}\n-----END CERTIFICATE-----`
}

it.each([
  ['nothing', '', /PEM text/],
  ['no PEM', 'certificate', /PEM text/],
  ['a key beside it', pem('client'), /PEM text/],
  [
    'what is no certificate',
    '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----',
    /can’t be read/,
  ],
  [
    'the certificate of a client',
    pem('client').replace(/-----BEGIN PRIVATE[^]*/, ''),
    /no authority/,
  ],
  ['an authority that has expired', pem('old-ca'), /expired on 2002-01-01/],
  ['a key that nobody knows', withUnknownKey(pem('clients-ca')), /kind that is not supported/],
  ['an authority without a name', pem('nameless-ca'), /names no subject/],
  ['too many', pem('clients-ca').repeat(21), /20 authorities at most/],
])('%s is refused, under its field', async (_, ca, message) => {
  const answer = await save(ca)
  expect(answer.status).toBe(422)
  expect(answer.body).toMatchObject({
    errors: { 'traffic_policy.client_certificates.ca': [expect.stringMatching(message)] },
  })
})
