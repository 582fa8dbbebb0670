import { createHash } from 'node:crypto'
import type {
  LaneSettings,
  WorkflowCallback,
  WorkflowDefinition,
  WorkflowInput,
} from '@gatehouse/contract'
import {
  isExactObject,
  objectFrom,
  ownValue,
  parseExact,
  stringifyExact,
  type ExactJson,
  type ExactObject,
} from '@gatehouse/contract/mapping'
import { readRow } from '../../../db/tables/column.ts'
import { laneForm, workflowListed } from '../../../db/tables/workflows.ts'
import type { Row } from '../../../db/tables.ts'
import type { StoredWorkflow } from './workflow-store.ts'

/** JSON of others in a definition, as text; null: none. */
interface ExactTexts {
  input_schema: string | null
  sample_input: string | null
}

/** A definition that may be saved. */
export type CheckedDefinition = Omit<
  WorkflowInput,
  'version' | 'callback' | 'input_schema' | 'sample_input'
> &
  ExactTexts & { callback: WorkflowCallback | null }

const storedMax = { maxBytes: 16 * 1024 * 1024, maxDepth: 64 }

/** The text that a version keeps: numbers in schema and sample are as they were sent. */
export function toStored({ input_schema, sample_input, ...plain }: CheckedDefinition): string {
  const entries = Object.entries(JSON.parse(JSON.stringify(plain)) as Record<string, ExactJson>)
  return stringifyExact(
    objectFrom([
      ...entries,
      ['input_schema', exactOf(input_schema)],
      ['sample_input', exactOf(sample_input)],
    ]),
  )
}

const exactOf = (text: string | null) => (text === null ? null : parseExact(text, storedMax))

/** A definition for answers, in which schema and sample keep their numbers. */
export function toShown(stored: string): ExactObject {
  const shown = parseExact(stored, storedMax)
  if (!isExactObject(shown)) throw new Error('A stored definition is no object.')
  return shown
}

/** A definition to work with. Schema and sample are text. */
export function fromStored(stored: string): CheckedDefinition {
  const shown = toShown(stored)
  const textAt = (key: string) => {
    const value = ownValue(shown, key) ?? null
    return value === null ? null : stringifyExact(value)
  }
  const plain = JSON.parse(stored) as WorkflowDefinition
  return {
    inputs_per_run: undefined,
    needs_release: undefined,
    release_hours: undefined,
    ...plain,
    input_schema: textAt('input_schema'),
    sample_input: textAt('sample_input'),
  }
}

/** A workflow as a list shows it. */
export const toListed = (row: Row<'workflow'> & { lane_name: string }) => ({
  ...readRow(workflowListed, row),
  lane: row.lane_name,
})

/** Settings of a lane that several workflows share are those of the last save of any of them. */
export const laneOf = (row: StoredWorkflow): LaneSettings =>
  readRow(laneForm, { ...row, name: row.lane_name })

/** The definition in force: the version, with the lane as it is now. */
export const currentOf = (row: StoredWorkflow): CheckedDefinition => ({
  ...fromStored(row.definition),
  lane: laneOf(row),
})

/** Longer texts are named by their digest: events of the audit trail stay small. */
const auditedMax = 2000

/** What the audit trail shows of a definition. */
export function auditedDefinition(definition: CheckedDefinition, version: number) {
  const short = (text: string | null) =>
    text === null || text.length <= auditedMax
      ? text
      : `sha256:${createHash('sha256').update(text).digest('hex')}`
  const { input_schema, sample_input, steps, ...plain } = definition
  return {
    ...plain,
    steps: short(JSON.stringify(steps)),
    input_schema: short(input_schema),
    sample_input: short(sample_input),
    version,
  }
}

/** The names of the fields that differ. */
export function changesOf(before: CheckedDefinition, after: CheckedDefinition): string[] {
  const names = Object.keys(after) as (keyof CheckedDefinition)[]
  const textOf = (value: unknown) => JSON.stringify(value, sorted)
  return names.filter((name) => textOf(before[name]) !== textOf(after[name])).toSorted()
}

/** Keys in one order, so that equal values have equal texts. */
const sorted = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value
