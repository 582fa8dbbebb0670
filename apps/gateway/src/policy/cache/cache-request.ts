import type { CacheFields } from './cache-control.ts'

export interface CacheRequest {
  /** Path and query, as the upstream is asked for them. */
  url: string
  fields: CacheFields
}

export interface AnswerHead {
  status: number
  /** Without hop-by-hop fields. */
  fields: CacheFields
}
