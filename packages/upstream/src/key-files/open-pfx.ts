import { type KeyObject, X509Certificate } from 'node:crypto'
import { der, elementsOf, expectTag, fieldsOf, octetsOf, oidOf, onlyElement, tags } from './ber.ts'
import type { Element } from './ber.ts'
import { KeyFileProblem } from './key-file-problem.ts'
import { loadKey, openEncryptedKey } from './open-key.ts'
import type { Unlocking } from './password-based.ts'
import { decrypt } from './password-based.ts'
import { WorkBound } from './work-bound.ts'

const contents = { data: '1.2.840.113549.1.7.1', encrypted: '1.2.840.113549.1.7.6' } as const
const bags = {
  key: '1.2.840.113549.1.12.10.1.1',
  encryptedKey: '1.2.840.113549.1.12.10.1.2',
  certificate: '1.2.840.113549.1.12.10.1.3',
  nested: '1.2.840.113549.1.12.10.1.6',
} as const
const x509 = '1.2.840.113549.1.9.22.1'
const nestedMax = 8

interface OpenedPfx {
  key: KeyObject
  /** The first that belongs to the key. */
  certificate: X509Certificate
  /** The same file without encryption: it asks for no work. */
  plain: Buffer
}

/**
 * Opens a PFX file (PKCS#12, RFC 7292): its first key, and its certificates. A file that asks for more work than
 * `WorkBound` allows is refused before that work is done, however deep it is nested. The check sum of the file is
 * not verified: that would take work too, and who could change the file could make another. Throws a `KeyFileProblem`.
 */
export function openPfxFile(file: Buffer, passphrase: string): OpenedPfx {
  const found: Found = { key: undefined, certificates: [] }
  const unlocking = { passphrase, work: new WorkBound() }
  const [, authenticated] = fieldsOf(onlyElement(file, tags.sequence))
  for (const safe of fieldsOf(onlyElement(dataOf(authenticated), tags.sequence)))
    readSafe(safe, unlocking, found)
  const { key: keyBytes, certificates } = found
  if (!keyBytes) throw new KeyFileProblem('empty')
  const key = loadKey(keyBytes)
  const certificate = certificates.map(certificateOf).find((each) => each.checkPrivateKey(key))
  if (!certificate) throw new KeyFileProblem('empty')
  return { key, certificate, plain: plainPfx(key, certificates) }
}

/** In DER. */
interface Found {
  key: Buffer | undefined
  certificates: Buffer[]
}

function certificateOf(bytes: Buffer): X509Certificate {
  try {
    return new X509Certificate(bytes)
  } catch (cause) {
    throw new KeyFileProblem('unreadable', cause)
  }
}

/** What a `ContentInfo` holds, with its kind (RFC 5652 §3). */
function contentOf(info: Element | undefined): { kind: string; content: Buffer } {
  const [kind, content] = fieldsOf(info)
  return { kind: oidOf(kind), content: expectTag(content, tags.field0).content }
}

function dataOf(info: Element | undefined): Buffer {
  const { kind, content } = contentOf(info)
  // A file that is signed instead of having a check sum.
  if (kind !== contents.data) throw new KeyFileProblem('unsupported')
  return octetsOf(elementsOf(content)[0])
}

function readSafe(safe: Element, unlocking: Unlocking, found: Found): void {
  const { kind, content } = contentOf(safe)
  if (kind !== contents.encrypted) {
    readBags(dataOf(safe), unlocking, found)
    return
  }
  const [, encrypted] = fieldsOf(elementsOf(content)[0])
  const [, algorithm, data] = fieldsOf(encrypted)
  decrypt({ algorithm, data: octetsOf(data, 0x80) }, unlocking, (plain) => {
    onlyElement(plain, tags.sequence)
    readBags(plain, unlocking, found)
  })
}

function readBags(safe: Buffer, unlocking: Unlocking, found: Found, depth = nestedMax): void {
  if (depth === 0) throw new KeyFileProblem('unreadable')
  for (const bag of fieldsOf(onlyElement(safe, tags.sequence))) {
    const { kind, content } = contentOf(bag)
    if (kind === bags.nested) readBags(content, unlocking, found, depth - 1)
    if (kind === bags.key) found.key ??= content
    if (kind === bags.encryptedKey) found.key ??= openEncryptedKey(content, unlocking)
    if (kind === bags.certificate) found.certificates.push(...certificateIn(content))
  }
}

function certificateIn(bag: Buffer): Buffer[] {
  const { kind, content } = contentOf(elementsOf(bag)[0])
  return kind === x509 ? [octetsOf(elementsOf(content)[0])] : []
}

function plainPfx(key: KeyObject, certificates: readonly Buffer[]): Buffer {
  const keyBag = info(bags.key, key.export({ format: 'der', type: 'pkcs8' }))
  const certificateBags = certificates.map((each) =>
    info(bags.certificate, info(x509, der(tags.octets, each))),
  )
  const safe = data(der(tags.sequence, keyBag, ...certificateBags))
  const version = der(tags.integer, Buffer.of(3))
  return der(tags.sequence, version, data(der(tags.sequence, safe)))
}

const data = (bytes: Buffer) => info(contents.data, der(tags.octets, bytes))

const info = (oid: string, content: Buffer) =>
  der(tags.sequence, oidBytes(oid), der(tags.field0, content))

function oidBytes(oid: string): Buffer {
  const [first = 0, second = 0, ...rest] = oid.split('.').map(Number)
  const bytes = [first * 40 + second, ...rest].flatMap(inBase128)
  return der(tags.oid, Buffer.from(bytes))
}

function inBase128(value: number): number[] {
  const bytes = [value & 0x7f]
  for (let left = value >>> 7; left > 0; left >>>= 7) bytes.unshift((left & 0x7f) | 0x80)
  return bytes
}
