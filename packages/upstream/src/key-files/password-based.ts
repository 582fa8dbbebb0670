import { createDecipheriv, hash, pbkdf2Sync, scryptSync } from 'node:crypto'
import { fieldsOf, integerOf, octetsOf, oidOf, tags, type Element } from './ber.ts'
import { KeyFileProblem } from './key-file-problem.ts'
import { workMax, type WorkBound } from './work-bound.ts'

export interface Unlocking {
  passphrase: string
  /** Shared by all parts of a file. */
  work: WorkBound
}

interface Cipher {
  name: string
  keyBytes: number
}

const ciphers: Readonly<Record<string, Cipher>> = {
  '2.16.840.1.101.3.4.1.2': { name: 'aes-128-cbc', keyBytes: 16 },
  '2.16.840.1.101.3.4.1.22': { name: 'aes-192-cbc', keyBytes: 24 },
  '2.16.840.1.101.3.4.1.42': { name: 'aes-256-cbc', keyBytes: 32 },
  '1.2.840.113549.3.7': { name: 'des-ede3-cbc', keyBytes: 24 },
}

const digests: Readonly<Record<string, string>> = {
  '1.2.840.113549.2.7': 'sha1',
  '1.2.840.113549.2.8': 'sha224',
  '1.2.840.113549.2.9': 'sha256',
  '1.2.840.113549.2.10': 'sha384',
  '1.2.840.113549.2.11': 'sha512',
}

const pbes2 = '1.2.840.113549.1.5.13'
const pbkdf2 = '1.2.840.113549.1.5.12'
const scrypt = '1.3.6.1.4.1.11591.4.11'
/** With SHA-1 and triple DES, of three keys and of two. */
const pkcs12Ciphers: Readonly<Record<string, number>> = {
  '1.2.840.113549.1.12.1.3': 24,
  '1.2.840.113549.1.12.1.4': 16,
}

/**
 * Decrypts what `algorithm` says was encrypted with a passphrase (PBES2 of RFC 8018, or PKCS#12's own way), and gives
 * what `read` makes of it. `read` has to throw on bytes that were decrypted with a wrong passphrase. Throws a
 * `KeyFileProblem`; one of the kind `work` before any of the work is done.
 */
export function decrypt<T>(
  { algorithm, data }: { algorithm: Element | undefined; data: Buffer },
  { passphrase, work }: Unlocking,
  read: (plain: Buffer) => T,
): T {
  const [oid, parameters] = fieldsOf(algorithm)
  const name = oidOf(oid)
  const keyBytes = pkcs12Ciphers[name]
  if (name !== pbes2 && keyBytes === undefined) throw new KeyFileProblem('unsupported')
  if (keyBytes === undefined) {
    const { cipher, key, iv } = ofPbes2(parameters, passphrase, work)
    return attempt(() => read(deciphered(cipher, { key, iv, data })))
  }
  // Some write no passphrase as a blank one, some as none.
  const secrets = passphrase === '' ? [Buffer.alloc(2), Buffer.alloc(0)] : [inUtf16(passphrase)]
  let problem: unknown
  for (const secret of secrets) {
    const { key, iv } = ofPkcs12(parameters, { secret, keyBytes, work })
    try {
      return attempt(() => read(deciphered('des-ede3-cbc', { key, iv, data })))
    } catch (error) {
      if (!(error instanceof KeyFileProblem) || error.fault !== 'locked') throw error
      problem = error
    }
  }
  throw problem
}

/** Bytes of a wrong passphrase look like anything, so that no error says what they are. */
function attempt<T>(work: () => T): T {
  try {
    return work()
  } catch (cause) {
    const isLocked = !(cause instanceof KeyFileProblem) || cause.fault === 'unreadable'
    throw isLocked ? new KeyFileProblem('locked', cause) : cause
  }
}

function deciphered(name: string, { key, iv, data }: Record<'key' | 'iv' | 'data', Buffer>) {
  const decipher = createDecipheriv(name, key, iv)
  return Buffer.concat([decipher.update(data), decipher.final()])
}

