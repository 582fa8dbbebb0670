import type { CompiledCheck } from '@gatehouse/contract/json-schema'
import { JsonProblem, parseExact } from '@gatehouse/contract/mapping'
import { isUtf8 } from 'node:buffer'

/** Objects and lists inside one another. */
const depthMax = 32

/** For checks of bytes that are told without reading them. */
export const reading = {
  depthMax,
  textOf: (bytes: Uint8Array, from: number, end: number): string =>
    (bytes as Buffer).toString('utf8', from, end),
}

type ReadJson = { ok: true; value: unknown } | { ok: false; message: string }

/**
 * Reads a body so that no other reader can see other values in it: UTF-8 that is whole, no key twice in
 * an object, not more than 32 levels.
 */
export function readJson(bytes: Buffer): ReadJson {
  if (!isUtf8(bytes)) return refused('This is not UTF-8.')
  const text = bytes.toString('utf8')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return refused(problemIn(text) ?? 'This is not valid JSON.')
  }
  const keys = countKeys(value, 0)
  if (keys === Infinity) return refused(`This is more than ${depthMax} levels deep.`)
  if (keys !== countColons(bytes)) return refused(problemIn(text) ?? 'An object has a key twice.')
  return { ok: true, value }
}

/** Whether `readJson` reads them, and the value fits: told without reading them where that can be. */
export const isSureFit = (check: CompiledCheck, bytes: Buffer): boolean =>
  isUtf8(bytes) && check.fitsForSure(bytes)

const refused = (message: string) => ({ ok: false, message }) as const

/** In the words of the exact reader; undefined where it takes the text. */
function problemIn(text: string): string | undefined {
  try {
    parseExact(text)
    return undefined
  } catch (error) {
    return error instanceof JsonProblem ? error.message : undefined
  }
}

/** Infinity: too deep. */
function countKeys(value: unknown, depth: number): number {
  if (typeof value !== 'object' || value === null) return 0
  if (depth === depthMax) return Infinity
  let keys = 0
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) {
      const each: unknown = value[at]
      if (typeof each === 'object' && each !== null) keys += countKeys(each, depth + 1)
    }
    return keys
  }
  // JSON.parse gives plain objects: there is nothing to inherit.
  for (const key in value) {
    const each = (value as Record<string, unknown>)[key]
    keys++
    if (typeof each === 'object' && each !== null) keys += countKeys(each, depth + 1)
  }
  return keys
}

const quote = 0x22
const backslash = 0x5c
const colon = 0x3a

/** Colons outside of texts: one for each key that is written. */
function countColons(bytes: Buffer): number {
  let colons = 0
  let isText = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (isText) {
      if (byte === backslash) at++
      else if (byte === quote) isText = false
    } else if (byte === quote) isText = true
    else if (byte === colon) colons++
  }
  return colons
}
