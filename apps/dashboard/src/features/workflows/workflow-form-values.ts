import type { UseFormReturnType } from '@mantine/form'
import type { LaneSettings, ReleaseCallers } from '@gatehouse/contract'
import type { Workflow } from './read-workflow.ts'
import type { WorkflowBody } from './workflow-queries.ts'
import { blankStep, toStepBody, toStepDraft, type StepDraft } from './workflow-step-draft.ts'

/** The form's fields under their wire names (spec: workflow-wire); numbers as they are typed. */
export interface WorkflowFormValues extends Record<string, unknown> {
  name: string
  slug: string
  kind: string
  status: string
  description: string
  /** JSON as text; blank is none. */
  input_schema: string
  sample_input: string
  reference_path: string
  order_key_path: string
  inputs_per_run: string
  needs_release: ReleaseCallers
  release_hours: string
  lane: LaneDraft
  steps: StepDraft[]
}

interface LaneDraft {
  name: string
  concurrency: string
  per_second: string
  per_minute: string
  per_hour: string
  max_age_minutes: string
  is_strict_order: boolean
}

export type WorkflowFormState = UseFormReturnType<WorkflowFormValues>

export const newWorkflowValues = (): WorkflowFormValues => ({
  name: '',
  slug: '',
  kind: 'tax',
  status: 'active',
  description: '',
  input_schema: '',
  sample_input: '',
  reference_path: '',
  order_key_path: '',
  inputs_per_run: '1',
  needs_release: 'nobody',
  release_hours: '24',
  lane: {
    name: '',
    concurrency: '4',
    per_second: '',
    per_minute: '',
    per_hour: '',
    max_age_minutes: '',
    is_strict_order: false,
  },
  steps: [blankStep()],
})

export function toWorkflowValues(workflow: Workflow): WorkflowFormValues {
  const { name, slug, kind, status, description, reference_path, order_key_path } = workflow
  return {
    name,
    slug,
    kind,
    status,
    description,
    reference_path,
    order_key_path,
    inputs_per_run: String(workflow.inputs_per_run ?? 1),
    needs_release: workflow.needs_release ?? 'nobody',
    release_hours: String(workflow.release_hours ?? 24),
    input_schema: workflow.schemaText,
    sample_input: workflow.sampleText,
    lane: toLaneDraft(workflow.lane),
    steps: workflow.steps.map(toStepDraft),
  }
}

const typed = (value: number | null) => (value === null ? '' : String(value))

export const toLaneDraft = (lane: LaneSettings): LaneDraft => ({
  name: lane.name,
  concurrency: String(lane.concurrency),
  per_second: typed(lane.per_second),
  per_minute: typed(lane.per_minute),
  per_hour: typed(lane.per_hour),
  max_age_minutes: typed(lane.max_age_minutes),
  is_strict_order: lane.is_strict_order,
})

const jsonOrNull = (text: string) => (text.trim() === '' ? null : text)

/** wire: JSON travels as text, so that its numbers stay exact; a blank lane is that of the slug. */
export function toWorkflowBody(values: WorkflowFormValues, version?: number): WorkflowBody {
  return {
    name: values.name,
    slug: values.slug,
    kind: values.kind,
    status: values.status,
    description: values.description,
    reference_path: values.reference_path,
    order_key_path: values.order_key_path,
    // Absent keeps what is stored.
    inputs_per_run: values.inputs_per_run.trim() || '1',
    needs_release: values.needs_release,
    release_hours: values.release_hours.trim() || '24',
    input_schema: jsonOrNull(values.input_schema),
    sample_input: jsonOrNull(values.sample_input),
    lane: { ...values.lane, name: values.lane.name.trim() || values.slug },
    steps: values.steps.map(toStepBody),
    ...(version === undefined ? {} : { version }),
  }
}

/** A slug for a name: lower-case letters, digits and dashes. */
export function slugOf(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-+|-+$/g, '')
}