function ofPbes2(parameters: Element | undefined, passphrase: string, work: WorkBound) {
  const [derivation, encryption] = fieldsOf(parameters)
  const [cipherOid, iv] = fieldsOf(encryption)
  const [derivationOid, values] = fieldsOf(derivation)
  const cipher = ciphers[oidOf(cipherOid)]
  const derive = { [pbkdf2]: byPbkdf2, [scrypt]: byScrypt }[oidOf(derivationOid)]
  if (!cipher || !derive) throw new KeyFileProblem('unsupported')
  const key = derive(fieldsOf(values), { passphrase, keyBytes: cipher.keyBytes, work })
  return { cipher: cipher.name, key, iv: octetsOf(iv) }
}

type Deriving = Unlocking & { keyBytes: number }

function byPbkdf2([salt, count, ...options]: Element[], { passphrase, keyBytes, work }: Deriving) {
  const [length, given] = options[0]?.tag === tags.integer ? options : [undefined, options[0]]
  const digest = digests[given === undefined ? '1.2.840.113549.2.7' : oidOf(fieldsOf(given)[0])]
  if (!digest) throw new KeyFileProblem('unsupported')
  checkLength(length, keyBytes)
  const rounds = integerOf(count)
  if (rounds === 0) throw new KeyFileProblem('unreadable')
  work.spend('pbkdf2Rounds', rounds)
  return pbkdf2Sync(passphrase, octetsOf(salt), rounds, keyBytes, digest)
}

function byScrypt([salt, n, r, p, length]: Element[], { passphrase, keyBytes, work }: Deriving) {
  const [cost, blockSize, parallelization] = [integerOf(n), integerOf(r), integerOf(p)]
  checkLength(length, keyBytes)
  work.spend('scryptBytes', 128 * cost * blockSize * parallelization)
  const maxmem = 2 * workMax.scryptBytes
  try {
    return scryptSync(passphrase, octetsOf(salt), keyBytes, {
      cost,
      blockSize,
      parallelization,
      maxmem,
    })
  } catch (cause) {
    throw new KeyFileProblem('unreadable', cause)
  }
}

function checkLength(length: Element | undefined, keyBytes: number): void {
  if (length !== undefined && integerOf(length) !== keyBytes)
    throw new KeyFileProblem('unsupported')
}

interface Pkcs12Deriving {
  secret: Buffer
  keyBytes: number
  work: WorkBound
}

function ofPkcs12(parameters: Element | undefined, { secret, keyBytes, work }: Pkcs12Deriving) {
  const [salt, count] = fieldsOf(parameters)
  const rounds = integerOf(count)
  if (rounds === 0) throw new KeyFileProblem('unreadable')
  work.spend('pkcs12Rounds', rounds)
  const of = { secret, salt: octetsOf(salt), rounds }
  const half = derivePkcs12(1, keyBytes, of)
  const key = keyBytes === 16 ? Buffer.concat([half, half.subarray(0, 8)]) : half
  return { key, iv: derivePkcs12(2, 8, of) }
}

/** Two bytes a character, and two zeros behind them (RFC 7292 appendix B.1). */
const inUtf16 = (text: string) => Buffer.from(`${text}\0`, 'utf16le').swap16()

/** RFC 7292 appendix B.2, with SHA-1. `purpose`: 1 for a key, 2 for an initialization vector. */
function derivePkcs12(
  purpose: number,
  bytes: number,
  { secret, salt, rounds }: { secret: Buffer; salt: Buffer; rounds: number },
): Buffer {
  const blocks = [filled(salt), filled(secret)].flatMap(inBlocks)
  const found: Buffer[] = []
  while (found.length * 20 < bytes) {
    let digest = Buffer.concat([Buffer.alloc(64, purpose), ...blocks])
    for (let round = 0; round < rounds; round++) digest = hash('sha1', digest, 'buffer')
    found.push(digest)
    const added = BigInt(`0x${filled(digest).subarray(0, 64).toString('hex')}`) + 1n
    for (const block of blocks) {
      const sum = (BigInt(`0x${block.toString('hex')}`) + added) & (2n ** 512n - 1n)
      block.write(sum.toString(16).padStart(128, '0'), 'hex')
    }
  }
  return Buffer.concat(found).subarray(0, bytes)
}

/** Repeated to whole blocks of 64 bytes. */
const filled = (bytes: Buffer) =>
  bytes.length === 0 ? bytes : Buffer.alloc(Math.ceil(bytes.length / 64) * 64, bytes)

const inBlocks = (bytes: Buffer) =>
  Array.from({ length: bytes.length / 64 }, (_, index) =>
    bytes.subarray(index * 64, (index + 1) * 64),
  )
