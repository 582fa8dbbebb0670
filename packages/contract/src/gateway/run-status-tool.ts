import { statusTool, type WorkflowTool } from './agent-questions.ts'

/** What became of a run that the user of the token has started. */
export const runStatusTool: WorkflowTool = {
  name: statusTool,
  listed: JSON.stringify({
    name: statusTool,
    title: 'State of a run',
    description:
      'Says what became of a run that was started with tokens of the same user, of a workflow or of a call that a person has to release: its state, outcome, reference and answers. Name it by its id, by the idempotency_key that it was started with, or by its reference; of several the newest is shown.',
    inputSchema: {
      type: 'object',
      properties: {
        id: { type: 'integer', minimum: 1 },
        idempotency_key: { type: 'string', minLength: 1, maxLength: 200 },
        reference: { type: 'string', minLength: 1, maxLength: 200 },
      },
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  }),
}
