import { z } from 'zod'
import { idMax, requiredText, strictFields } from '../kernel/fields.ts'
import { defineRoute } from '../kernel/route.ts'

/** Why nothing is sent without a person. */
const holdReasons = ['restore', 'older_database'] as const

/**
 * The installation goes on from a backup, or from a database that is older than what this server has sent: what it
 * would send by itself may have been sent after the backup was made. Lanes, schedules, next steps of accepted runs and callbacks wait.
 */
export const installationHold = z.object({
  reason: z.enum(holdReasons),
  /** When the backup was made. What was sent later is not known here. */
  backup_made_at: z.string(),
  held_since: z.string(),
})
export type InstallationHold = z.output<typeof installationHold>

/** Every screen shows it; null where nothing is held. */
const holdAnswer = z.object({ hold: installationHold.nullable() })

export const showHold = defineRoute({
  method: 'GET',
  path: '/api/installation/hold',
  access: 'session',
  tag: 'Installation',
  summary: 'Whether everything that is sent without a person is held, and since when',
  response: holdAnswer,
})

const heldPart = z.object({
  id: z.number().int(),
  name: z.string(),
  /** It sends again although the rest is held. */
  is_released: z.boolean(),
})

/** What waits, and what the journals of submits have brought to light. */
export const listHeld = defineRoute({
  method: 'GET',
  path: '/api/installation/held',
  access: 'workflow.view',
  tag: 'Installation',
  summary: 'The lanes and schedules that are held, and documents that were sent since the backup',
  response: z.object({
    lanes: z.array(
      heldPart.extend({
        queued: z.number().int(),
        /** Of these, runs that no status query can be asked about. */
        without_query: z.number().int(),
      }),
    ),
    schedules: z.array(heldPart.extend({ next_run_at: z.string().nullable() })),
    /** Runs that were found in the journals: whose outcome is unknown, and all. */
    found: z.object({ unknown: z.number().int(), total: z.number().int() }),
  }),
})
export type HeldParts = z.output<(typeof listHeld)['response']>

const parts = (noun: string) =>
  z
    .array(z.number().int().positive().max(idMax), { error: `Choose ${noun} by their ids.` })
    .max(1000, { error: `Choose at most 1000 ${noun}.` })
    .optional()

/**
 * Lets all of it go; where lanes or schedules are named, these alone: the rest, callbacks and sends by hand stay held.
 * Refused with a 409 where nothing is held: another user may have been first.
 */
export const releaseHold = defineRoute({
  method: 'POST',
  path: '/api/installation/release',
  access: 'workflow.operate',
  tag: 'Installation',
  summary: 'Let lanes, schedules and callbacks send again after a restore',
  body: strictFields({
    note: requiredText(1000, 'note', { isMultiline: true }),
    lanes: parts('lanes'),
    schedules: parts('schedules'),
  }),
  response: holdAnswer,
})

const gapResult = z.object({
  id: z.number().int(),
  reference: z.string(),
  /** `no_query`: no status query can be asked about it; a person looks at the authority. */
  outcome: z.enum(['received', 'not_received', 'unclear', 'no_query']),
  message: z.string(),
})

const gapList = z.object({
  /** Of the comparison whose authority was asked. */
  name: z.string(),
  listed: z.number().int(),
  /** They were not in the ledger. */
  entered: z.number().int(),
  /** Why nothing was entered. */
  message: z.string().nullable(),
})
export type GapList = z.output<typeof gapList>

export type GapResult = z.output<typeof gapResult>

/**
 * Asks the status query about each queued run with a reference, and the authorities of all comparisons for their lists
 * since the backup. What the authority has counts as accepted, and its run leaves the lane. Refused with a 409 where nothing is held.
 */
export const checkGap = defineRoute({
  method: 'POST',
  path: '/api/installation/check-gap',
  access: 'workflow.operate',
  tag: 'Installation',
  summary: 'Ask the authorities which queued runs they have already',
  body: strictFields({
    /** Goes on after this run: the `next_after` of the answer before. */
    after: z.number().int().min(0).max(idMax).default(0),
  }),
  response: z.object({
    results: z.array(gapResult),
    /** With the last page. */
    lists: z.array(gapList),
    next_after: z.number().int().nullable(),
  }),
})
export type GapAnswer = z.output<(typeof checkGap)['response']>
