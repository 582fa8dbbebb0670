import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { StoredTls } from '@gatehouse/contract/credential'
import { describe, expect, it } from 'vitest'
import { secureContextOf } from '../secure-context.ts'
import {
  algorithms,
  encryptedKey,
  encryptedSafe,
  inBer,
  inOldWay,
  keyBag,
  lockedSafe,
  nestedBag,
  pem,
  pfx,
  plainSafe,
  rsaKey,
} from '../testing/key-file-writer.ts'
import { signingKeyProblem, type OAuthCredential } from '../sign-in/client-authentication.ts'
import { checkTls } from '../tls-material.ts'
import { openKey } from './open-key.ts'
import { openPfxFile } from './open-pfx.ts'
import { isSlowKey } from './key-size.ts'
import { workMax } from './work-bound.ts'

const fixtures = new URL('../../fixtures/', import.meta.url)
const read = (name: string) => readFileSync(new URL(name, fixtures))
const whole = read('self-signed-localhost.pem').toString()
const certificate = new X509Certificate(whole)
const key = createPrivateKey(whole)
/** Letters of two, three and four bytes. */
const odd = 'пароль €😀'
const blank: StoredTls = {
  client_certificate: '',
  client_key: '',
  pfx: '',
  passphrase: '',
  ca: '',
  legacy_renegotiation: false,
}

describe('a key', () => {
  it.each([
    ['scrypt.pem', 'secret'],
    ['pbkdf2-sha512.pem', odd],
    ['pbkdf2-sha1-3des.pem', 'secret'],
    ['pkcs12-3des.pem', odd],
    ['pkcs12-2des.pem', 'secret'],
    ['old-way.pem', 'secret'],
  ])('that OpenSSL wrote as %s is opened, by its passphrase alone', (name, passphrase) => {
    const text = read(`key-files/${name}`).toString()
    expect(openKey(text, passphrase).equals(key)).toBe(true)
    expect(() => openKey(text, 'other')).toThrow('locked')
  })

  it('in a cipher that is not read is refused as such', () => {
    const text = read('key-files/aria.pem').toString()
    expect(() => openKey(text, 'secret')).toThrow('unsupported')
  })

  it.each([
    ['cut off', encryptedKey(algorithms.pbkdf2(10)).subarray(0, 80)],
    ['longer than it says', Buffer.concat([encryptedKey(algorithms.pbkdf2(10)), Buffer.of(0)])],
    ['of no rounds', encryptedKey(algorithms.pbkdf2(0))],
    ['of no rounds of PKCS#12', encryptedKey(algorithms.pkcs12(0))],
    ['of an impossible scrypt', encryptedKey(algorithms.scrypt(3, 8, 1))],
    ['nested without end', Buffer.from('3080'.repeat(10_000), 'hex')],
    ['empty', Buffer.alloc(0)],
  ])('%s is refused', (_, bytes) => {
    expect(() => openKey(pem('ENCRYPTED PRIVATE KEY', bytes), 'secret')).toThrow('unreadable')
  })
})

describe('a PFX file', () => {
  it.each([
    ['aes-256.pfx', odd],
    ['3des.pfx', odd],
    ['3des-no-passphrase.pfx', ''],
    ['plain.pfx', ''],
    ['keytool.pfx', 'secret'],
  ])('that a tool wrote as %s is opened', (name, passphrase) => {
    const file = read(`key-files/${name}`)
    for (const bytes of [file, inBer(file)]) {
      const opened = openPfxFile(bytes, passphrase)
      expect(opened.key.equals(key)).toBe(true)
      expect(opened.certificate.fingerprint256).toBe(certificate.fingerprint256)
    }
  })

  it('keeps the other certificates that are in it', () => {
    const other = new X509Certificate(read('self-signed-elsewhere.pem'))
    const { plain } = openPfxFile(read('key-files/aes-256.pfx'), odd)
    expect(plain.includes(other.raw)).toBe(true)
    expect(openPfxFile(plain, '')).toMatchObject({ plain })
  })

  it('with another passphrase, without a key, or in an old cipher is refused as such', () => {
    expect(() => openPfxFile(read('key-files/aes-256.pfx'), 'other')).toThrow('locked')
    expect(() => openPfxFile(read('key-files/3des.pfx'), 'other')).toThrow('locked')
    expect(() => openPfxFile(read('key-files/no-key.pfx'), 'secret')).toThrow('empty')
    expect(() => openPfxFile(read('key-files/rc2.pfx'), 'secret')).toThrow('unsupported')
  })
})

const tooMuch: [string, Buffer][] = [
  ['200 million rounds of PBKDF2', algorithms.pbkdf2(200_000_000)],
  ['more rounds of PBKDF2 than a number counts', algorithms.pbkdf2(2 ** 48 - 1)],
  ['one round too many of PBKDF2', algorithms.pbkdf2(workMax.pbkdf2Rounds + 1)],
  ['200 million rounds of PKCS#12', algorithms.pkcs12(200_000_000)],
  ['gigabytes of scrypt', algorithms.scrypt(2 ** 24, 8, 1)],
  ['long blocks of scrypt', algorithms.scrypt(2, 2 ** 30, 1)],
  ['scrypt many times', algorithms.scrypt(2 ** 14, 8, 1_000_000)],
]

