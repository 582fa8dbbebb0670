import { z } from 'zod'
import { conditionTests } from '../endpoints/answer-rule.ts'

export const workflowKinds = ['tax', 'credit', 'general'] as const
export type WorkflowKind = (typeof workflowKinds)[number]

/** `paused`: no new run is taken; runs that were taken are carried out. */
export const workflowStatuses = ['active', 'paused'] as const
export type WorkflowStatus = (typeof workflowStatuses)[number]

/** Whose runs wait until a person releases them: those of agents, or those of every personal token. */
export const releaseCallers = ['nobody', 'agents', 'tokens'] as const
export const releaseHoursDefault = 24
export type ReleaseCallers = (typeof releaseCallers)[number]

/** The most steps of a workflow, by kind (spec: workflows). */
export const workflowStepsMax: Record<WorkflowKind, number> = { tax: 4, credit: 3, general: 10 }

/** The most inputs that one run of a batch takes: an authority takes that many documents at once. */
export const inputsPerRunMax = 1000

/** The largest input of one run. */
export const workflowInputMaxBytes = 1024 * 1024

const mappingRow = z.object({
  source: z.string(),
  from: z.string(),
  to: z.string(),
  type: z.string(),
  custom_input: z.string(),
})
export type WorkflowMappingRow = z.output<typeof mappingRow>

/** What a step sends: text with placeholders, rows over input and answers, or nothing. */
const workflowStepBody = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('template'), text: z.string() }),
  z.object({ kind: z.literal('mapping'), rows: z.array(mappingRow) }),
  z.object({ kind: z.literal('none') }),
])
export type WorkflowStepBody = z.output<typeof workflowStepBody>

/** A step whose condition does not hold is skipped. `statuses` is blank over the input. */
const workflowCondition = z.object({
  source: z.string(),
  statuses: z.string(),
  join: z.enum(['all', 'any']),
  conditions: z.array(
    z.object({ path: z.string(), test: z.enum(conditionTests), value: z.string() }),
  ),
})
export type WorkflowCondition = z.output<typeof workflowCondition>

const workflowStep = z.object({
  endpoint_id: z.number().int(),
  body: workflowStepBody,
  condition: workflowCondition.nullable(),
})
export type WorkflowStep = z.output<typeof workflowStep>

/** How the runs of one or several workflows are carried out (spec: lanes). */
export const laneSettings = z.object({
  /** Workflows with the same lane share it. */
  name: z.string(),
  /** Runs under way at once, over all servers: 1 to 64. */
  concurrency: z.number().int(),
  /** Calls, over all servers; null: no limit. */
  per_second: z.number().int().nullable(),
  per_minute: z.number().int().nullable(),
  per_hour: z.number().int().nullable(),
  /** A run that has not been sent within this time is not sent any more; null: no deadline. */
  max_age_minutes: z.number().int().nullable(),
  /** Runs with the same order key go one after the other, in the order in which they were taken. */
  is_strict_order: z.boolean(),
})
export type LaneSettings = z.output<typeof laneSettings>

/** Where the results of runs and batches are sent (spec: triggers). Its secret is kept apart. */
export const workflowCallback = z.object({ url: z.string() })
export type WorkflowCallback = z.output<typeof workflowCallback>

/** What a version of a workflow holds, as it is stored and shown. */
export const workflowDefinition = z.object({
  name: z.string(),
  slug: z.string(),
  kind: z.enum(workflowKinds),
  status: z.enum(workflowStatuses),
  description: z.string(),
  /** A JSON Schema (2020-12), as an object; null: any JSON is accepted. */
  input_schema: z.unknown(),
  /** For preview and tests; null: none. */
  sample_input: z.unknown(),
  /** A path into the input; blank: none. */
  reference_path: z.string(),
  order_key_path: z.string(),
  /**
   * How many inputs of a batch one run takes (spec: batches). Where it is more than 1, the input of every
   * run is a list of inputs. Absent: 1.
   */
  inputs_per_run: z.number().int().optional(),
  /** Absent: nobody's. */
  needs_release: z.enum(releaseCallers).optional(),
  /** Not released within this time, a run is cancelled. Absent: 24 hours. */
  release_hours: z.number().int().optional(),
  lane: laneSettings,
  steps: z.array(workflowStep),
  /** Null: results are not sent. */
  callback: workflowCallback.nullable(),
})
export type WorkflowDefinition = z.output<typeof workflowDefinition>
