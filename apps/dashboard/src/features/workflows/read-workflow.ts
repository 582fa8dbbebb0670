import type { WorkflowDefinition, WorkflowRecord, WorkflowVersionRow } from '@gatehouse/contract'
import {
  isExactObject,
  ownValue,
  parseExact,
  stringifyExact,
  type ExactJson,
} from '@gatehouse/contract/mapping'

/** The parts of a definition that are JSON of others, as text with their numbers as they were saved. */
interface ExactParts {
  schemaText: string
  sampleText: string
}

type Definition = Omit<WorkflowDefinition, 'input_schema' | 'sample_input'> & ExactParts
export type Workflow = Omit<WorkflowRecord, 'input_schema' | 'sample_input'> & ExactParts
export type WorkflowVersion = WorkflowVersionRow & { definition: Definition }

export function readWorkflow(text: string): Workflow {
  const { input_schema: _, sample_input: __, ...record } = JSON.parse(text) as WorkflowRecord
  return { ...record, ...exactParts(parseExact(text)) }
}

export function readWorkflowVersion(text: string): WorkflowVersion {
  const answer = JSON.parse(text) as WorkflowVersionRow & { definition: WorkflowDefinition }
  const { input_schema: _, sample_input: __, ...definition } = answer.definition
  const exact = parseExact(text)
  const parts = exactParts(isExactObject(exact) ? (ownValue(exact, 'definition') ?? null) : null)
  return { ...answer, definition: { ...definition, ...parts } }
}

function exactParts(definition: ExactJson): ExactParts {
  const textOf = (name: string) => {
    const value = isExactObject(definition) ? ownValue(definition, name) : undefined
    return value === undefined || value === null ? '' : stringifyExact(value, 2)
  }
  return { schemaText: textOf('input_schema'), sampleText: textOf('sample_input') }
}
