import { z } from 'zod'
import { strictFields } from '../kernel/fields.ts'
import { idParams } from '../kernel/paging.ts'
import { defineRoute } from '../kernel/route.ts'
import { effects, runSummary } from '../runs/run-summary.ts'
import { workflowStepsMax } from './workflow-fields.ts'
import { workflowInput } from './workflow-input.ts'
import { definitionMaxBytes, workflowName } from './workflows.ts'

/** An answer of a step is shown, and taken from, up to that length. */
export const sampleAnswerMaxCharacters = 262_144

/** What a step would do with an input. */
export const workflowPreviewStep = z.object({
  position: z.number().int(),
  endpoint_id: z.number().int(),
  endpoint_name: z.string(),
  method: z.string(),
  effect: z.enum(effects).nullable(),
  /**
   * `send`: everything is known. `waits`: it takes values from earlier answers, or its condition does.
   * `skip`: its condition does not hold. `refused`: see the problems.
   */
  what: z.enum(['send', 'waits', 'skip', 'refused']),
  /** Over an earlier answer a condition is `open`. */
  condition: z.enum(['none', 'holds', 'fails', 'open']),
  url: z.string().nullable(),
  /** Without secrets. */
  headers: z.record(z.string(), z.string()),
  /** As it would be sent, as far as it is known; null where nothing is sent or it is not known. */
  body: z.string().nullable(),
  /** What it takes from earlier answers. */
  takes: z.array(z.string()),
  /**
   * Where it can be run on a sample: at the test address of its API, at the address itself where it only reads and
   * the API has no other, else nowhere.
   */
  runs_at: z.enum(['test', 'address', 'nowhere']),
  /** Messages by field. */
  problems: z.record(z.string(), z.array(z.string())),
})
export type WorkflowPreviewStep = z.output<typeof workflowPreviewStep>

const workflowPreview = z.object({
  /** From the input, by the paths of the workflow; null where it has none. */
  reference: z.string().nullable(),
  order_key: z.string().nullable(),
  steps: z.array(workflowPreviewStep),
  /** What is wrong with the input: by JSON pointer where the schema says so, else like `input.path`. */
  input_problems: z.record(z.string(), z.array(z.string())),
  lane_shared_with: z.array(workflowName),
})
export type WorkflowPreview = z.output<typeof workflowPreview>

export const previewWorkflow = defineRoute({
  method: 'POST',
  path: '/api/workflows/:id/preview',
  access: 'workflow.view',
  tag: 'Workflows',
  summary: 'What each step of a workflow would send for an input; nothing is sent',
  bodyLimitBytes: definitionMaxBytes,
  hasExactBody: true,
  params: idParams,
  /** A JSON value, or JSON as text; absent: the sample. */
  body: strictFields({ input: z.unknown().optional() }),
  response: workflowPreview,
})

/** What steps answered when they were run on a sample. */
const sampleAnswers = z
  .array(
    strictFields({
      position: z.number().int().min(1).max(workflowStepsMax.general),
      status: z.number().int().nullable().default(null),
      /** JSON, XML or text, as it came. */
      body: z.string().max(sampleAnswerMaxCharacters),
    }),
  )
  .max(workflowStepsMax.general)
  .default([])
export type SampleAnswers = z.output<typeof sampleAnswers>

const unsaved = strictFields({
  definition: workflowInput,
  input: z.unknown().optional(),
  /** With them a step that takes values from earlier answers is known too. */
  answers: sampleAnswers,
})

export const previewUnsavedWorkflow = defineRoute({
  method: 'POST',
  path: '/api/workflows/preview',
  access: 'workflow.view',
  tag: 'Workflows',
  summary: 'The same for a definition that is not saved',
  bodyLimitBytes: definitionMaxBytes,
  hasExactBody: true,
  body: unsaved,
  response: workflowPreview,
})

/**
 * Runs one step of a definition that is not saved, as a run of one step that the history shows. It goes to the test
 * address of its API, which needs tax.test; without one, only what reads is sent. What does not read needs
 * request.send. The caller needs access to the endpoint.
 */
export const runWorkflowStep = defineRoute({
  method: 'POST',
  path: '/api/workflows/run-step',
  access: 'request.fetch',
  tag: 'Workflows',
  summary: 'Run one step of a workflow on a sample',
  bodyLimitBytes: definitionMaxBytes,
  hasExactBody: true,
  body: unsaved.extend({ position: z.number().int().min(1).max(workflowStepsMax.general) }),
  response: z.object({
    run: runSummary,
    at: z.enum(['test', 'address']),
    /** Null without an answer: see the run. */
    status: z.number().int().nullable(),
    took_ms: z.number().nullable(),
    /** Without what was sent as a credential; null without an answer. */
    body: z.string().nullable(),
    is_whole: z.boolean(),
  }),
})
export type WorkflowStepRun = z.output<(typeof runWorkflowStep)['response']>
