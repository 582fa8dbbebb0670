import type { UndoableThing } from '@gatehouse/contract'
import { column, generatedNumber, number, text } from './column.ts'

export const deletion = {
  id: generatedNumber,
  thing: column<UndoableThing>(),
  thing_id: number,
  name: text,
  /** Who deleted it. */
  user_id: number,
  deleted_at: text,
  /** JSON: what an event of the audit trail shows of it. */
  shown: text,
  /** JSON: its rows and those that went with it. */
  rows: text,
}
