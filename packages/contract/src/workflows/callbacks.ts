import { z } from 'zod'
import { strictFields, version } from '../kernel/fields.ts'
import { idParams } from '../kernel/paging.ts'
import { defineRoute } from '../kernel/route.ts'
import { callbackInput } from './workflow-input.ts'
import { callbackRecord } from './workflows.ts'

/** Makes a version that differs in its callback only; null: results are sent no more. */
export const setWorkflowCallback = defineRoute({
  method: 'PUT',
  path: '/api/workflows/:id/callback',
  access: 'workflow.edit',
  tag: 'Workflows',
  summary: 'Set where the results of a workflow are sent',
  params: idParams,
  body: strictFields({ callback: callbackInput.nullable(), version }),
  response: z.object({ callback: callbackRecord.nullable(), version: z.number().int() }),
})

/** Leaves a message of the type `test` in the outbox, which is sent at once: see the deliveries. */
export const testWorkflowCallback = defineRoute({
  method: 'POST',
  path: '/api/workflows/:id/callback/test',
  access: 'workflow.edit',
  tag: 'Workflows',
  summary: 'Send a test message to the callback of a workflow',
  status: 202,
  params: idParams,
  response: z.object({ delivery_id: z.number().int() }),
})
