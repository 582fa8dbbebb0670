import type { FastifyInstance } from 'fastify'
import { StepRunner, type StepRunnerOptions } from './step-runner.ts'
import { WorkflowPreviewer } from './workflow-preview.ts'
import { workflowRoutes } from './workflow-routes.ts'
import { WorkflowService, type WorkflowServiceOptions } from './workflow-service.ts'

/** Wires the definitions of workflows: their versions, their preview and runs of single steps. */
export function createWorkflows(options: WorkflowServiceOptions & StepRunnerOptions) {
  const service = new WorkflowService(options)
  const previewer = new WorkflowPreviewer(options)
  const runner = new StepRunner(options)
  return {
    service,
    mountOn: (app: FastifyInstance) => workflowRoutes(app, service, previewer, runner),
  }
}
