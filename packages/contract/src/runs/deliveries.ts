import { z } from 'zod'
import { idMax } from '../kernel/fields.ts'
import { idParams, listQuery, pageOf } from '../kernel/paging.ts'
import { defineRoute } from '../kernel/route.ts'

/** `callback`: the result of a run or a batch. `alarm`: a message about an alarm. `test`: sent by hand. */
export const deliveryKinds = ['callback', 'alarm', 'test'] as const
export type DeliveryKind = (typeof deliveryKinds)[number]

const deliveryChannels = ['webhook', 'e-mail'] as const
export type DeliveryChannel = (typeof deliveryChannels)[number]

/**
 * `waiting`: for its first or next try. `dead`: given up, because the receiver did not take it within 24
 * hours or said that it never will. `cancelled`: a person gave it up.
 */
const deliveryStates = ['waiting', 'delivered', 'dead', 'cancelled'] as const
export type DeliveryState = (typeof deliveryStates)[number]

const deliveryRow = z.object({
  id: z.number().int(),
  kind: z.enum(deliveryKinds),
  channel: z.enum(deliveryChannels),
  state: z.enum(deliveryStates),
  /** The URL, or the e-mail addresses. */
  target: z.string(),
  /** The host that receives it. */
  place: z.string(),
  /** What it reports, in a few words. */
  subject: z.string(),
  workflow: z.object({ id: z.number().int(), name: z.string() }).nullable(),
  run_id: z.number().int().nullable(),
  batch_id: z.number().int().nullable(),
  /** An earlier delivery about the same document, which has to end first. */
  waits_for: z.number().int().nullable(),
  tries: z.number().int(),
  /** Null unless it waits. */
  next_try_at: z.string().nullable(),
  give_up_at: z.string(),
  /** Status of the last answer; null where none came. */
  last_status: z.number().int().nullable(),
  last_error: z.string().nullable(),
  created_at: z.string(),
  ended_at: z.string().nullable(),
})
export type DeliveryRow = z.output<typeof deliveryRow>

const deliveryDetail = deliveryRow.extend({
  /** The id that the receiver sees: the same at every try. */
  message_id: z.string(),
  /** What is sent, byte for byte. */
  payload: z.string(),
})
export type DeliveryDetail = z.output<typeof deliveryDetail>

const optionalId = z
  .union([z.literal('').transform(() => undefined), z.coerce.number().int().positive().max(idMax)])
  .optional()

const deliveryAnswer = z.object({ delivery: deliveryDetail })

/** Callers see the kinds of deliveries that their permissions cover. */
export const listDeliveries = defineRoute({
  method: 'GET',
  path: '/api/deliveries',
  access: 'workflow.view',
  tag: 'Deliveries',
  summary: 'What was sent to receivers, what waits, and what was given up; newest first',
  query: listQuery(['id']).extend({
    state: z.enum([...deliveryStates, '']).optional(),
    kind: z.enum([...deliveryKinds, '']).optional(),
    place: z.string().trim().max(300).optional(),
    workflow: optionalId,
    run: optionalId,
  }),
  response: pageOf(deliveryRow),
})

export const showDelivery = defineRoute({
  method: 'GET',
  path: '/api/deliveries/:id',
  access: 'workflow.view',
  tag: 'Deliveries',
  summary: 'One delivery with what it sends',
  params: idParams,
  response: deliveryAnswer,
})

export const sendDeliveryAgain = defineRoute({
  method: 'POST',
  path: '/api/deliveries/:id/send',
  access: 'workflow.operate',
  tag: 'Deliveries',
  summary: 'Try a delivery now: one that waits, or one that has ended, under the same id',
  params: idParams,
  response: deliveryAnswer,
})

export const cancelDelivery = defineRoute({
  method: 'POST',
  path: '/api/deliveries/:id/cancel',
  access: 'workflow.operate',
  tag: 'Deliveries',
  summary: 'Give up a delivery that waits',
  params: idParams,
  response: deliveryAnswer,
})

/** At most 10,000 at a call; `left` says how many there still are. */
export const sendDeadDeliveries = defineRoute({
  method: 'POST',
  path: '/api/deliveries/send-dead',
  access: 'workflow.operate',
  tag: 'Deliveries',
  summary: 'Send all dead deliveries of a receiver again',
  body: z.strictObject({
    place: z.string({ error: 'Name the receiver.' }).trim().min(1).max(300),
  }),
  response: z.object({ sent: z.number().int(), left: z.number().int() }),
})
