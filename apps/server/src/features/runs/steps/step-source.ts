import type { WorkflowMappingRow } from '@gatehouse/contract'
import type { BodyFormat } from '@gatehouse/contract/request'
import type { MappingMoment } from '@gatehouse/contract/mapping'
import type { DependencyField } from './dependency-pick.ts'
import type { Placeholder } from '@gatehouse/contract/placeholders'
import type { StepCondition } from './step-condition.ts'

/** A step's body as it was typed, read once. */
export interface StepSource {
  position: number
  format: BodyFormat
  /** What was typed; of mapping rows, their JSON. */
  text: string
  /**
   * The body where nothing has to be taken any more: the typed text, with four braces made two.
   * Undefined where values are filled in.
   */
  plain: string | undefined
  /** Null where the step depends on no fields. */
  dependency: DependencyField[] | null
  /** The placeholders, fields and rows that it takes from earlier answers, as written. */
  takes: string[]
  /** The body is mapped by these rows instead of typed. */
  rows?: readonly WorkflowMappingRow[]
  /** What `now()` and `uuid()` of its rows give. */
  moment?: MappingMoment
  /** Over an earlier answer: decided when the step's turn comes. */
  condition?: StepCondition
}

export type ReadSource =
  | { ok: true; source: StepSource; placeholders: Placeholder[] }
  | { ok: false; field: 'body' | 'dependency_field'; message: string }

export type ResolvedBody = { ok: true; text: string } | { ok: false; message: string }
