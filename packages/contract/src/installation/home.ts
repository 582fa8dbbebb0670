import { z } from 'zod'
import { documentStates } from '../documents/document-states.ts'
import { registerFilter } from '../documents/register-fields.ts'
import { defineRoute } from '../kernel/route.ts'
import { runStates } from '../runs/run-summary.ts'

/** So many days are counted; the last is today. */
export const homeDays = 14

/** States of runs that wait for somebody, in the order of the home screen. */
export const waitingStates = [
  'waits_for_release',
  'unknown',
  'pending',
  'rejected',
  'partial',
  'blocked',
  'stopped',
  'not_started',
] as const

const isTimeZone = (name: string) => {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}

/** The total of the list that a number leads to: it ends at 10,000 where there are more. */
const waitingRuns = z.object({
  state: z.enum(runStates),
  total: z.number().int(),
  has_more: z.boolean(),
  /** When the oldest of them was created; null where there is none. */
  oldest_at: z.string().nullable(),
})
export type WaitingRuns = z.output<typeof waitingRuns>

const undecided = z.object({ documents: z.number().int(), oldest_at: z.string() }).nullable()

/** The real documents of an authority. */
const authorityDay = z.object({
  /** Null: documents of earlier versions, whose endpoint was deleted. `name` is null once the API is deleted. */
  api: z.object({ id: z.number().int(), name: z.string().nullable() }).nullable(),
  /** In which they are known. An API whose register was changed has a row for each. */
  register: z.string(),
  /** Those of today by state; states of none are absent. */
  today: z.partialRecord(z.enum(documentStates), z.number().int()),
  /** Of each day, the oldest first. `unresolved`: neither accepted nor refused. */
  days: z.array(
    z.object({
      accepted: z.number().int(),
      not_accepted: z.number().int(),
      unresolved: z.number().int(),
    }),
  ),
  /** What is not decided, of whatever day. */
  unknown: undecided,
  pending: undecided,
  /** The first deadline in the lanes of its workflows; null where no run there has one. */
  deadline_at: z.string().nullable(),
})
export type AuthorityDay = z.output<typeof authorityDay>

const homeAnswer = z.object({
  /** What waits for somebody, as the history lists it; only for callers with `run.view`. */
  waiting: z.array(waitingRuns).optional(),
  /** By the days on which documents were created; only for callers with `run.view`. */
  documents: z
    .object({
      /** Dates in the time zone of the caller, `2026-01-31`, the oldest first. */
      days: z.array(z.string()),
      authorities: z.array(authorityDay),
    })
    .optional(),
})
export type HomeAnswer = z.output<typeof homeAnswer>

export const showHome = defineRoute({
  method: 'GET',
  path: '/api/home',
  access: 'dashboard.view',
  tag: 'Gateway',
  summary: 'What waits for somebody, and the documents of fourteen days by authority',
  query: z.object({
    /** In which days begin. */
    zone: z
      .string()
      .max(64)
      .refine(isTimeZone, { error: 'Name a time zone, for example Europe/Berlin.' })
      .default('UTC'),
    /** Documents of this register alone, and the runs that carry them. */
    register: registerFilter,
  }),
  response: homeAnswer,
})
