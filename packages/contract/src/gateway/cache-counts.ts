/** What the response cache did within a time. */
export interface CacheCounts {
  /** Requests that were answered with a kept answer. */
  hits: number
  /** Requests that the cache could have answered, and the upstream had to. */
  misses: number
  /** How much longer the upstream took for the kept answers than the clients of the hits waited for it. */
  saved_ms: number
}

/** Both together; undefined where neither is there. */
export function addCacheCounts(one?: CacheCounts, other?: CacheCounts): CacheCounts | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return {
    hits: one.hits + other.hits,
    misses: one.misses + other.misses,
    saved_ms: one.saved_ms + other.saved_ms,
  }
}
