import { z } from 'zod'
import { strictFields } from '../kernel/fields.ts'
import { idParams } from '../kernel/paging.ts'
import { defineRoute } from '../kernel/route.ts'
import { effects } from '../runs/run-summary.ts'
import { workflowInput } from './workflow-input.ts'
import { definitionMaxBytes, workflowName } from './workflows.ts'

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

export const previewUnsavedWorkflow = defineRoute({
  method: 'POST',
  path: '/api/workflows/preview',
  access: 'workflow.view',
  tag: 'Workflows',
  summary: 'The same for a definition that is not saved',
  bodyLimitBytes: definitionMaxBytes,
  hasExactBody: true,
  body: strictFields({ definition: workflowInput, input: z.unknown().optional() }),
  response: workflowPreview,
})
