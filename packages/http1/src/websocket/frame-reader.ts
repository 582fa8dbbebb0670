import { isUtf8 } from 'node:buffer'

/** Codes with which a WebSocket is closed (RFC 6455 §7.4.1) for what was sent on it. */
type FrameFault = 1002 | 1007 | 1009

interface FrameRules {
  /** The sender is the client: its frames are masked, those of a server are not (RFC 6455 §5.1). */
  isMasked: boolean
  /** Of a message, over all of its frames, as it comes over the wire. */
  maxMessageBytes: number
}

const none = Buffer.alloc(0)
const continuation = 0
const binary = 2
const close = 8
const pong = 10
const controlBytesMax = 125

/** What stands at the beginning of a frame. */
interface FrameHead {
  opcode: number
  isFinal: boolean
  length: number
  /** Whether it is written in as few bytes as it can be, and is below 2⁶³ (RFC 6455 §5.2). */
  isLengthValid: boolean
  /** Of head and mask. */
  headLength: number
  isMasked: boolean
}

/**
 * Reads the heads of the frames that one side sends, wherever they are split, and says what of the bytes may
 * be passed on: whole heads alone, so that a frame can follow wherever it is `isBetween`. Payloads are not
 * looked at, but for the code of a close frame. Nothing passes behind a close frame or a fault.
 */
export class FrameReader {
  /** Why nothing passes any more; null: all was well. */
  fault: FrameFault | null = null
  /** The code of the close frame that has passed, 1005 where it has none (RFC 6455 §7.1.5); null: none has. */
  closeCode: number | null = null
  readonly #rules: FrameRules
  /** The beginning of a frame whose head is not whole, or of a close frame. */
  #held: Buffer = none
  /** Of the payload of this frame. */
  #left = 0
  /** Of the frames of this message so far; -1: none has begun. */
  #messageBytes = -1
  #isStopped = false

  constructor(rules: FrameRules) {
    this.#rules = rules
  }

  /** No frame is under way of which a part has passed. */
  get isBetween(): boolean {
    return this.#left === 0
  }

  /** Nothing passes any more. */
  get isOver(): boolean {
    return this.#left === 0 && (this.#isStopped || this.closeCode !== null || this.fault !== null)
  }

  /** What passes from now on is the rest of the frame that is under way, if one is. */
  stop(): void {
    this.#isStopped = true
  }

  /** The part of the bytes, with what was held of those before, that may be passed on now. */
  read(given: Buffer): Buffer {
    const bytes = this.#held.length === 0 ? given : Buffer.concat([this.#held, given])
    this.#held = none
    let at = 0
    while (at < bytes.length && !this.isOver) {
      if (this.#left > 0) {
        const part = Math.min(this.#left, bytes.length - at)
        this.#left -= part
        at += part
        continue
      }
      const head = readHead(bytes, at)
      if (head !== null) this.fault = this.#faultOf(head)
      if (this.fault !== null) break
      if (head === null || this.#isCut(head, bytes.length - at)) {
        this.#held = Buffer.from(bytes.subarray(at))
        break
      }
      if (head.opcode === close) this.#readClose(head, bytes, at)
      if (this.fault !== null) break
      this.#begin(head)
      at += head.headLength
    }
    return at === bytes.length ? bytes : bytes.subarray(0, at)
  }

  /** A close frame passes whole: its code is read first. */
  #isCut({ opcode, headLength, length }: FrameHead, here: number): boolean {
    return opcode === close && here < headLength + length
  }

  /** A close frame that is all here. */
  #readClose(head: FrameHead, bytes: Buffer, at: number): void {
    const body = closeBody(head, bytes, at)
    if (body.length === 0) this.closeCode = noCode
    else if (body.length === 1 || !maySayCode(body.readUInt16BE(0))) this.fault = 1002
    else if (!isUtf8(body.subarray(2))) this.fault = 1007
    else this.closeCode = body.readUInt16BE(0)
  }

  #begin(head: FrameHead): void {
    const { opcode, isFinal, length } = head
    this.#left = length
    if (opcode >= close) return
    const before = opcode === continuation ? this.#messageBytes : 0
    this.#messageBytes = isFinal ? -1 : before + length
  }

  #faultOf(head: FrameHead): FrameFault | null {
    const { opcode, isFinal, length, isMasked, isLengthValid } = head
    if (isMasked !== this.#rules.isMasked || !isLengthValid) return 1002
    if (opcode >= close) return opcode > pong || !isFinal || length > controlBytesMax ? 1002 : null
    const isWithin = this.#messageBytes !== -1
    if (opcode > binary || isWithin !== (opcode === continuation)) return 1002
    const total = isWithin ? this.#messageBytes + length : length
    return total > this.#rules.maxMessageBytes ? 1009 : null
  }
}

/** RFC 6455 §5.2; null: not all of it is here. */
function readHead(bytes: Buffer, at: number): FrameHead | null {
  const here = bytes.length - at
  if (here < 2) return null
  const first = bytes[at] ?? 0
  const second = bytes[at + 1] ?? 0
  const isMasked = (second & 0x80) !== 0
  const short = second & 0x7f
  const lengthBytes = short === 127 ? 8 : short === 126 ? 2 : 0
  const headLength = 2 + lengthBytes + (isMasked ? 4 : 0)
  if (here < headLength) return null
  let length = short
  if (short === 126) length = bytes.readUInt16BE(at + 2)
  else if (short === 127) length = bytes.readUInt32BE(at + 2) * 2 ** 32 + bytes.readUInt32BE(at + 6)
  const isLengthValid =
    short < 126 || (short === 126 ? length > 125 : length > 65_535 && length < 2 ** 63)
  const isFinal = (first & 0x80) !== 0
  return { opcode: first & 0x0f, isFinal, length, isLengthValid, headLength, isMasked }
}

/** Of a close frame without a body (RFC 6455 §7.1.5). */
const noCode = 1005
/** Between those that a close frame may hold, these are not for the wire (RFC 6455 §7.4.1). */
const unsaid: ReadonlySet<number> = new Set([1004, 1005, 1006])

/** Those of RFC 6455 and its registry up to 1014, those of libraries (3xxx), and those of applications (4xxx). */
const maySayCode = (code: number) =>
  (code >= 1000 && code <= 1014 && !unsaid.has(code)) || (code >= 3000 && code <= 4999)

function closeBody({ length, headLength, isMasked }: FrameHead, bytes: Buffer, at: number): Buffer {
  const begin = at + headLength
  const body = bytes.subarray(begin, begin + length)
  if (!isMasked) return body
  const mask = bytes.subarray(begin - 4, begin)
  return Buffer.from(body.map((byte, index) => byte ^ (mask[index % 4] ?? 0)))
}
