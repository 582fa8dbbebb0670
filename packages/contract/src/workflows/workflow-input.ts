import { z } from 'zod'
import { answerCondition, conditionsMax, optionalPath } from '../endpoints/answer-rule-input.ts'
import { parseStatuses } from '../endpoints/answer-rule.ts'
import { documentPathProblem } from '../runs/settings/document-path.ts'
import { acrossFields, type SoFar } from '../kernel/across-fields.ts'
import {
  choice,
  flag,
  isId,
  optionalInteger,
  requiredText,
  strictFields,
  text,
  version,
} from '../kernel/fields.ts'
import { mappingLimits } from '../mapping/mapping-limits.ts'
import type { MappingRow } from '../mapping/mapping-rows.ts'
import { mappingRowProblems } from '../mapping/mapping-row-problems.ts'
import {
  inputsPerRunMax,
  releaseCallers,
  workflowKinds,
  workflowStatuses,
  workflowStepsMax,
} from './workflow-fields.ts'
import type { WorkflowKind, WorkflowStepBody } from './workflow-fields.ts'
import { callbackUrlProblem, webhookSecret } from './webhook-secret.ts'
import { stepOfSource } from './workflow-source.ts'

/** The longest body that can be typed for a step. */
const templateMaxLength = 262_144

const source = text(20, 'source').superRefine((value, context) => {
  if (stepOfSource(value) === undefined)
    context.addIssue({ code: 'custom', message: 'Choose the input, or the answer of a step.' })
})

/** Kept as typed: paths, texts and types of a mapping are judged by the mapping itself. */
const typed = (maxLength: number, label: string) =>
  z
    .union([z.string(), z.null()], { error: `The ${label} must be text.` })
    .optional()
    .transform((value) => value ?? '')
    .refine((value) => value.length <= maxLength, {
      error: `The ${label} may not be longer than ${maxLength} characters.`,
    })

const mappingRow = strictFields({
  source,
  from: typed(2000, 'From'),
  to: typed(300, 'To'),
  type: typed(50, 'type'),
  custom_input: typed(65_536, 'Custom Input'),
}).superRefine(
  ...acrossFields<MappingRow>((row, context) => {
    const { from = '', to = '', type = '', custom_input = '' } = row
    for (const { field, message } of mappingRowProblems({ from, to, type, custom_input }))
      context.addIssue({ code: 'custom', path: field === 'rows' ? [] : [field], message })
  }),
)

const stepBody = z.discriminatedUnion(
  'kind',
  [
    strictFields({ kind: z.literal('template'), text: typed(templateMaxLength, 'body') }),
    strictFields({
      kind: z.literal('mapping'),
      rows: z
        .array(mappingRow, { error: 'The rows must be a list.' })
        .min(1, { error: 'Add a row.' })
        .max(mappingLimits.rows, { error: `At most ${mappingLimits.rows} rows are possible.` }),
    }),
    strictFields({ kind: z.literal('none') }),
  ],
  { error: 'Choose what the step sends: a template, mapping rows, or nothing.' },
)

interface ConditionShape {
  source: string
  statuses: string
  conditions: readonly unknown[]
}

const stepCondition = strictFields({
  source,
  statuses: text(200, 'statuses').superRefine((value, context) => {
    const parsed = parseStatuses(value)
    if (!parsed.ok) context.addIssue({ code: 'custom', message: parsed.message })
  }),
  join: z.enum(['all', 'any'], { error: 'Use all or any.' }).default('all'),
  conditions: z
    .array(answerCondition, { error: 'The conditions must be a list.' })
    .max(conditionsMax, { error: `A rule takes at most ${conditionsMax} conditions.` })
    .default([]),
}).superRefine(
  ...acrossFields<ConditionShape>((condition, context) => {
    const { source: from, statuses, conditions } = condition
    if (from === 'input' && statuses !== undefined && statuses !== '')
      context.addIssue({ code: 'custom', path: ['statuses'], message: 'The input has no status.' })
    else if (conditions?.length === 0 && (statuses ?? '') === '')
      context.addIssue({ code: 'custom', path: ['conditions'], message: 'Add a condition.' })
  }),
)

const step = strictFields({
  endpoint_id: z
    .union([z.number(), z.string(), z.null()], { error: 'Choose an endpoint.' })
    .optional()
    .transform((value) => Number(value ?? 0))
    .refine(isId, { error: 'Choose an endpoint.' }),
  body: stepBody,
  condition: stepCondition.nullish().transform((value) => value ?? null),
})

/** What a step may read: the input, and the answers of steps before it. */
function sourcesOf(body: SoFar<WorkflowStepBody> | undefined) {
  const rows = (body?.kind === 'mapping' && body.rows) || []
  return rows.map((row, index) => ({
    source: row?.source,
    path: ['body', 'rows', index, 'source'],
  }))
}

