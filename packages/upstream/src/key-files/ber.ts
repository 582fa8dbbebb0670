import { KeyFileProblem } from './key-file-problem.ts'

/** A value of BER (X.690): one with an end that was looked for, or a DER one. */
export interface Element {
  tag: number
  content: Buffer
  /** With tag and length. */
  whole: Buffer
}

export const tags = {
  integer: 0x02,
  octets: 0x04,
  oid: 0x06,
  sequence: 0x30,
  /** What a field of that number holds, with its own tag inside. */
  field0: 0xa0,
} as const

const constructed = 0x20
/** Values without a length are looked through for their end. Files of keys nest by about ten. */
const depthMax = 32

const unreadable = () => new KeyFileProblem('unreadable')

/** The values that follow each other in `bytes`. Throws `unreadable` where bytes are left over. */
export function elementsOf(bytes: Buffer): Element[] {
  const found: Element[] = []
  for (let at = 0; at < bytes.length; at += found.at(-1)!.whole.length)
    found.push(readElement(bytes, at, depthMax))
  return found
}

/** The only value in `bytes`, which has to be a `tag`. */
export function onlyElement(bytes: Buffer, tag: number): Element {
  const [element, ...more] = elementsOf(bytes)
  if (more.length > 0) throw unreadable()
  return expectTag(element, tag)
}

/** What a sequence holds. */
export const fieldsOf = (element: Element | undefined): Element[] =>
  elementsOf(expectTag(element, tags.sequence).content)

export function expectTag(element: Element | undefined, tag: number): Element {
  if (element?.tag !== tag) throw unreadable()
  return element
}

/** The bytes of an octet string, which BER may part. `tag` is that of a whole one. */
export function octetsOf(element: Element | undefined, tag: number = tags.octets): Buffer {
  if (element?.tag !== (tag | constructed)) return expectTag(element, tag).content
  return Buffer.concat(
    elementsOf(element.content).map((part) => expectTag(part, tags.octets).content),
  )
}

/** A number that is not negative; infinite beyond what JavaScript counts exactly. */
export function integerOf(element: Element | undefined): number {
  const { content } = expectTag(element, tags.integer)
  if (content.length === 0 || content[0]! > 0x7f) throw unreadable()
  const digits = content.subarray(content.findIndex((byte) => byte !== 0))
  if (digits.length > 6) return Infinity
  return content.some((byte) => byte !== 0) ? digits.readUIntBE(0, digits.length) : 0
}

/** An object identifier in digits and dots. */
export function oidOf(element: Element | undefined): string {
  const numbers: number[] = []
  let next = 0
  for (const byte of expectTag(element, tags.oid).content) {
    next = next * 128 + (byte & 0x7f)
    if (next > Number.MAX_SAFE_INTEGER) throw unreadable()
    if (byte & 0x80) continue
    numbers.push(next)
    next = 0
  }
  const [first = 0, ...rest] = numbers
  const root = Math.min(Math.floor(first / 40), 2)
  return [root, first - root * 40, ...rest].join('.')
}

/** Writes a value in DER. */
export function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  if (content.length < 0x80) return Buffer.concat([Buffer.of(tag, content.length), content])
  const digits = Buffer.alloc(4)
  digits.writeUInt32BE(content.length)
  const length = digits.subarray(digits.findIndex((byte) => byte !== 0))
  return Buffer.concat([Buffer.of(tag, 0x80 | length.length), length, content])
}

function readElement(bytes: Buffer, at: number, depth: number): Element {
  const tag = bytes[at]
  const first = bytes[at + 1]
  // Tags of more than one byte are in no file of keys.
  if (tag === undefined || first === undefined || (tag & 0x1f) === 0x1f) throw unreadable()
  if (first === 0x80) return readUntilEnd(bytes, at, depth)
  const digits = first < 0x80 ? 0 : first & 0x7f
  const start = at + 2 + digits
  if (digits > 4 || start > bytes.length) throw unreadable()
  const end = start + (digits === 0 ? first : bytes.readUIntBE(at + 2, digits))
  if (end > bytes.length) throw unreadable()
  return { tag, content: bytes.subarray(start, end), whole: bytes.subarray(at, end) }
}

/** A value without a length ends with two zeros after its parts. */
function readUntilEnd(bytes: Buffer, at: number, depth: number): Element {
  const tag = bytes[at]!
  if (depth === 0 || !(tag & constructed)) throw unreadable()
  const start = at + 2
  let end = start
  while (bytes[end] !== 0 || bytes[end + 1] !== 0)
    end += readElement(bytes, end, depth - 1).whole.length
  return { tag, content: bytes.subarray(start, end), whole: bytes.subarray(at, end + 2) }
}
