import { number, text } from './column.ts'

/** Counts of a latency histogram by the bounds of `latencyBucketsMs`, and what took longer. */
// oxfmt-ignore
export const bucketColumns = [
  'b00', 'b01', 'b02', 'b03', 'b04', 'b05', 'b06', 'b07', 'b08', 'b09',
  'b10', 'b11', 'b12', 'b13', 'b14', 'b15', 'b16', 'b17', 'b18', 'b19',
  'b20', 'b21', 'b22', 'b23', 'b24', 'b25', 'b26', 'b27', 'b28', 'b29',
  'b30',
] as const

export type BucketColumns = Record<(typeof bucketColumns)[number], typeof number>

/** What came through the gateway in one minute or hour. Rows of one time and endpoint add up. */
export const traffic = {
  at: text,
  /** 0: no endpoint was met; -1: all requests together; -1 - n: those of the API n together. */
  endpoint_id: number,
  requests: number,
  /** Answered 4xx. */
  refused: number,
  /** Answered 5xx, or cut off. */
  errors: number,
  bytes_in: number,
  bytes_out: number,
  /** Answered with what the response cache had kept; asked of it in vain; and the time that it saved. */
  cache_hits: number,
  cache_misses: number,
  cache_saved_ms: number,
  ...(Object.fromEntries(bucketColumns.map((name) => [name, number])) as BucketColumns),
}
