import { isLosslessNumber } from 'lossless-json'
import type { ExactJson } from './exact-json.ts'
import { utf8Length } from './json-text.ts'

/**
 * Bytes of the compact JSON text of a value, without making that text. Stops past `limit`, so that
 * a small value which repeats one large part many times costs no more than the limit.
 */
export function jsonSize(value: ExactJson, limit: number): number {
  if (typeof value === 'string') {
    return value.length > limit ? value.length : utf8Length(JSON.stringify(value), limit)
  }
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

/** Tells whether objects and lists are nested more than `maxDepth` deep. Recurses no deeper. */
export function isDeeperThan(value: ExactJson, maxDepth: number): boolean {
  if (value === null || typeof value !== 'object' || isLosslessNumber(value)) return false
  if (maxDepth === 0) return true
  return Object.values(value).some((item: ExactJson) => isDeeperThan(item, maxDepth - 1))
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
