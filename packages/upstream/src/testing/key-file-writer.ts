import { createCipheriv, hash, pbkdf2Sync, randomBytes } from 'node:crypto'
import { der, elementsOf, tags } from '../key-files/ber.ts'

const sequence = (...parts: Buffer[]) => der(tags.sequence, ...parts)
const octets = (bytes: Buffer) => der(tags.octets, bytes)
const field0 = (bytes: Buffer) => der(tags.field0, bytes)
const oid = (hex: string) => der(tags.oid, Buffer.from(hex, 'hex'))
const oids = {
  pbes2: oid('2a864886f70d01050d'),
  pbkdf2: oid('2a864886f70d01050c'),
  scrypt: oid('2b06010401da47040b'),
  hmacSha256: oid('2a864886f70d0209'),
  aes256: oid('60864801650304012a'),
  pkcs12: oid('2a864886f70d010c0103'),
  data: oid('2a864886f70d010701'),
  encrypted: oid('2a864886f70d010706'),
  encryptedKey: oid('2a864886f70d010c0a0102'),
  nested: oid('2a864886f70d010c0a0106'),
}

function integer(value: number): Buffer {
  const bytes = Buffer.alloc(7)
  bytes.writeUIntBE(value, 1, 6)
  const first = bytes.findIndex((byte, at) => byte !== 0 || at === 6)
  return der(tags.integer, bytes.subarray(bytes[first]! > 0x7f ? first - 1 : first))
}

const salt = Buffer.alloc(8, 1)
const iv = Buffer.alloc(16, 2)
const ofPbes2 = (derivation: Buffer) =>
  sequence(oids.pbes2, sequence(derivation, sequence(oids.aes256, octets(iv))))

/** How something is encrypted, as a file says it. */
export const algorithms = {
  pbkdf2: (rounds: number) =>
    ofPbes2(
      sequence(
        oids.pbkdf2,
        sequence(octets(salt), integer(rounds), sequence(oids.hmacSha256, Buffer.of(5, 0))),
      ),
    ),
  scrypt: (n: number, r: number, p: number) =>
    ofPbes2(sequence(oids.scrypt, sequence(octets(salt), integer(n), integer(r), integer(p)))),
  pkcs12: (rounds: number) => sequence(oids.pkcs12, sequence(octets(salt), integer(rounds))),
}

/** A key that says to be encrypted like this; nobody has done that work. */
export const encryptedKey = (algorithm: Buffer) => sequence(algorithm, octets(randomBytes(64)))

export const pem = (label: string, bytes: Buffer) =>
  `-----BEGIN ${label}-----\n${bytes.toString('base64')}\n-----END ${label}-----\n`

/** A PEM block that is encrypted with the passphrase "secret", in one round of MD5, as its headers say. */
export function inOldWay(label: string, bytes: Buffer): string {
  const secret = Buffer.concat([Buffer.from('secret'), iv.subarray(0, 8)])
  const first = hash('md5', secret, 'buffer')
  const key = Buffer.concat([first, hash('md5', Buffer.concat([first, secret]), 'buffer')])
  const cipher = createCipheriv('aes-256-cbc', key, iv)
  const text = Buffer.concat([cipher.update(bytes), cipher.final()]).toString('base64')
  const headers = `Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,${iv.toString('hex')}`
  const lines = (text.match(/.{1,64}/g) ?? []).join('\n')
  return `-----BEGIN ${label}-----\n${headers}\n\n${lines}\n-----END ${label}-----\n`
}

/** An RSA key in PEM, of any numbers of so many bytes. */
export function rsaKey(bytes: { modulus: number; factor: number; exponent?: number }): string {
  const odd = (length: number) => der(tags.integer, Buffer.alloc(length, 0x55))
  const { modulus, factor, exponent = modulus } = bytes
  const ofFactors = Array.from({ length: 5 }, () => odd(factor))
  const numbers = [integer(0), odd(modulus), integer(65_537), odd(exponent), ...ofFactors]
  return pem('RSA PRIVATE KEY', sequence(...numbers))
}

export const keyBag = (key: Buffer) => sequence(oids.encryptedKey, field0(key))
export const nestedBag = (...bags: Buffer[]) => sequence(oids.nested, field0(sequence(...bags)))
export const plainSafe = (...bags: Buffer[]) =>
  sequence(oids.data, field0(octets(sequence(...bags))))

/** A part of a PFX file that says to be encrypted like this. */
export const lockedSafe = (algorithm: Buffer, data: Buffer = randomBytes(64)) =>
  sequence(
    oids.encrypted,
    field0(sequence(integer(0), sequence(oids.data, algorithm, der(0x80, data)))),
  )

/** A part of a PFX file that is encrypted with `passphrase`, in a few rounds. */
export function encryptedSafe(passphrase: string, ...bags: Buffer[]): Buffer {
  const rounds = 10
  const cipher = createCipheriv(
    'aes-256-cbc',
    pbkdf2Sync(passphrase, salt, rounds, 32, 'sha256'),
    iv,
  )
  const data = Buffer.concat([cipher.update(sequence(...bags)), cipher.final()])
  return lockedSafe(algorithms.pbkdf2(rounds), data)
}

export const pfx = (...safes: Buffer[]) => sequence(integer(3), plainSafe(...safes))

/** The same with lengths that are not known before, and with octet strings in parts, as BER allows. */
export function inBer(bytes: Buffer): Buffer {
  const end = Buffer.alloc(2)
  const written = elementsOf(bytes).map(({ tag, content, whole }) => {
    if (tag === tags.octets) {
      const half = content.length >> 1
      const parts = [octets(content.subarray(0, half)), octets(content.subarray(half))]
      return Buffer.concat([Buffer.of(tag | 0x20, 0x80), ...parts, end])
    }
    return tag & 0x20 ? Buffer.concat([Buffer.of(tag, 0x80), inBer(content), end]) : whole
  })
  return Buffer.concat(written)
}
