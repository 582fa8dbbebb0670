import type { DeliveryChannel, DeliveryKind, DeliveryState } from '@gatehouse/contract'
import type { Generated } from 'kysely'
import { column, generatedNumber, numberOrNull, text, textOrNull } from './column.ts'

/** Something to be sent to a receiver, once at least. */
export const delivery = {
  id: generatedNumber,
  /** The same at every try. */
  message_id: text,
  kind: column<DeliveryKind>(),
  channel: column<DeliveryChannel>(),
  /** JSON, without secrets: see `delivery-target.ts`. */
  target: text,
  /** The host, or the mail server: the tries at once are bounded for each. */
  place: text,
  /** What it reports, in a few words. */
  subject: text,
  /** The bytes that are sent. */
  payload: text,
  /** Those with the same one are sent one after the other. */
  order_key: textOrNull,
  workflow_id: numberOrNull,
  run_id: numberOrNull,
  batch_id: numberOrNull,
  alarm_id: numberOrNull,
  state: column<Generated<DeliveryState>>(),
  tries: generatedNumber,
  next_try_at: text,
  /** After this moment a try that fails was the last. */
  give_up_at: text,
  lease_owner: textOrNull,
  lease_until: textOrNull,
  last_status: numberOrNull,
  last_error: textOrNull,
  created_at: text,
  ended_at: textOrNull,
}
