/** What all workers of all servers have let through of a token with a quota. */
export interface TokenUsage {
  token_id: number
  /** In UTC, like 2026-11-23. */
  day: string
  /** On that day, and in its month up to it. */
  today: number
  this_month: number
}

export interface TokenUsageMessage {
  type: 'token-usage'
  usages: readonly TokenUsage[]
}
