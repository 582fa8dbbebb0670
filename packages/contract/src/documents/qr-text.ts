/** Bytes that the largest QR code (version 40) holds at the lowest level of error correction. */
export const qrMaxBytes = 2953

/** The side of a QR code where none is given, in pixels. */
export const qrSideDefault = 300

/** More than this is never a document around a QR text, and not worth parsing. */
const documentMaxLength = 256 * 1024

/** What goes into a QR code. */
export interface QrText {
  text: string
  /** The field of the document that it was taken from, if it was. */
  field: string | undefined
}

/**
 * The text of the QR code that an input asks for: the input itself, since scanners expect a tax
 * QR's Base64 and not what it decodes to. If it is a JSON object with exactly one field that is
 * named like qr (`EINV_QR`, `qrCode`) and holds a text, it is that text. Outer white space does not
 * count.
 */
export function qrTextOf(input: string): QrText {
  const whole = { text: input.trim(), field: undefined }
  const document = whole.text.startsWith('{') ? parseDocument(whole.text) : undefined
  const named = Object.entries(document ?? {}).filter(([name]) => /qr/i.test(name))
  const [field, value] = named[0] ?? []
  if (named.length !== 1 || typeof value !== 'string') return whole
  return { text: value.trim(), field }
}

function parseDocument(text: string): object | undefined {
  if (text.length > documentMaxLength) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
