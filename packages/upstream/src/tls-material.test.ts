import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { StoredTls } from '@gatehouse/contract/credential'
import { expect, test } from 'vitest'
import { checkTls } from './tls-material.ts'

const read = (name: string) => readFileSync(new URL(`../fixtures/${name}`, import.meta.url))
/** Certificate and key are in one file. */
const parts = (name: string) => {
  const text = read(name).toString()
  const at = text.indexOf('-----BEGIN CERTIFICATE-----')
  const end = '-----END CERTIFICATE-----'
  const certificate = text.slice(at, text.indexOf(end) + end.length)
  return { certificate, key: text.replace(certificate, '').trim() }
}
const one = parts('self-signed-localhost.pem')
const other = parts('self-signed-elsewhere.pem')
const encryptedKey = createPrivateKey(one.key).export({
  type: 'pkcs8',
  format: 'pem',
  cipher: 'aes-256-cbc',
  passphrase: 'secret',
})
const pfx = read('self-signed-localhost.pfx').toString('base64')

const blank: StoredTls = {
  client_certificate: '',
  client_key: '',
  pfx: '',
  passphrase: '',
  ca: '',
  legacy_renegotiation: false,
}
const check = (tls: Partial<StoredTls>, now = new Date()) => checkTls({ ...blank, ...tls }, now)
const later = new Date('2300-01-01T00:00:00Z')

const accepted = {
  ok: true,
  certificate: {
    subject: 'CN=Gatehouse test\\, localhost',
    issuer: 'CN=Gatehouse test\\, localhost',
    expires_at: '2120-01-01T00:00:00.000Z',
  },
}

test('a certificate without a name is accepted, and shown without one', () => {
  const { certificate, key } = parts('self-signed-nameless.pem')
  expect(check({ client_certificate: certificate, client_key: key })).toMatchObject({
    ok: true,
    certificate: { subject: '', issuer: '' },
  })
})

test('a certificate with its key is accepted, in the clear, encrypted, and as a PFX file', () => {
  const certificate = one.certificate
  expect(check({ client_certificate: certificate, client_key: one.key })).toMatchObject(accepted)
  const encrypted = { client_certificate: certificate, client_key: encryptedKey }
  expect(check({ ...encrypted, passphrase: 'secret' })).toMatchObject(accepted)
  expect(check({ pfx, passphrase: 'secret' })).toMatchObject(accepted)
  expect(check({ ca: certificate })).toMatchObject({ ok: true, certificate: null })
})

test.each<[string, Partial<StoredTls>, keyof StoredTls, string]>([
  [
    'a key of another certificate',
    { client_certificate: one.certificate, client_key: other.key },
    'client_key',
    'The key does not belong to the client certificate.',
  ],
  [
    'an encrypted key without its passphrase',
    { client_certificate: one.certificate, client_key: encryptedKey },
    'passphrase',
    'The key is encrypted: enter its passphrase.',
  ],
  [
    'an encrypted key with another passphrase',
    { client_certificate: one.certificate, client_key: encryptedKey, passphrase: 'x' },
    'passphrase',
    'The passphrase does not open the key.',
  ],
  [
    'a PFX file with another passphrase',
    { pfx, passphrase: 'x' },
    'passphrase',
    'The passphrase does not open the PFX file.',
  ],
  ['a PFX file that is none', { pfx: 'AAAA' }, 'pfx', 'The PFX file can’t be read.'],
  [
    'a certificate that is none',
    { ca: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----' },
    'ca',
    'The certificate can’t be read.',
  ],
])('%s is refused', (_, tls, field, message) => {
  expect(check(tls)).toEqual({ ok: false, problems: [{ field, message }] })
})

test('a certificate that is over is refused on its field', () => {
  const certificate = one.certificate
  const pem = { client_certificate: certificate, client_key: one.key, ca: certificate }
  expect(check(pem, later)).toMatchObject({
    problems: [
      {
        field: 'ca',
        message: expect.stringMatching(/^The certificate of the authority expired on/),
      },
      {
        field: 'client_certificate',
        message: expect.stringMatching(/expired on \d{4}-\d\d-\d\d\.$/),
      },
    ],
  })
  const file = { pfx, passphrase: 'secret' }
  expect(check(file, later)).toMatchObject({ problems: [{ field: 'pfx' }] })
})
