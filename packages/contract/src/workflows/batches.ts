import { z } from 'zod'
import { flag, idMax } from '../kernel/fields.ts'
import { pageOf, listQuery } from '../kernel/paging.ts'
import { defineRoute } from '../kernel/route.ts'
import { runStates } from '../runs/run-summary.ts'
import { slugParams } from './workflow-runs.ts'

/** `finished`: every run of it has ended, or waits for a person. */
const batchStates = ['running', 'paused', 'cancelled', 'finished'] as const
export type BatchState = (typeof batchStates)[number]

const batchRecord = z.object({
  id: z.number().int(),
  workflow: z.object({ slug: z.string(), version: z.number().int() }),
  user_name: z.string(),
  file_name: z.string(),
  total: z.number().int(),
  is_test: z.boolean(),
  state: z.enum(batchStates),
  /** How many of its inputs are in each state; states of none are absent. */
  counts: z.partialRecord(z.enum(runStates), z.number().int()),
  /** Runs of it that ended in the last minute. */
  rate_per_minute: z.number().int(),
  /** At that rate; null where nothing is left or nothing has ended. */
  seconds_left: z.number().int().nullable(),
  created_at: z.string(),
})
export type BatchRecord = z.output<typeof batchRecord>

export const batchParams = slugParams.extend({ id: z.coerce.number().int().positive().max(idMax) })
const batchAnswer = z.object({ batch: batchRecord })
const uploadQuery = z.object({ test: flag, file_name: z.string().trim().max(200).default('') })

/** What is wrong with an input of an upload, by JSON pointer. */
const batchProblem = z.object({
  /** Its place in the upload, from 1. */
  line: z.number().int(),
  errors: z.record(z.string(), z.array(z.string())),
  /** Null: it has none, or can’t be read. A server of an earlier release does not say, nor what follows. */
  reference: z.string().nullish(),
  /** The line of a CSV file that the row begins in, from 1. */
  file_line: z.number().int().nullish(),
  /** Of CSV: as they are written, without quotes. */
  cells: z.array(z.string()).nullish(),
})
export type BatchProblem = z.output<typeof batchProblem>

/**
 * The body is a stream of one of `batchTypes`, up to 100,000 inputs and 200 MB. All of it is stored or
 * nothing: an input that does not fit is a 422 that names its line. Needs `Idempotency-Key` with a
 * personal token.
 */
export const startBatch = defineRoute({
  method: 'POST',
  path: '/api/workflows/:slug/batches',
  access: 'workflow.run',
  opensToTokens: true,
  tag: 'Batches',
  summary: 'Start a run for each input of an upload',
  status: 202,
  otherStatuses: [200],
  params: slugParams,
  query: uploadQuery,
  response: batchAnswer,
})

/** Reads an upload as `startBatch` does and stores nothing. */
export const checkBatch = defineRoute({
  method: 'POST',
  path: '/api/workflows/:slug/batches/check',
  access: 'workflow.run',
  tag: 'Batches',
  summary: 'What an upload holds and what is wrong with it; stores nothing',
  params: slugParams,
  response: z.object({
    total: z.number().int(),
    /** How many inputs do not fit. */
    bad: z.number().int(),
    /** The first inputs, as JSON text, with their references. */
    rows: z.array(
      z.object({ line: z.number().int(), input: z.string(), reference: z.string().nullable() }),
    ),
    /** Of the first inputs that do not fit. */
    problems: z.array(batchProblem),
    /** Of CSV: what it takes to leave rows out, or to put others in their place. */
    csv: z
      .object({
        columns: z.array(z.string()),
        /** How many bytes come before the first row. */
        header_bytes: z.number().int(),
        /** Every row that does not fit, by its bytes, the last one not counted; null: more than 10,000. */
        bad_rows: z
          .array(z.object({ line: z.number().int(), from: z.number().int(), to: z.number().int() }))
          .nullable(),
      })
      .nullish(),
  }),
})

export const listBatches = defineRoute({
  method: 'GET',
  path: '/api/workflows/:slug/batches',
  access: 'workflow.view',
  tag: 'Batches',
  summary: 'The batches of a workflow, newest first; searched by file name and user',
  params: slugParams,
  query: listQuery(['id']),
  response: pageOf(batchRecord),
})

/** For the user whose batch it is, by session or personal token, and for people with `workflow.view`. */
export const showBatch = defineRoute({
  method: 'GET',
  path: '/api/workflows/:slug/batches/:id',
  access: 'session',
  opensToTokens: true,
  tag: 'Batches',
  summary: 'The progress of a batch',
  params: batchParams,
  response: batchAnswer,
})

/** Server-sent events: `event: batch` with a batch record as JSON, at once and upon every change. */
export const batchEvents = defineRoute({
  method: 'GET',
  path: '/api/workflows/:slug/batches/:id/events',
  access: 'session',
  tag: 'Batches',
  summary: 'Follow the progress of a batch (server-sent events)',
  params: batchParams,
  isFile: true,
  answers: 'text/event-stream; charset=utf-8',
})

export const pauseBatch = defineRoute({
  method: 'POST',
  path: '/api/workflows/:slug/batches/:id/pause',
  access: 'workflow.operate',
  tag: 'Batches',
  summary: 'Start no further run of a batch; runs under way end',
  params: batchParams,
  response: batchAnswer,
})

export const resumeBatch = defineRoute({
  method: 'POST',
  path: '/api/workflows/:slug/batches/:id/resume',
  access: 'workflow.operate',
  tag: 'Batches',
  summary: 'Go on with a paused batch',
  params: batchParams,
  response: batchAnswer,
})

export const cancelBatch = defineRoute({
  method: 'POST',
  path: '/api/workflows/:slug/batches/:id/cancel',
  access: 'workflow.operate',
  tag: 'Batches',
  summary: 'Take the runs of a batch that are queued out of their lane',
  params: batchParams,
  response: batchAnswer,
})

/** Never what is unknown: it may have been accepted. */
export const retryBatch = defineRoute({
  method: 'POST',
  path: '/api/workflows/:slug/batches/:id/retry',
  access: 'workflow.operate',
  tag: 'Batches',
  summary: 'Queue the rejected inputs of a batch again',
  params: batchParams,
  response: z.object({ batch: batchRecord, retried: z.number().int() }),
})
