import { z } from 'zod'
import { moment } from '../kernel/fields.ts'
import { listQuery, pageOf } from '../kernel/paging.ts'
import { defineRoute } from '../kernel/route.ts'
import { registerFilter } from '../documents/register-fields.ts'
import { runKinds, runRecord, runStates, runSummary, stepHead } from './run-summary.ts'

/**
 * `open`: a person may have to act; `unclear`: open, and the authority has not said yes or no; `overtaken`:
 * another run was sent in its place; `closed`: a person has said that nothing is left to do.
 */
export const runWorks = ['open', 'unclear', 'overtaken', 'closed'] as const
export type RunWork = (typeof runWorks)[number]

/** What lists of runs are narrowed down by. */
export const runFilterFields = {
  kind: z.enum([...runKinds, '']).optional(),
  state: z.enum([...runStates, '']).optional(),
  /** `1`: test invoices only, `0`: none of them. */
  test: z.enum(['0', '1', '']).optional(),
  /** Days or moments, ISO 8601, UTC; both inclusive. */
  from: moment.or(z.literal('')).optional(),
  to: moment.or(z.literal('')).optional(),
  /** How the document's reference begins. */
  reference: z.string().trim().max(200).default(''),
  /** A step carries a document of it. */
  register: registerFilter,
  /** Id of the user, or how the name begins. */
  user: z.string().trim().max(200).default(''),
  /** Id of an endpoint that a step of the run calls. */
  endpoint: z.coerce.number().int().min(0).optional(),
  /** Id of the workflow that the run carries out. */
  workflow: z.coerce.number().int().min(0).optional(),
  /** `1`: healing still looks after it, `0`: a person decides. */
  healing: z.enum(['0', '1', '']).optional(),
}

/** A run as the history lists it. */
const runListItem = runRecord.extend({ steps: z.array(stepHead) })
export type RunListItem = z.output<typeof runListItem>

/** Newest first unless another order is asked for. */
export const listRuns = defineRoute({
  method: 'GET',
  path: '/api/runs',
  access: 'run.view',
  tag: 'Runs',
  summary: 'The history of runs',
  query: listQuery(['id', 'created_at', 'finished_at', 'state', 'kind', 'user_name']).extend({
    ...runFilterFields,
    work: z.enum([...runWorks, '']).optional(),
    /** The run that has this idempotency key. */
    key: z.string().trim().max(200).default(''),
  }),
  response: pageOf(runListItem),
})

/** For the badge: how many runs wait for a person to settle their outcome. */
export const unknownRuns = defineRoute({
  method: 'GET',
  path: '/api/runs/unknown',
  access: 'run.view',
  tag: 'Runs',
  summary: 'How many outcomes are unknown, and the oldest of them',
  response: z.object({
    count: z.number().int(),
    /** `since` is when it became unknown. */
    oldest: z.object({ run_id: z.number().int(), since: z.string() }).nullable(),
  }),
})

/** The caller's own run by its idempotency key, also while it is under way. 404 until it has begun. */
export const runByKey = defineRoute({
  method: 'GET',
  path: '/api/runs/by-key/:key',
  access: 'session',
  tag: 'Runs',
  summary: 'The caller’s own run with this Idempotency-Key',
  params: z.object({ key: z.string().min(1).max(200) }),
  query: z.object({ kind: z.enum([...runKinds, '']).optional() }),
  response: z.object({ run: runSummary }),
})
