import type { AnswerRule, WorkflowStep } from '@gatehouse/contract'
import { blankRule } from '../../entities/answer-rule/blank-rule.ts'
import { newRow, type FormRow, type SourceChoice } from '../../entities/mapping/mapping-form.ts'
import { newUuid } from '../../lib/calls/new-uuid.ts'
import type { WorkflowBody } from './workflow-queries.ts'

export type StepBodyKind = WorkflowStep['body']['kind']

/** A step as the form holds it: what was typed for one kind of body stays when another is chosen. */
export interface StepDraft {
  /** Tells steps apart while they move; unlike any other, also of a draft that was kept. */
  key: string
  endpoint_id: string | null
  body: { kind: StepBodyKind; text: string; rows: FormRow[] }
  has_condition: boolean
  condition: AnswerRule & { source: string }
}

export const blankStep = (fields: Partial<Omit<StepDraft, 'key'>> = {}): StepDraft => ({
  key: `step-${newUuid()}`,
  endpoint_id: null,
  body: { kind: 'template', text: '', rows: [] },
  has_condition: false,
  condition: { ...blankRule, source: 'input' },
  ...fields,
})

export function toStepDraft({ endpoint_id, body, condition }: WorkflowStep): StepDraft {
  return blankStep({
    endpoint_id: String(endpoint_id),
    body: {
      kind: body.kind,
      text: body.kind === 'template' ? body.text : '',
      rows: body.kind === 'mapping' ? body.rows.map((row) => newRow(row)) : [],
    },
    ...(condition ? { has_condition: true, condition } : {}),
  })
}

type StepBody = WorkflowBody['steps'][number]

export function toStepBody(step: StepDraft): StepBody {
  const { source, statuses, ...rule } = step.condition
  return {
    endpoint_id: step.endpoint_id,
    body: bodyOf(step.body),
    condition: step.has_condition
      ? // Only an answer has a status.
        { source, statuses: source === 'input' ? '' : statuses, ...rule }
      : null,
  }
}

function bodyOf({ kind, text, rows }: StepDraft['body']): StepBody['body'] {
  switch (kind) {
    case 'template':
      return { kind, text }
    case 'mapping':
      return { kind, rows: rows.map(({ id: _, ...row }) => ({ source: 'input', ...row })) }
    case 'none':
    default:
      return { kind: 'none' }
  }
}

/** What a step can read: the input, and the answers of the steps before it. `position` counts from 1. */
export function sourcesOf(position: number): SourceChoice[] {
  const answers = Array.from({ length: position - 1 }, (_, at) => ({
    value: `steps.${at + 1}.body`,
    label: `Answer of step ${at + 1}`,
  }))
  return [{ value: 'input', label: 'Input' }, ...answers]
}
