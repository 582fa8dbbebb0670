import { z } from 'zod'
import { acrossFields } from '../kernel/across-fields.ts'
import { flag, idMax } from '../kernel/fields.ts'
import { defineRoute } from '../kernel/route.ts'
import { workflowInputMaxBytes } from './workflow-fields.ts'
import { outcomes, runKinds, runStates, stepStates } from '../runs/run-summary.ts'

/** `Prefer: wait=N` (RFC 7240): the longest wait, in seconds. */
export const waitMaxSeconds = 60

/** A workflow by its slug, as machines name it. */
export const slugParams = z.object({ slug: z.string().regex(/^[a-z0-9-]{1,60}$/) })
const slugRunParams = slugParams.extend({
  id: z.coerce.number().int().positive().max(idMax),
})

/** A run of a workflow, as a machine sees it. */
const workflowRun = z.object({
  id: z.number().int(),
  state: z.enum(runStates),
  kind: z.enum(runKinds),
  is_test: z.boolean(),
  /** A test without a test address: what changes something is not sent. */
  is_dry_run: z.boolean(),
  workflow: z.object({ slug: z.string(), version: z.number().int() }),
  /** From the input, by the workflow's reference path. */
  reference: z.string().nullable(),
  /** The Idempotency-Key that the run was started with. */
  key: z.string().nullable(),
  batch: z.object({ id: z.number().int(), line: z.number().int() }).nullable(),
  created_at: z.string(),
  finished_at: z.string().nullable(),
  /** Of the step that decides the state. */
  outcome: z.enum(outcomes).nullable(),
  /** Why the run is in its state, or what it waits for, in words. */
  message: z.string().nullable(),
  /** While it is queued: tries so far, and the moment before which it is not tried. */
  queue: z
    .object({
      tries: z.number().int(),
      next_try_at: z.string().nullable(),
      deadline_at: z.string().nullable(),
    })
    .nullable(),
  authority_reference: z.string().nullable(),
  qr: z.string().nullable(),
  steps: z.array(
    z.object({
      position: z.number().int(),
      endpoint_name: z.string(),
      method: z.string(),
      state: z.enum(stepStates),
      outcome: z.enum(outcomes).nullable(),
      status: z.number().int().nullable(),
      message: z.string().nullable(),
      /** With `answers=1`: the answer as text, cut after 1 MiB; null where there was none. */
      answer: z.string().nullable().optional(),
    }),
  ),
})
export type WorkflowRun = z.output<typeof workflowRun>

/**
 * The body is the input itself: any JSON up to 1 MiB, kept byte for byte. Needs the header
 * `Idempotency-Key` with a personal token. Answers 202 once the run is committed, with its address in
 * `Location`. With `Prefer: wait=N` it waits up to N seconds for the end: 200 where every step succeeded,
 * 502 and 504 as tax requests answer, else 202. `test=1` is a test invoice.
 */
export const startWorkflowRun = defineRoute({
  method: 'POST',
  path: '/api/workflows/:slug/runs',
  access: 'workflow.run',
  opensToTokens: true,
  tag: 'Runs of workflows',
  summary: 'Start a run of a workflow; the body is its input',
  status: 202,
  alsoStatus: 200,
  bodyLimitBytes: workflowInputMaxBytes,
  params: slugParams,
  query: z.object({ test: flag }),
  body: z.unknown(),
  hasRawBody: true,
  response: z.object({
    /** With 200. */
    message: z.string().optional(),
    run: workflowRun,
  }),
})

/** How many runs with the same reference are shown. */
export const workflowRunsMax = 20

const filterText = z.string().trim().max(200).default('')

/**
 * For the user whose run it is, by session or personal token, and for people with `run.view`; any other
 * user gets 404. Access to the workflow may have been taken away since: what was sent stays visible.
 */
export const showWorkflowRun = defineRoute({
  method: 'GET',
  path: '/api/workflows/:slug/runs/:id',
  access: 'session',
  opensToTokens: true,
  tag: 'Runs of workflows',
  summary:
    'A run of a workflow: its state, outcome, reference and steps; with answers=1 their answers',
  params: slugRunParams,
  query: z.object({ answers: flag }),
  response: z.object({ run: workflowRun }),
})

/** Newest first, at most 20. With `answers=1` the newest only. Empty where no run fits. */
export const findWorkflowRuns = defineRoute({
  method: 'GET',
  path: '/api/workflows/:slug/runs',
  access: 'session',
  opensToTokens: true,
  tag: 'Runs of workflows',
  summary: 'Runs of a workflow by Idempotency-Key or by reference',
  params: slugParams,
  query: z.object({ key: filterText, reference: filterText, answers: flag }).superRefine(
    ...acrossFields<{ key?: string; reference?: string }>(({ key, reference }, context) => {
      if (key || reference) return
      context.addIssue({ code: 'custom', path: ['key'], message: 'Name a key or a reference.' })
    }),
  ),
  response: z.object({ runs: z.array(workflowRun) }),
})
