import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'

// A long answer of a gateway travels in several notifications, which PostgreSQL bounds.

export const answerPartsMax = 64
/** Sealed, it still fits into a notification. */
export const answerPartLength = 4_000

/** It bounds what a packed answer may unfold to. */
const unfoldedMaxBytes = 8 * 1024 * 1024

const pack = promisify(deflateRaw)
const unpack = promisify(inflateRaw)

/** The parts of an answer; undefined where they are more than 64. */
export async function packAnswer(value: object): Promise<string[] | undefined> {
  const packed = (await pack(JSON.stringify(value))).toString('base64')
  const count = Math.ceil(packed.length / answerPartLength)
  if (count > answerPartsMax) return undefined
  return Array.from({ length: count }, (_, at) =>
    packed.slice(at * answerPartLength, (at + 1) * answerPartLength),
  )
}

/** Rejects where the parts make no answer, or one of more than 8 MiB. */
export async function unpackAnswer(parts: readonly string[]): Promise<unknown> {
  const packed = Buffer.from(parts.join(''), 'base64')
  const text = await unpack(packed, { maxOutputLength: unfoldedMaxBytes })
  return JSON.parse(text.toString('utf8')) as unknown
}
