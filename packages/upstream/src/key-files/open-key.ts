import { createPrivateKey, type KeyObject } from 'node:crypto'
import { fieldsOf, integerOf, octetsOf, onlyElement, tags } from './ber.ts'
import { KeyFileProblem } from './key-file-problem.ts'
import { decrypt, type Unlocking } from './password-based.ts'
import { WorkBound } from './work-bound.ts'

const anyBegin = /-----BEGIN ([A-Z ]*)PRIVATE KEY-----/

/** True where a PEM text has an encrypted key, of PKCS#8 or of OpenSSL's old way. */
export const isEncrypted = (pem: string) => pem.includes('ENCRYPTED')

/**
 * The private key of a PEM text. One that asks for more work than `WorkBound` allows is refused before that work is
 * done. Throws a `KeyFileProblem`.
 *
 * OpenSSL has no such bound. It also decrypts what calls itself a plain key, and asks for no passphrase where a TLS
 * context is made of it. So it gets a passphrase here only for what can't be PKCS#8, and a TLS context gets only
 * what was exported from a key that is open.
 */
export function openKey(pem: string, passphrase: string): KeyObject {
  if (!isEncrypted(pem)) return load(() => createPrivateKey(pem))
  const { block, label, body } = firstBlock(pem)
  if (label === 'RSA ' || label === 'EC ') return openOldKey(block, passphrase)
  if (label !== 'ENCRYPTED ') return load(() => createPrivateKey(block))
  const bytes = Buffer.from(body, 'base64')
  return loadKey(openEncryptedKey(bytes, { passphrase, work: new WorkBound() }))
}

function firstBlock(pem: string) {
  const [begin = '', label = ''] = anyBegin.exec(pem) ?? []
  const index = pem.indexOf(begin)
  const end = `-----END ${label}PRIVATE KEY-----`
  const block = pem.slice(index, pem.indexOf(end, index) + end.length)
  const body = block.slice(begin.length, -end.length)
  // OpenSSL would look for another block in this one.
  if (begin === '' || !block.endsWith(end) || body.includes('-----'))
    throw new KeyFileProblem('unreadable')
  return { block, label, body }
}

/** A key as PEM text without encryption. */
export const toPem = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' })

/** Loads a `PrivateKeyInfo` in DER. */
export const loadKey = (der: Buffer): KeyObject =>
  load(() => createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }))

function load(work: () => KeyObject): KeyObject {
  try {
    return work()
  } catch (cause) {
    throw new KeyFileProblem('unreadable', cause)
  }
}

/** `EncryptedPrivateKeyInfo` (RFC 5958 §3) as `PrivateKeyInfo`. */
export function openEncryptedKey(bytes: Buffer, unlocking: Unlocking): Buffer {
  const [algorithm, data] = fieldsOf(onlyElement(bytes, tags.sequence))
  return decrypt({ algorithm, data: octetsOf(data) }, unlocking, (plain) => {
    const [version] = fieldsOf(onlyElement(plain, tags.sequence))
    if (integerOf(version) > 1) throw new KeyFileProblem('unreadable')
    return plain
  })
}

/** Headers in the PEM text say how it is encrypted: with one round, always (EVP_BytesToKey). */
function openOldKey(key: string, passphrase: string): KeyObject {
  try {
    return createPrivateKey({ key, passphrase })
  } catch (cause) {
    throw new KeyFileProblem(/^Proc-Type:/m.test(key) ? 'locked' : 'unreadable', cause)
  }
}