const steps = z
  .array(step, { error: 'The steps must be a list.' })
  .min(1, { error: 'Add a step.' })
  .max(workflowStepsMax.general, {
    error: `A workflow has at most ${workflowStepsMax.general} steps.`,
  })

/** A path into the input that leads to one value. */
const inputPath = (label: string) =>
  optionalPath(label).superRefine((value, context) => {
    const message = documentPathProblem(value)
    if (message !== undefined) context.addIssue({ code: 'custom', message })
  })

const lane = strictFields({
  name: requiredText(60, 'lane'),
  concurrency: optionalInteger('concurrency', 1, 64).transform((value) => value ?? 4),
  per_second: optionalInteger('rate per second', 1, 10_000),
  per_minute: optionalInteger('rate per minute', 1, 600_000),
  per_hour: optionalInteger('rate per hour', 1, 36_000_000),
  max_age_minutes: optionalInteger('deadline', 1, 525_600),
  is_strict_order: flag,
})

const callbackUrl = requiredText(2000, 'URL').superRefine((value, context) => {
  const message = value === '' ? undefined : callbackUrlProblem(value)
  if (message !== undefined) context.addIssue({ code: 'custom', message })
})

/**
 * Without `secret` the stored one stays; without a stored one, or with `new_secret`, one is generated and
 * shown once, in the answer. Where the URL leads to another host, one of the two is needed.
 */
export const callbackInput = strictFields({
  url: callbackUrl,
  secret: webhookSecret,
  new_secret: flag,
})

interface Shape {
  kind: WorkflowKind
  steps: z.output<typeof steps>
}

interface Grouped {
  inputs_per_run: number | undefined
  reference_path: string
  order_key_path: string
}

/** Several inputs in one run are told apart by their references, and have no order of their own. */
const checkGrouping: Parameters<typeof acrossFields<Grouped>>[0] = (
  { inputs_per_run = 1, reference_path, order_key_path },
  context,
) => {
  if (inputs_per_run === 1) return
  const refuse = (field: string, message: string) =>
    context.addIssue({ code: 'custom', path: [field], message })
  if (reference_path === '')
    refuse('reference_path', 'Name the reference of an input: several inputs go in one run.')
  if ((order_key_path ?? '') !== '')
    refuse('order_key_path', 'Inputs with an order key can’t go in one run.')
}

/** Checks that need more than one field: how many steps a kind has, and what a step may read. */
const checkSteps: Parameters<typeof acrossFields<Shape>>[0] = ({ kind, steps: all }, context) => {
  const max = workflowStepsMax[kind ?? 'general']
  if (kind && all && all.length > max)
    context.addIssue({
      code: 'custom',
      path: ['steps'],
      message: `A workflow of this kind has at most ${max} steps.`,
    })
  for (const [index, each] of (all ?? []).entries()) {
    const condition = each?.condition
    const read = [
      ...sourcesOf(each?.body),
      ...(condition ? [{ source: condition.source, path: ['condition', 'source'] }] : []),
    ]
    for (const { source: from, path } of read) {
      if (from === undefined || (stepOfSource(from) ?? 0) <= index) continue
      const message = `${from} does not come before step ${index + 1}.`
      context.addIssue({ code: 'custom', path: ['steps', index, ...path], message })
    }
  }
}

/**
 * A workflow as it is saved. `input_schema` and `sample_input` are JSON values, or JSON as text; absent or
 * null is none. The lane is named: a new name makes a lane, and a known one is shared.
 */
export const workflowInput = strictFields({
  name: requiredText(100, 'name'),
  slug: requiredText(60, 'slug').refine(
    (value) => value === '' || /^[a-z0-9-]{1,60}$/.test(value),
    {
      error: 'The slug may hold lower-case letters, digits and dashes.',
    },
  ),
  kind: choice(workflowKinds, 'kind'),
  status: choice(workflowStatuses, 'status'),
  description: text(1000, 'description', { isMultiline: true }),
  input_schema: z.unknown().optional(),
  sample_input: z.unknown().optional(),
  reference_path: inputPath('reference path'),
  order_key_path: inputPath('order key path'),
  inputs_per_run: optionalInteger('number of inputs per run', 1, inputsPerRunMax).transform(
    (value) => value ?? undefined,
  ),
  needs_release: z
    .enum(releaseCallers, { error: 'Choose whose runs need a release.' })
    .nullish()
    .transform((value) => value ?? undefined),
  release_hours: optionalInteger('hours until a release expires', 1, 720).transform(
    (value) => value ?? undefined,
  ),
  lane,
  steps,
  /** Absent: a save keeps what is stored. */
  callback: callbackInput.nullable().optional(),
  version,
})
  .superRefine(...acrossFields(checkSteps))
  .superRefine(...acrossFields(checkGrouping))
export type WorkflowInput = z.output<typeof workflowInput>
