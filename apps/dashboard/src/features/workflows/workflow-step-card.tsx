import { Button, Group, Paper, Stack, Title } from '@mantine/core'
import { useId, useMemo } from 'react'
import { useChoice } from '../../entities/endpoint/choice-source.tsx'
import { EndpointSelect } from '../../entities/endpoint/endpoint-select.tsx'
import { partIn, type FormPart } from '../../lib/form-part.ts'
import { Fold } from '../../ui/fold.tsx'
import { rowProblemsOf } from './row-problems.ts'
import { StepBodyFields } from './step-body-fields.tsx'
import { StepConditionFields } from './step-condition-fields.tsx'
import { StepResult } from './step-result.tsx'
import type { WorkflowSamples } from './use-workflow-samples.ts'
import { resultOf, type LivePreview } from './use-workflow-preview.ts'
import type { StepDraft } from './workflow-step-draft.ts'
import classes from './workflow-form.module.css'

interface WorkflowStepCardProps {
  part: FormPart<StepDraft>
  /** Counted from 1. */
  position: number
  live: LivePreview
  taking: WorkflowSamples
  /** The messages of the last save, by field of the form. */
  errors: Record<string, unknown>
  /** Absent where the step can't go there. */
  onUp: (() => void) | undefined
  onRemove: (() => void) | undefined
}

/** One step: its endpoint, its body and its condition, beside what it would send. */
export function WorkflowStepCard(props: WorkflowStepCardProps) {
  const { part, position, live, errors, onUp, onRemove } = props
  const titleId = useId()
  const { endpoint_id, has_condition } = part.values
  const choice = useChoice(endpoint_id)
  const result = resultOf(live, position)
  const rowProblems = useMemo(
    () => rowProblemsOf(position, { ...result?.problems, ...live.fieldProblems, ...errors }),
    [position, result, live.fieldProblems, errors],
  )
  return (
    <Paper component="section" className={classes['step'] ?? ''} aria-labelledby={titleId}>
      <Group justify="space-between" gap="xs">
        <Title order={3} id={titleId}>
          Step {position}
        </Title>
        <Group gap="xs">
          {onUp && (
            <Button
              variant="default"
              size="compact-sm"
              aria-label={`Move step ${position} up`}
              onClick={onUp}
            >
              Up
            </Button>
          )}
          {onRemove && (
            <Button
              variant="subtle"
              color="red"
              size="compact-sm"
              aria-label={`Remove step ${position}`}
              onClick={onRemove}
            >
              Remove
            </Button>
          )}
        </Group>
      </Group>
      <div className={classes['columns']}>
        <Stack gap="md" className={classes['fields'] ?? ''}>
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
        <StepResult position={position} live={live} />
      </div>
    </Paper>
  )
}
