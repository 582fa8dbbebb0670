import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { scriptedLookup } from '../../testing/scripted-lookup.ts'
import {
  answered,
  createTestDatabase,
  createTestProcedures,
  failed,
} from '../../testing/mariadb.ts'

const ca = readFileSync(
  new URL('../../../fixtures/self-signed-localhost.pem', import.meta.url),
  'utf8',
)
// The server of another owner has another certificate.
const isForeign = process.env['TEST_MYSQL_URL'] !== undefined
const database = await createTestDatabase([
  `CREATE PROCEDURE cipher() READS SQL DATA
    SELECT VARIABLE_VALUE AS cipher FROM information_schema.SESSION_STATUS WHERE VARIABLE_NAME = 'Ssl_cipher'`,
])
const { connection } = database

async function cipherWith(change: Partial<typeof connection>) {
  const { call } = createTestProcedures({ ...connection, ...change })
  return answered(await call('cipher')).body.recordsets[0]?.[0]?.['cipher']
}

describe.skipIf(isForeign)('TLS', () => {
  test('off, nothing is encrypted', async () => {
    expect(await cipherWith({ tls: 'off' })).toBe('')
  })

  test('encrypted, no certificate is asked for', async () => {
    expect(await cipherWith({ tls: 'encrypted' })).toMatch(/^TLS_/)
  })

  test('verified, the certificate has to hold for the address or the name', async () => {
    expect(await cipherWith({ tls: 'verified', ca, host: '127.0.0.1' })).toMatch(/^TLS_/)
  })

  test.each([
    ['no authority that is known', { host: '127.0.0.1' }],
    ['another name', { host: 'elsewhere.example', ca }],
  ])('verified, a certificate with %s is refused before the sign-in', async (_, change) => {
    const lookup = scriptedLookup(['127.0.0.1'])
    const { call } = createTestProcedures({ ...connection, tls: 'verified', ...change }, { lookup })
    expect(failed(await call('cipher'))).toMatchObject({
      code: 'upstream.tls',
      status: 502,
      isSent: false,
    })
  })

  test('an account that demands TLS does not get in without', async () => {
    const { name, admin } = database
    await admin(`ALTER USER ${name}@'%' REQUIRE SSL`)
    const { call } = createTestProcedures(connection)
    const answer = failed(await call('cipher'))
    const cipher = await cipherWith({ tls: 'encrypted' })
    await admin(`ALTER USER ${name}@'%' REQUIRE NONE`)
    expect(answer).toMatchObject({ code: 'procedure.sign_in', isSent: false })
    expect(cipher).toMatch(/^TLS_/)
  })
})
