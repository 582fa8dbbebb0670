import { expect, it } from 'vitest'
import { closeFrame } from './close-frame.ts'
import { FrameReader } from './frame-reader.ts'

/** The same numbers in each run (mulberry32). */
function randoms(seed: number) {
  let state = seed
  return (below: number): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

function frame(first: number, length: number, isMasked: boolean): Buffer {
  const bit = isMasked ? 0x80 : 0
  const sized = length < 126 ? 2 : length < 65_536 ? 4 : 10
  const head = Buffer.alloc(sized)
  head[0] = first
  head[1] = bit | (sized === 2 ? length : sized === 4 ? 126 : 127)
  if (sized === 4) head.writeUInt16BE(length, 2)
  if (sized === 10) head.writeBigUInt64BE(BigInt(length), 2)
  const mask = isMasked ? Buffer.from([9, 8, 7, 6]) : Buffer.alloc(0)
  return Buffer.concat([head, mask, Buffer.alloc(length, 0x81)])
}

/** Some messages, whole or in frames with pings between them. */
function messages(random: (below: number) => number, isMasked: boolean): Buffer[] {
  const lengths = [0, 1, 125, 126, 300, 65_535, 65_536, 70_000]
  const parts: Buffer[] = []
  for (let count = 1 + random(5); count > 0; count--) {
    const frames = 1 + random(3)
    for (let at = 0; at < frames; at++) {
      const isFinal = at === frames - 1
      const opcode = at === 0 ? 1 + random(2) : 0
      const length = lengths[random(lengths.length)] ?? 0
      // A reserved bit is of an extension, which the two sides have agreed on.
      const rsv = at === 0 && random(2) === 1 ? 0x40 : 0
      parts.push(frame((isFinal ? 0x80 : 0) | rsv | opcode, length, isMasked))
      if (random(3) === 0) parts.push(frame(0x89, random(126), isMasked))
    }
  }
  return parts
}

/**
 * What passes of frames that come in parts. Half of them come in parts of up to 40,000 bytes; half in parts of up to 16
 * around the edges of each frame, and in one part for the middle of a body, where no byte differs from the next.
 */
function passed(reader: FrameReader, frames: Buffer[], random: (below: number) => number) {
  const bytes = Buffer.concat(frames)
  const edges = frames.map((_, at) => Buffer.concat(frames.slice(0, at + 1)).length)
  const isFine = random(2) === 0
  const most = 1 + random(isFine ? 16 : 40_000)
  const parts: Buffer[] = []
  for (let at = 0; at < bytes.length;) {
    const before = edges.findLast((edge) => edge <= at) ?? 0
    const left = (edges.find((edge) => edge > at) ?? bytes.length) - at
    const isMiddle = isFine && at - before > 16 && left > 32
    const length = isMiddle ? left - random(32) : 1 + random(most)
    parts.push(Buffer.from(reader.read(bytes.subarray(at, at + length))))
    at += length
  }
  return Buffer.concat(parts)
}

it.each([true, false])(
  'frames pass as they are, however they are split (masked: %s)',
  (isMasked) => {
    const random = randoms(18)
    for (let round = 0; round < 200; round++) {
      const frames = messages(random, isMasked)
      const reader = new FrameReader({ isMasked, maxMessageBytes: 2 ** 20 })
      expect(passed(reader, frames, random).equals(Buffer.concat(frames))).toBe(true)
      expect([reader.fault, reader.isBetween, reader.isOver]).toEqual([null, true, false])
    }
  },
)

it.each([true, false])(
  'a large message passes in parts of 1 to 16 bytes (masked: %s)',
  (isMasked) => {
    const random = randoms(7)
    const bytes = frame(0x82, 70_000, isMasked)
    const reader = new FrameReader({ isMasked, maxMessageBytes: 2 ** 20 })
    const parts: Buffer[] = []
    for (let at = 0; at < bytes.length;) {
      const length = 1 + random(16)
      parts.push(Buffer.from(reader.read(bytes.subarray(at, at + length))))
      at += length
    }
    expect(Buffer.concat(parts).equals(bytes)).toBe(true)
    expect([reader.fault, reader.isBetween]).toEqual([null, true])
  },
)

it('nothing passes behind a close frame, whose code is read, nor from a fault on', () => {
  const random = randoms(4)
  for (let round = 0; round < 100; round++) {
    const isMasked = round % 2 === 0
    const before = messages(random, isMasked)
    const end = closeFrame(4_321, 'a reason', isMasked)
    const closing = new FrameReader({ isMasked, maxMessageBytes: 2 ** 20 })
    const tail = messages(random, isMasked)
    const all = Buffer.concat([...before, end])
    expect(passed(closing, [...before, end, ...tail], random).equals(all)).toBe(true)
    expect([closing.closeCode, closing.isOver]).toEqual([4_321, true])

    const broken = new FrameReader({ isMasked, maxMessageBytes: 2 ** 20 })
    const wrong = [...before, frame(0x82, 5, !isMasked), ...tail]
    expect(passed(broken, wrong, random).equals(Buffer.concat(before))).toBe(true)
    expect([broken.fault, broken.isBetween]).toEqual([1002, true])
  }
})

it.each([
  ['126 for 125', [0x82, 126, 0, 125]],
  ['127 for 65,535', [0x82, 127, 0, 0, 0, 0, 0, 0, 0xff, 0xff]],
  ['126 in a ping', [0x89, 126, 0, 1]],
  ['2⁶³', [0x82, 127, 0x80, 0, 0, 0, 0, 0, 0, 0]],
])('a length that no sender may write, %s, is a fault', (_, bytes) => {
  const reader = new FrameReader({ isMasked: false, maxMessageBytes: 2 ** 20 })
  expect(reader.read(Buffer.from(bytes))).toHaveLength(0)
  expect(reader.fault).toBe(1002)
})

it('once it is stopped, the rest of the frame that is under way passes, and nothing behind it', () => {
  const reader = new FrameReader({ isMasked: false, maxMessageBytes: 2 ** 20 })
  const first = frame(0x82, 100, false)
  expect(reader.read(first.subarray(0, 50))).toHaveLength(50)
  reader.stop()
  expect([reader.isBetween, reader.isOver]).toEqual([false, false])
  const rest = Buffer.concat([first.subarray(50), frame(0x82, 7, false)])
  expect(reader.read(rest).equals(first.subarray(50))).toBe(true)
  expect(reader.isOver).toBe(true)
})

it('a close frame without a code is 1005', () => {
  const reader = new FrameReader({ isMasked: false, maxMessageBytes: 1_024 })
  reader.read(Buffer.from([0x88, 0]))
  expect(reader.closeCode).toBe(1005)
})

const closing = (body: Buffer, isMasked: boolean) => {
  if (!isMasked) return Buffer.concat([Buffer.from([0x88, body.length]), body])
  const mask = Buffer.from([9, 8, 7, 6])
  const masked = body.map((byte, at) => byte ^ (mask[at % 4] ?? 0))
  return Buffer.concat([Buffer.from([0x88, 0x80 | body.length]), mask, masked])
}
const code = (value: number, reason: Buffer | string = '') => {
  const number = Buffer.alloc(2)
  number.writeUInt16BE(value)
  return Buffer.concat([number, Buffer.from(reason)])
}

it.each<[string, Buffer, number]>([
  ['one byte', Buffer.from([3]), 1002],
  ...[0, 999, 1004, 1005, 1006, 1015, 1016, 2000, 2999, 5000, 65535].map(
    (value): [string, Buffer, number] => [`the code ${value}`, code(value), 1002],
  ),
  ['a reason that is not UTF-8', code(1000, Buffer.from([0xc3, 0x28])), 1007],
])('a close frame with %s does not pass (RFC 6455 §5.5.1, §7.4)', (_name, body, fault) => {
  for (const isMasked of [true, false]) {
    for (const split of [1, 3, 200]) {
      const reader = new FrameReader({ isMasked, maxMessageBytes: 1_024 })
      const bytes = closing(body, isMasked)
      const parts = [reader.read(bytes.subarray(0, split)), reader.read(bytes.subarray(split))]
      expect(Buffer.concat(parts)).toHaveLength(0)
      expect([reader.fault, reader.closeCode, reader.isOver]).toEqual([fault, null, true])
    }
  }
})

it.each([1000, 1001, 1003, 1007, 1011, 1014, 3000, 4999])('the close code %d passes', (value) => {
  const reader = new FrameReader({ isMasked: true, maxMessageBytes: 1_024 })
  const bytes = closing(code(value, 'Grüße'), true)
  expect(reader.read(bytes).equals(bytes)).toBe(true)
  expect([reader.closeCode, reader.fault]).toEqual([value, null])
})
