import { z } from 'zod'
import { pageOf, listQuery } from '../kernel/paging.ts'
import { defineRoute } from '../kernel/route.ts'
import { outcomes, runStates } from '../runs/run-summary.ts'
import { batchParams } from './batches.ts'

/** An input of a batch, with what became of its latest run. */
const batchLine = z.object({
  /** Its place in the upload, from 1. */
  line: z.number().int(),
  run_id: z.number().int(),
  reference: z.string().nullable(),
  state: z.enum(runStates),
  /** Of the step that decides the state; null where nothing was sent. */
  outcome: z.enum(outcomes).nullable(),
  status: z.number().int().nullable(),
  message: z.string().nullable(),
  finished_at: z.string().nullable(),
})
export type BatchLine = z.output<typeof batchLine>

/** States of a run that has ended without success, or that a person has to settle. */
export const failedStates = [
  'rejected',
  'partial',
  'blocked',
  'stopped',
  'not_started',
  'unknown',
] as const satisfies readonly (typeof runStates)[number][]

/** `search` finds references that contain it; `state=failed` finds all `failedStates`. */
export const listBatchLines = defineRoute({
  method: 'GET',
  path: '/api/workflows/:slug/batches/:id/lines',
  access: 'session',
  opensToTokens: true,
  tag: 'Batches',
  summary: 'The inputs of a batch in the order of the upload, with what became of them',
  params: batchParams,
  query: listQuery(['line']).extend({ state: z.enum([...runStates, 'failed', '']).default('') }),
  response: pageOf(batchLine),
})

/** One line per input, in the order of the upload. */
export const batchResults = defineRoute({
  method: 'GET',
  path: '/api/workflows/:slug/batches/:id/results',
  access: 'session',
  opensToTokens: true,
  tag: 'Batches',
  summary: 'The result of each input of a batch, as CSV or JSON lines',
  params: batchParams,
  query: z.object({ format: z.enum(['csv', 'ndjson']).default('csv') }),
  isFile: true,
})
