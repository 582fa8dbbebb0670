import { ActionIcon, Group, Stack, Title } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react'
import { useId, useMemo, type ComponentType } from 'react'
import { useChoice } from '../../../entities/endpoint/choice-source.tsx'
import { EndpointSelect } from '../../../entities/endpoint/endpoint-select.tsx'
import { partIn, type FormPart } from '../../../lib/forms/form-part.ts'
import { Fold } from '../../../ui/page/fold.tsx'
import type { StepDraft } from '../workflow-step-draft.ts'
import classes from './editor.module.css'
import { rowProblemsOf } from './row-problems.ts'
import { StepBodyFields } from './step-body-fields.tsx'
import { StepConditionFields } from './step-condition-fields.tsx'
import { StepResult } from './step-result.tsx'
import type { StepAnswer } from './step-answers.ts'
import { StepTrial } from './step-trial.tsx'
import type { StepRuns } from './use-step-runs.ts'
import type { WorkflowSamples } from './use-workflow-samples.ts'
import { resultOf, type LivePreview } from './use-workflow-preview.ts'

interface StepPanelProps {
  id: string
  stepKey: string
  isShown: boolean
  part: FormPart<StepDraft>
  /** Counted from 1. */
  position: number
  live: LivePreview
  taking: WorkflowSamples
  runs: StepRuns
  /** What it answered on the sample, and whether something has changed since. */
  answer: StepAnswer | undefined
  isStale: boolean
  /** The messages of the last save, by field of the form. */
  errors: Record<string, unknown>
  isFirst: boolean
  isLast: boolean
  onMove: (by: 1 | -1) => void
  onRemove: () => void
}

/** One step: its endpoint, its body and its condition, beside what it would send. */
export function StepPanel(props: StepPanelProps) {
  const { part, position, live, errors } = props
  const titleId = useId()
  const { endpoint_id, has_condition } = part.values
  const choice = useChoice(endpoint_id)
  const result = resultOf(live, position)
  const rowProblems = useMemo(
    () => rowProblemsOf(position, { ...result?.problems, ...live.fieldProblems, ...errors }),
    [position, result, live.fieldProblems, errors],
  )
  return (
    <section
      id={props.id}
      className={classes['panel']}
      data-step={props.stepKey}
      aria-labelledby={titleId}
      hidden={!props.isShown}
    >
      <Stack gap="md" className={classes['fields'] ?? ''}>
        <Group justify="space-between" gap="xs" wrap="nowrap">
          <Title order={3} id={titleId}>
            Step {position}
          </Title>
          <StepVerbs {...props} />
        </Group>
        <EndpointSelect
          label="Endpoint"
          value={endpoint_id}
          onChange={(chosen) => part.set('endpoint_id', chosen)}
          error={part.errorOf('endpoint_id')}
        />
        <StepBodyFields
          part={partIn(part, 'body')}
          position={position}
          choice={choice ?? undefined}
          taking={props.taking}
          rowProblems={rowProblems}
        />
        <Fold
          title={has_condition ? 'Condition: set' : 'Condition: none, it is always sent'}
          isInitiallyOpen={has_condition}
          isOpenWhen={part.hasErrorIn('condition')}
        >
          <StepConditionFields part={part} position={position} />
        </Fold>
      </Stack>
      <StepResult
        position={position}
        live={live}
        isMapped={part.values.body.kind === 'mapping'}
        trial={
          result && (
            <StepTrial
              position={position}
              result={result}
              apiName={choice?.api.name}
              runs={props.runs}
              answer={props.answer}
              isStale={props.isStale}
            />
          )
        }
      />
    </section>
  )
}

function StepVerbs({ position, isFirst, isLast, onMove, onRemove }: StepPanelProps) {
  return (
    <Group gap={4} wrap="nowrap">
      <Verb
        label={`Move step ${position} up`}
        keys="Alt+↑"
        Icon={IconArrowUp}
        isDisabled={isFirst}
        onClick={() => onMove(-1)}
      />
      <Verb
        label={`Move step ${position} down`}
        keys="Alt+↓"
        Icon={IconArrowDown}
        isDisabled={isLast}
        onClick={() => onMove(1)}
      />
      <Verb
        label={`Remove step ${position}`}
        keys="Delete"
        Icon={IconTrash}
        isDisabled={isFirst && isLast}
        onClick={onRemove}
      />
    </Group>
  )
}

interface VerbProps {
  label: string
  /** What does the same on the rail. */
  keys: string
  Icon: ComponentType<{ size: number }>
  isDisabled: boolean
  onClick: () => void
}

function Verb({ label, keys, Icon, isDisabled, onClick }: VerbProps) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={label}
      title={`${label} (${keys})`}
      disabled={isDisabled}
      onClick={onClick}
    >
      <Icon size={16} />
    </ActionIcon>
  )
}
