import type { CacheFields } from './cache-control.ts'

export interface CacheRequest {
  /** Path and query, as the upstream is asked for them. */
  url: string
  fields: CacheFields
  /** How many purges the cache had seen when the request came: an answer from before a purge is not kept after it. */
  purges: number
  /** When it came, by the clock of the cache. */
  atMs: number
}

export interface AnswerHead {
  status: number
  /** Without hop-by-hop fields. */
  fields: CacheFields
}