/** Refused on its field, and unusable for a connection where it was stored before: neither runs the work. */
function expectRefused(tls: Partial<StoredTls>, field: string): void {
  const settings = { ...blank, ...tls, passphrase: 'secret' }
  const { user } = process.cpuUsage()
  expect(checkTls(settings, new Date())).toEqual({
    ok: false,
    problems: [{ field, message: expect.stringContaining('too much work to open') }],
  })
  expect(secureContextOf(settings)).toBeInstanceOf(Error)
  expect(process.cpuUsage().user - user).toBeLessThan(1_000_000)
}

describe.each(tooMuch)('%s', (_, algorithm) => {
  const locked = encryptedKey(algorithm)

  it('are refused in a key', () => {
    const client_certificate = certificate.toString()
    expectRefused(
      { client_certificate, client_key: pem('ENCRYPTED PRIVATE KEY', locked) },
      'client_key',
    )
    const later = `${pem('EC PRIVATE KEY', Buffer.of(0))}${pem('ENCRYPTED PRIVATE KEY', locked)}`
    const both = checkTls(
      { ...blank, client_certificate, client_key: later, passphrase: 'x' },
      new Date(),
    )
    expect(both).toMatchObject({ ok: false, problems: [{ field: 'client_key' }] })
  })

  it.each([
    ['a key', pfx(plainSafe(keyBag(locked)))],
    ['a nested key', pfx(plainSafe(nestedBag(nestedBag(keyBag(locked)))))],
    ['an encrypted part', pfx(lockedSafe(algorithm))],
    ['a key that shows once its part is decrypted', pfx(encryptedSafe('secret', keyBag(locked)))],
    ['a key in BER', inBer(pfx(encryptedSafe('secret', nestedBag(keyBag(locked)))))],
  ])('are refused in a PFX file, as those of %s', (_place, file) => {
    expectRefused({ pfx: file.toString('base64') }, 'pfx')
  })
})

/** What OpenSSL runs the rounds of all the same, in one place or another. */
const hidden = encryptedKey(algorithms.pbkdf2(200_000_000))
it.each([
  ['under the name of a plain key', pem('PRIVATE KEY', hidden)],
  [
    'under the name of a plain key that comes later',
    pem('PRIVATE KEY', Buffer.of(0)) + pem('PRIVATE KEY', hidden),
  ],
  [
    'within another key',
    `-----BEGIN RSA PRIVATE KEY-----\n${pem('PRIVATE KEY', hidden)}ENCRYPTED\n-----END RSA PRIVATE KEY-----`,
  ],
  ['under the name of an RSA key', pem('RSA PRIVATE KEY', hidden)],
  ['in a plain key that was encrypted in the old way', inOldWay('PRIVATE KEY', hidden)],
  ['in an RSA key that was encrypted in the old way', inOldWay('RSA PRIVATE KEY', hidden)],
  ['in an EC key that was encrypted in the old way', inOldWay('EC PRIVATE KEY', hidden)],
  [
    'in an encrypted key that was encrypted in the old way',
    inOldWay('ENCRYPTED PRIVATE KEY', hidden),
  ],
])('an encrypted key %s is not opened', (_, client_key) => {
  const settings = {
    ...blank,
    client_certificate: certificate.toString(),
    client_key,
    passphrase: 'secret',
  }
  const { user } = process.cpuUsage()
  expect(checkTls(settings, new Date()).ok).toBe(false)
  expect(secureContextOf(settings)).toBeInstanceOf(Error)
  expect(process.cpuUsage().user - user).toBeLessThan(1_000_000)
})

describe('an RSA key', () => {
  const words = 'An RSA key may have 8192 bits and two factors at most.'
  it.each([
    ['a modulus of 16,384 bits', rsaKey({ modulus: 2_048, factor: 1_024 }), words],
    ['a factor as long as its modulus', rsaKey({ modulus: 256, factor: 256 }), words],
    ['an exponent that is longer', rsaKey({ modulus: 256, factor: 128, exponent: 6_000 }), words],
  ])('with %s signs nothing', async (_, private_key, message) => {
    const credential = {
      client_authentication: 'private_key_jwt',
      client_id: 'a',
      scope: '',
      algorithm: 'RS256',
    }
    const given = { ...credential, key_id: '', token_url: 'https://a.example', private_key }
    expect(await signingKeyProblem(given as OAuthCredential, new Date())).toBe(message)
  })

  it('of 2,048 bits is taken', () => {
    expect(isSlowKey(createPrivateKey(read('self-signed-rsa.pem')))).toBe(false)
  })
})

it('the parts of a file share the work', () => {
  const half = algorithms.pbkdf2(workMax.pbkdf2Rounds / 2)
  const rest = [algorithms.pkcs12(workMax.pkcs12Rounds / 2), half]
  expect(() => openPfxFile(pfx(...[half, ...rest].map((each) => lockedSafe(each))), 'x')).toThrow(
    'locked',
  )
  const parts = Array.from({ length: 100 }, () => encryptedSafe('secret'))
  const key = plainSafe(keyBag(encryptedKey(algorithms.pbkdf2(workMax.pbkdf2Rounds - 999))))
  expect(() => openPfxFile(pfx(...parts, key), 'secret')).toThrow('work')
})
