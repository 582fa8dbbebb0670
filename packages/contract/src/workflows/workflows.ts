import { z } from 'zod'
import { idMax, strictFields, version } from '../kernel/fields.ts'
import { idParams, listQuery, pageOf } from '../kernel/paging.ts'
import { defineRoute } from '../kernel/route.ts'
import { endpointOption, endpointOptionQuery } from '../runs/endpoint-option.ts'
import {
  laneSettings,
  workflowCallback,
  workflowDefinition,
  workflowKinds,
  workflowStatuses,
} from './workflow-fields.ts'
import { workflowInput } from './workflow-input.ts'

/** A definition with its schema, its sample and its rows. */
export const definitionMaxBytes = 4 * 1024 * 1024

/** Another workflow. */
export const workflowName = z.object({ id: z.number().int(), slug: z.string(), name: z.string() })

const workflowListRow = workflowName.extend({
  kind: z.enum(workflowKinds),
  status: z.enum(workflowStatuses),
  description: z.string(),
  version: z.number().int(),
  lane: z.string(),
  steps_count: z.number().int(),
  updated_at: z.string(),
})
export type WorkflowListRow = z.output<typeof workflowListRow>

export const callbackRecord = workflowCallback.extend({
  /** In the answer to the save that generated it, and never again. */
  secret: z.string().nullable(),
  /** When the present secret was set. */
  secret_set_at: z.string().nullable(),
  /** Until then messages are also signed with the secret before. */
  old_secret_until: z.string().nullable(),
})

const workflowRecord = workflowDefinition.extend({
  id: z.number().int(),
  version: z.number().int(),
  created_at: z.string(),
  updated_at: z.string(),
  callback: callbackRecord.nullable(),
  /** Who saved this version. */
  updated_by: z.string(),
  /** The endpoints of the steps that still exist. */
  endpoints: z.array(
    z.object({
      id: z.number().int(),
      summery: z.string(),
      method_type: z.string(),
      path: z.string(),
      api: z.object({ id: z.number().int(), name: z.string() }),
    }),
  ),
  /** Other workflows with the same lane: they share its settings. */
  lane_shared_with: z.array(workflowName),
})
export type WorkflowRecord = z.output<typeof workflowRecord>

const recordAnswer = {
  /** `sample_input` and `input_schema` keep their numbers: read it with a lossless parser. */
  hasExactNumbers: true,
  response: workflowRecord,
} as const

const workflowVersionRow = z.object({
  version: z.number().int(),
  created_at: z.string(),
  user_name: z.string(),
  is_current: z.boolean(),
  /** The fields that differ from the version before; empty for the first. */
  changes: z.array(z.string()),
})
export type WorkflowVersionRow = z.output<typeof workflowVersionRow>

const versionParams = idParams.extend({
  version: z.coerce.number().int().positive().max(idMax),
})

export const listWorkflows = defineRoute({
  method: 'GET',
  path: '/api/workflows',
  access: 'workflow.view',
  tag: 'Workflows',
  summary: 'List workflows',
  query: listQuery(['id', 'name', 'slug', 'kind', 'status', 'updated_at']).extend({
    kind: z.enum(workflowKinds).optional(),
    status: z.enum(workflowStatuses).optional(),
  }),
  response: pageOf(workflowListRow),
})

export const workflowForm = defineRoute({
  method: 'GET',
  path: '/api/workflows/create',
  access: 'workflow.view',
  tag: 'Workflows',
  summary: 'What the form needs: endpoints that the caller may call, and lanes',
  query: endpointOptionQuery,
  response: z.object({ endpoints: z.array(endpointOption), lanes: z.array(laneSettings) }),
})

export const createWorkflow = defineRoute({
  method: 'POST',
  path: '/api/workflows',
  access: 'workflow.create',
  tag: 'Workflows',
  summary: 'Save a workflow as its first version',
  status: 201,
  bodyLimitBytes: definitionMaxBytes,
  hasExactBody: true,
  body: workflowInput,
  ...recordAnswer,
})

export const showWorkflow = defineRoute({
  method: 'GET',
  path: '/api/workflows/:id',
  access: 'workflow.view',
  tag: 'Workflows',
  summary: 'One workflow with its definition',
  params: idParams,
  ...recordAnswer,
})

export const updateWorkflow = defineRoute({
  method: 'PUT',
  path: '/api/workflows/:id',
  access: 'workflow.edit',
  tag: 'Workflows',
  summary: 'Save a workflow as a new version',
  bodyLimitBytes: definitionMaxBytes,
  hasExactBody: true,
  params: idParams,
  body: workflowInput,
  ...recordAnswer,
})

export const deleteWorkflow = defineRoute({
  method: 'DELETE',
  path: '/api/workflows/:id',
  access: 'workflow.delete',
  tag: 'Workflows',
  summary: 'Delete a workflow; its runs stay in the ledger',
  status: 204,
  params: idParams,
})

export const listWorkflowVersions = defineRoute({
  method: 'GET',
  path: '/api/workflows/:id/versions',
  access: 'workflow.view',
  tag: 'Workflows',
  summary: 'The versions of a workflow, newest first',
  params: idParams,
  query: listQuery(['version']),
  response: pageOf(workflowVersionRow),
})

export const showWorkflowVersion = defineRoute({
  method: 'GET',
  path: '/api/workflows/:id/versions/:version',
  access: 'workflow.view',
  tag: 'Workflows',
  summary: 'One version of a workflow',
  params: versionParams,
  hasExactNumbers: true,
  response: workflowVersionRow.extend({ definition: workflowDefinition }),
})

export const restoreWorkflowVersion = defineRoute({
  method: 'POST',
  path: '/api/workflows/:id/versions/:version/restore',
  access: 'workflow.edit',
  tag: 'Workflows',
  summary: 'Save an earlier version of a workflow again, as a new version',
  params: versionParams,
  /** `version`: the one that is replaced, as the screen shows it. */
  body: strictFields({ version }).optional(),
  ...recordAnswer,
})
