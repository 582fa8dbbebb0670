import { qrMaxBytes } from './qr-text.ts'

/** One field of a tax QR: a tag, the length in bytes, and that many bytes. */
export interface TaxQrField {
  tag: number
  /** What the tag means; a dash for one that the rules don't name. */
  name: string
  length: number
  /** Text where the bytes are one, otherwise hexadecimal digits. */
  value: string
  isText: boolean
}

interface TaxQr {
  fields: TaxQrField[]
  /** What is wrong with it, where something is: a scanner may refuse it. */
  problem: string | undefined
}

// ZATCA, "E-invoicing detailed technical guidelines": the QR code's fields in their order.
const names = [
  "Seller's name",
  'VAT registration number',
  'Time stamp',
  'Total with VAT',
  'VAT total',
  'Hash of the XML invoice',
  'Signature',
  'Public key',
  "Certificate's signature",
]
const requiredTags = [1, 2, 3, 4, 5]

/**
 * Reads the Base64 of tag-length-value fields that a tax QR consists of. Undefined for any
 * other text: not Base64, or not beginning with a field 1.
 */
export function readTaxQr(text: string): TaxQr | undefined {
  const bytes = decodeBase64(text)
  if (bytes?.[0] !== 1) return undefined
  const fields: TaxQrField[] = []
  let at = 0
  while (at < bytes.length) {
    const tag = bytes[at] ?? 0
    const length = bytes[at + 1] ?? Infinity
    const value = bytes.subarray(at + 2, at + 2 + length)
    if (value.length < length) {
      return fields.length === 0
        ? undefined
        : { fields, problem: `It ends in the middle of field ${tag}.` }
    }
    fields.push({ tag, name: names[tag - 1] ?? '–', length, ...readValue(value) })
    at += 2 + length
  }
  return { fields, problem: problemOf(fields) }
}

function problemOf(fields: TaxQrField[]): string | undefined {
  const tags = fields.map(({ tag }) => tag)
  const missing = requiredTags.filter((tag) => !tags.includes(tag))
  if (missing.length > 0) return `Missing: ${missing.map((tag) => names[tag - 1]).join(', ')}.`
  const repeated = tags.find((tag, at) => tags.indexOf(tag) !== at)
  return repeated === undefined ? undefined : `Field ${repeated} stands in it twice.`
}

function decodeBase64(text: string): Uint8Array | undefined {
  if (text.length > qrMaxBytes) return undefined
  // `atob` would skip white space, which a scanner does not.
  if (text.length % 4 !== 0 || /[^A-Za-z0-9+/=]/.test(text)) return undefined
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
  } catch {
    return undefined
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function readValue(bytes: Uint8Array): { value: string; isText: boolean } {
  try {
    const value = utf8.decode(bytes)
    if (!/\p{Cc}/u.test(value)) return { value, isText: true }
  } catch {
    // Not UTF-8: a key or a signature.
  }
  const digits = [...bytes].map((byte) => byte.toString(16).padStart(2, '0'))
  return { value: digits.join(''), isText: false }
}
