import type { DriftKind } from '@gatehouse/contract'
import { column, number, text, textOrNull } from './column.ts'

export const procedureContract = {
  api_id: number,
  method: text,
  /** JSON: a signature; the shapes of its record sets. */
  signature: textOrNull,
  shapes: textOrNull,
  locked_at: textOrNull,
  /** JSON: signature, shapes and changes. */
  drift: textOrNull,
  drift_kind: column<DriftKind | null>(),
  drift_seen_at: textOrNull,
  checked_at: textOrNull,
  check_failure: textOrNull,
}
