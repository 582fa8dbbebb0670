import { z } from 'zod'
import { confirmHeld, requiredText, strictFields, text } from '../kernel/fields.ts'
import { idParams } from '../kernel/paging.ts'
import { defineRoute } from '../kernel/route.ts'
import { workflowPreviewStep } from '../workflows/workflow-preview.ts'
import { runSummary } from './run-summary.ts'

const releasePreview = z.object({
  /** A digest of what would be sent. A release names it: other content is not released by it. */
  content: z.string(),
  /** Whether the caller may decide, or why not. */
  is_allowed: z.boolean(),
  refusal: z.string().nullable(),
  steps: z.array(workflowPreviewStep),
  /** What is wrong with the input now; such a run can't be released. */
  input_problems: z.record(z.string(), z.array(z.string())),
  /** The last run of the workflow that succeeded, and what its steps sent; null: there is none. */
  last: z
    .object({
      id: z.number().int(),
      created_at: z.string(),
      steps: z.array(
        z.object({
          position: z.number().int(),
          method: z.string(),
          url: z.string(),
          body: z.string().nullable(),
        }),
      ),
    })
    .nullable(),
})
export type ReleasePreview = z.output<typeof releasePreview>

/** 409 where the run does not wait for its release. */
export const previewRelease = defineRoute({
  method: 'GET',
  path: '/api/runs/:id/release',
  access: 'run.view',
  tag: 'Runs',
  summary: 'What a run that waits for its release would send, beside what the last one sent',
  params: idParams,
  response: releasePreview,
})

const decided = z.object({ message: z.string(), run: runSummary })

/**
 * The run goes to its lane and is sent once. Of two who decide at once, the second gets a 409; so does one whose
 * `content` is not what would be sent now. 403 for the user whose token started the run. A call of an agent is sent at
 * once: while the installation is held, that needs a confirmation.
 */
export const releaseRun = defineRoute({
  method: 'POST',
  path: '/api/runs/:id/release',
  access: 'run.release',
  tag: 'Runs',
  summary: 'Release a run: it is sent as it was shown',
  params: idParams,
  body: strictFields({
    content: requiredText(64, 'content'),
    note: text(1000, 'note', { isMultiline: true }),
    confirm_held: confirmHeld,
  }),
  response: decided,
})

export const refuseRun = defineRoute({
  method: 'POST',
  path: '/api/runs/:id/refuse',
  access: 'run.release',
  tag: 'Runs',
  summary: 'Refuse a run that waits for its release: nothing of it is sent',
  params: idParams,
  body: strictFields({ note: requiredText(1000, 'note', { isMultiline: true }) }),
  response: decided,
})
