/** The largest batch (spec: batches). */
export const batchInputsMax = 100_000
export const batchMaxBytes = 200 * 1024 * 1024

/** The media types of an upload: a JSON array, JSON lines, or CSV with a header row. */
export const batchTypes = ['application/json', 'application/x-ndjson', 'text/csv'] as const
export type BatchType = (typeof batchTypes)[number]
