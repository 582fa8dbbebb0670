import { findWorkflowRuns, showWorkflowRun, startWorkflowRun } from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../../kernel/mount.ts'
import type { WorkflowRunCaller } from './workflow-run-caller.ts'
import type { WorkflowRunService } from './workflow-run-service.ts'

export function workflowRunRoutes(
  app: FastifyInstance,
  runs: WorkflowRunService,
  caller: WorkflowRunCaller,
): void {
  mount(app, startWorkflowRun, ({ params, query, body }, context) =>
    caller.call({ slug: params.slug, inputText: body, isTest: query.test }, context),
  )
  mount(app, showWorkflowRun, async ({ params, query }, context) => ({
    run: await runs.show(params, query.answers, context.caller),
  }))
  mount(app, findWorkflowRuns, async ({ params, query }, context) => ({
    runs: await runs.list(params.slug, query, context.caller),
  }))
}
