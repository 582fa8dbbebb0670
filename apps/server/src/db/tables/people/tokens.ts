import { bucketColumns, type BucketColumns } from '../traffic.ts'
import { generatedNumber, number, text, textOrNull } from '../column.ts'

export const personalToken = {
  id: generatedNumber,
  user_id: number,
  name: text,
  token_hash: text,
  /** The last four characters of the token. */
  ending: text,
  created_by_id: number,
  created_by_name: text,
  created_at: text,
  expires_at: text,
  last_used_at: textOrNull,
  revoked_at: textOrNull,
  /** JSON of `TokenLimits`; null: none. */
  limits: textOrNull,
  /** Sealed; null: none. */
  signing_secret: textOrNull,
  signing_since: textOrNull,
  version: generatedNumber,
}

/** How often tokens with a quota were used. */
export const tokenUsage = {
  token_id: number,
  /** In UTC, like 2026-11-23. */
  day: text,
  requests: number,
  updated_at: text,
}

/** What personal tokens did with tools, by day in UTC: see `ToolCount`. */
export const toolUsage = {
  token_id: number,
  day: text,
  tool: text,
  calls: number,
  refused: number,
  failed: number,
  waiting: number,
  ...(Object.fromEntries(bucketColumns.map((name) => [name, number])) as BucketColumns),
}

/** With which programs call the admin API. */
export const adminToken = {
  id: generatedNumber,
  user_id: number,
  name: text,
  token_hash: text,
  /** The last four characters of the token. */
  ending: text,
  /** Names with spaces between. */
  permissions: text,
  created_at: text,
  expires_at: text,
  last_used_at: textOrNull,
  revoked_at: textOrNull,
}
