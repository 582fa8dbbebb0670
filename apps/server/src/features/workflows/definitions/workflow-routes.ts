import {
  createWorkflow,
  deleteWorkflow,
  listWorkflows,
  listWorkflowVersions,
  previewUnsavedWorkflow,
  previewWorkflow,
  restoreWorkflowVersion,
  runWorkflowStep,
  setWorkflowCallback,
  showWorkflow,
  showWorkflowVersion,
  updateWorkflow,
  workflowForm,
  type WorkflowRecord,
} from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../../kernel/mount.ts'
import { toPage } from '../../../kernel/to-page.ts'
import { laneOf, toListed, toShown } from './stored-definition.ts'
import type { StepRunner } from './step-runner.ts'
import type { WorkflowPreviewer } from './workflow-preview.ts'
import type { WorkflowService } from './workflow-service.ts'
import type { VersionRow } from './workflow-store.ts'

export function workflowRoutes(
  app: FastifyInstance,
  workflows: WorkflowService,
  previewer: WorkflowPreviewer,
  runner: StepRunner,
): void {
  mount(app, listWorkflows, async ({ query }) =>
    toPage(await workflows.list(query), query, toListed),
  )
  mount(app, workflowForm, async ({ query }, { caller }) => {
    const { endpoints, lanes } = await workflows.form(query, caller)
    return {
      endpoints,
      lanes: lanes.map((lane) => ({ ...lane, is_strict_order: lane.is_strict_order === 1 })),
    }
  })
  mount(app, createWorkflow, async ({ body }, context) =>
    toRecord(await workflows.create({ definition: body, bodyText: context.bodyText }, context)),
  )
  mount(app, showWorkflow, async ({ params }) => toRecord(await workflows.get(params.id)))
  mount(app, updateWorkflow, async ({ params, body }, context) =>
    toRecord(
      await workflows.update(params.id, { definition: body, bodyText: context.bodyText }, context),
    ),
  )
  mount(app, deleteWorkflow, ({ params }, context) => workflows.remove(params.id, context))
  mount(app, listWorkflowVersions, async ({ params, query }) => {
    const { current, ...listing } = await workflows.listVersions(params.id, query)
    return toPage(listing, query, (row) => toVersionRow(row, current))
  })
  mount(app, showWorkflowVersion, async ({ params }) => {
    const { current, definition, ...row } = await workflows.getVersion(params.id, params.version)
    return { ...toVersionRow(row, current), definition: toShown(definition) as never }
  })
  mount(app, restoreWorkflowVersion, async ({ params, body }, context) =>
    toRecord(await workflows.restore(params.id, params.version, body?.version, context)),
  )
  mount(app, setWorkflowCallback, async ({ params, body }, context) => {
    const { row, callback } = await workflows.setCallback(params.id, body, context)
    return { callback, version: row.version }
  })
  mount(app, previewWorkflow, ({ params, body }, { bodyText, caller }) =>
    previewer.saved(params.id, body.input, bodyText, caller),
  )
  mount(app, previewUnsavedWorkflow, ({ body }, { bodyText, caller }) =>
    previewer.unsaved(body, bodyText, caller),
  )
  mount(app, runWorkflowStep, ({ body }, context) => runner.run(body, context))
}

const toVersionRow = (
  row: Omit<VersionRow, 'workflow_id' | 'user_id' | 'definition'>,
  current: number,
) => ({
  version: row.version,
  created_at: row.created_at,
  user_name: row.user_name,
  is_current: row.version === current,
  changes: row.changes === '' ? [] : row.changes.split(','),
})

/** The parts of the definition that are JSON of others keep their numbers. */
function toRecord({
  row,
  callback,
  endpoints,
  shared,
}: Awaited<ReturnType<WorkflowService['get']>>) {
  const record = {
    ...toShown(row.definition),
    lane: laneOf(row),
    callback,
    id: row.id,
    version: row.version,
    created_at: row.created_at,
    updated_at: row.updated_at,
    updated_by: row.user_name,
    endpoints: endpoints.map(({ id, summary, method_type, path, api_id, api_name }) => ({
      id,
      summery: summary,
      method_type,
      path,
      api: { id: api_id, name: api_name },
    })),
    lane_shared_with: shared,
  }
  return record as unknown as WorkflowRecord
}
