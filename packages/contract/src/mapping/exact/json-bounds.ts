import { isLosslessNumber } from 'lossless-json'
import type { ExactJson } from './exact-json.ts'
import { utf8Length } from './json-text.ts'

/**
 * Bytes of the compact JSON text of a value, without making that text. Stops past `limit`, so that
 * a small value which repeats one large part many times costs no more than the limit.
 */
export function jsonSize(value: ExactJson, limit: number): number {
  if (typeof value === 'string') return value.length > limit ? value.length : textSize(value)
  if (value === null || value === true) return 4
  if (value === false) return 5
  if (isLosslessNumber(value)) return value.value.length
  // Two brackets, and one comma less than there are members.
  let bytes = 1
  if (Array.isArray(value)) {
    for (const item of value) {
      bytes += jsonSize(item, limit - bytes) + 1
      if (bytes > limit) return bytes
    }
    return Math.max(bytes, 2)
  }
  for (const key of Object.keys(value)) {
    bytes += jsonSize(key, limit - bytes) + 1
    bytes += jsonSize(value[key] ?? null, limit - bytes) + 1
    if (bytes > limit) return bytes
  }
  return Math.max(bytes, 2)
}

/** Bytes of a text as it is written in JSON, with its quotes. */
function textSize(text: string): number {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const isPlain = code >= 0x20 && code < 0x80 && code !== 0x22 && code !== 0x5c
    if (!isPlain) return utf8Length(JSON.stringify(text), Infinity)
  }
  return text.length + 2
}

/** Tells whether objects and lists are nested more than `maxDepth` deep. Recurses no deeper. */
export function isDeeperThan(value: ExactJson, maxDepth: number): boolean {
  if (value === null || typeof value !== 'object' || isLosslessNumber(value)) return false
  if (maxDepth === 0) return true
  if (Array.isArray(value)) return value.some((item) => isDeeperThan(item, maxDepth - 1))
  for (const key of Object.keys(value))
    if (isDeeperThan(value[key] ?? null, maxDepth - 1)) return true
  return false
}

/** Levels of objects and lists in a value; remembers parts, so that asking again is free. */
export function createDepthGauge(): (value: ExactJson) => number {
  const known = new Map<object, number>()
  const depthOf = (value: ExactJson): number => {
    if (value === null || typeof value !== 'object' || isLosslessNumber(value)) return 0
    let depth = known.get(value)
    if (depth === undefined) {
      depth = 1
      for (const item of Object.values(value)) depth = Math.max(depth, 1 + depthOf(item))
      known.set(value, depth)
    }
    return depth
  }
  return depthOf
}
