import { Select, Stack, Switch, Text } from '@mantine/core'
import { AnswerRuleFields } from '../../../entities/answer-rule/answer-rule-fields.tsx'
import { partIn, type FormPart } from '../../../lib/forms/form-part.ts'
import { sourcesOf, type StepDraft } from '../workflow-step-draft.ts'

interface StepConditionFieldsProps {
  part: FormPart<StepDraft>
  position: number
}

/** When the step is sent; else it is skipped. */
export function StepConditionFields({ part, position }: StepConditionFieldsProps) {
  const { has_condition, condition } = part.values
  const rule = partIn(part, 'condition')
  const isOverInput = condition.source === 'input'
  return (
    <Stack gap="sm">
      <div>
        <Switch
          label="Only under a condition"
          checked={has_condition}
          onChange={(event) => part.set('has_condition', event.currentTarget.checked)}
        />
        <Text size="sm" c="dimmed" mt={4}>
          Where the condition does not hold, the step is skipped and the run goes on.
        </Text>
      </div>
      {has_condition && (
        <>
          <Select
            label="Looks at"
            data={sourcesOf(position)}
            allowDeselect={false}
            maw={260}
            value={condition.source}
            onChange={(source) => rule.set('source', source)}
            error={rule.errorOf('source')}
          />
          <AnswerRuleFields
            part={rule}
            label={`Condition of step ${position}`}
            description={
              isOverInput
                ? 'Paths lead into the input.'
                : 'Paths lead into the answer. Blank statuses are any status.'
            }
            statusesPlaceholder={isOverInput ? undefined : 'any'}
          />
          {rule.errorOf('conditions') !== undefined && (
            <Text size="xs" c="var(--mantine-color-error)">
              {rule.errorOf('conditions')}
            </Text>
          )}
        </>
      )}
    </Stack>
  )
}
