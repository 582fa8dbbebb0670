import type { FastifyInstance } from 'fastify'
import { WorkflowPreviewer } from './workflow-preview.ts'
import { workflowRoutes } from './workflow-routes.ts'
import { WorkflowService, type WorkflowServiceOptions } from './workflow-service.ts'

/** Wires the definitions of workflows: their versions and their preview. */
export function createWorkflows(options: WorkflowServiceOptions) {
  const service = new WorkflowService(options)
  const previewer = new WorkflowPreviewer(options)
  return { service, mountOn: (app: FastifyInstance) => workflowRoutes(app, service, previewer) }
}
