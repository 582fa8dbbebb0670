import type { AuditThing } from '@gatehouse/contract'
import { column, generatedNumber, numberOrNull, text, textOrNull } from './column.ts'

export const auditEvent = {
  id: generatedNumber,
  at: text,
  actor_id: numberOrNull,
  actor: text,
  address: text,
  request_id: text,
  action: text,
  outcome: column<'done' | 'refused'>(),
  thing: column<AuditThing>(),
  thing_id: numberOrNull,
  thing_name: text,
  /** How often it happened: repeats of a refusal share one row. */
  times: generatedNumber,
  /** JSON objects without secrets. */
  before: textOrNull,
  after: textOrNull,
}
