import { statusTool, workflowPrefix, type WorkflowTool } from '@gatehouse/contract/gateway'
import type { WorkflowDefinition } from '@gatehouse/contract'
import { stringifyExact, type ExactJson } from '@gatehouse/contract/mapping'
import { rebased } from '../openapi/describe-workflow.ts'

export const toolOf = (slug: string) => workflowPrefix + slug.replaceAll('-', '_')
/** A slug has no underscore. */
export const slugOfTool = (tool: string) => tool.slice(workflowPrefix.length).replaceAll('_', '-')

const keyText =
  'Names this piece of work: 8 to 200 visible characters, such as a new UUID. The same key with the same input is the same run, however often it is called.'

interface Described {
  slug: string
  definition: WorkflowDefinition
}

/** A workflow as `tools/list` shows it. */
export function workflowTool({ slug, definition }: Described): WorkflowTool {
  const name = toolOf(slug)
  const input = inputSchema(definition.input_schema)
  const properties = `{"input":${input},"idempotency_key":${JSON.stringify(keySchema)}}`
  const schema = `{"type":"object","properties":${properties},"required":["input","idempotency_key"],"additionalProperties":false}`
  const head = JSON.stringify({ name, title: definition.name, description: textOf(definition) })
  return {
    name,
    listed: `${head.slice(0, -1)},"inputSchema":${schema},"annotations":${JSON.stringify(hints)}}`,
  }
}

const keySchema = { type: 'string', minLength: 8, maxLength: 200, description: keyText }
const hints = {
  readOnlyHint: false,
  destructiveHint: true,
  // By the key, which is required.
  idempotentHint: true,
  openWorldHint: true,
}

/** Of the configuration alone: nothing that an upstream has said is in it. */
function textOf({ name, description, needs_release }: WorkflowDefinition): string {
  const waits =
    needs_release === undefined || needs_release === 'nobody'
      ? ''
      : ' A person has to release each run before anything of it is sent.'
  return [
    description || `Runs the workflow ${name}.`,
    `It is carried out in the background; the answer waits up to 30 seconds for the end.${waits} The tool ${statusTool} says what became of a run.`,
  ].join('\n\n')
}

/** References of a schema to its own parts point to where it stands, unless it names itself. */
function inputSchema(schema: unknown): string {
  if (typeof schema !== 'object' || schema === null) return '{}'
  const own = '$id' in schema ? schema : rebased(schema, '#/properties/input')
  return stringifyExact(own as ExactJson)
}
