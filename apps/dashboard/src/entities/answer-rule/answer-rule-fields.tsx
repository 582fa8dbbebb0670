import { Button, Select, Text, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { AnswerCondition, AnswerRule } from '@gatehouse/contract'
import { testsWithoutValue } from '@gatehouse/contract/answer-rule'
import type { ReactNode } from 'react'
import { partIn, type FormPart, type PartToEdit } from '../../lib/forms/form-part.ts'
import classes from './answer-rule-fields.module.css'

interface AnswerRuleFieldsProps {
  part: PartToEdit<AnswerRule>
  label: string
  description: ReactNode
  /** What blank statuses mean; absent where the rule is not over an answer, and has none. */
  statusesPlaceholder?: string | undefined
}

const joins = [
  { value: 'all', label: 'all conditions hold' },
  { value: 'any', label: 'any condition holds' },
]

const newCondition: AnswerCondition = { path: '', test: 'equals', value: '' }

/** One rule over an answer: statuses, and conditions on its JSON. */
export function AnswerRuleFields(props: AnswerRuleFieldsProps) {
  const { part, label, description, statusesPlaceholder } = props
  const { statuses, join, conditions } = part.values
  const list = partIn(part, 'conditions')
  return (
    <fieldset className={classes['rule']} data-path={part.pathOf('conditions')}>
      <legend className={classes['legend']}>{label}</legend>
      <Text size="sm" c="dimmed">
        {description}
      </Text>
      <div className={classes['head']}>
        {statusesPlaceholder !== undefined && (
          <TextInput
            label="Statuses"
            placeholder={statusesPlaceholder}
            spellCheck={false}
            data-path={part.pathOf('statuses')}
            value={statuses}
            onChange={(event) => part.set('statuses', event.currentTarget.value)}
            error={part.errorOf('statuses')}
          />
        )}
        {conditions.length > 1 && (
          <Select
            label={statusesPlaceholder === undefined ? 'When' : 'and'}
            data={joins}
            allowDeselect={false}
            data-path={part.pathOf('join')}
            value={join}
            onChange={(chosen) => part.set('join', chosen)}
            error={part.errorOf('join')}
          />
        )}
      </div>
      {conditions.map((_, at) => (
        <ConditionFields
          // oxlint-disable-next-line react/no-array-index-key -- the fields hold nothing of their own
          key={at}
          part={partIn(list, at)}
          number={at + 1}
          onRemove={() => list.remove('', at)}
        />
      ))}
      <div>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} />}
          onClick={() => list.append('', newCondition)}
        >
          Add condition
        </Button>
      </div>
    </fieldset>
  )
}

export const conditionChoices: { value: AnswerCondition['test']; label: string }[] = [
  { value: 'equals', label: 'equals' },
  { value: 'not_equals', label: 'does not equal' },
  { value: 'one_of', label: 'is one of' },
  { value: 'not_one_of', label: 'is none of' },
  { value: 'contains', label: 'contains' },
  { value: 'not_contains', label: 'does not contain' },
  { value: 'exists', label: 'exists' },
  { value: 'missing', label: 'is missing' },
  { value: 'not_empty', label: 'is not empty' },
  { value: 'empty', label: 'is empty' },
]

interface ConditionFieldsProps {
  part: FormPart<AnswerCondition>
  number: number
  onRemove: () => void
}

function ConditionFields({ part, number, onRemove }: ConditionFieldsProps) {
  const { path, test, value } = part.values
  const hasValue = !testsWithoutValue.includes(test)
  return (
    <fieldset className={classes['condition']} aria-label={`Condition ${number}`}>
      <TextInput
        label="Path"
        placeholder="result.status"
        spellCheck={false}
        dir="ltr"
        className={classes['path'] ?? ''}
        value={path}
        onChange={(event) => part.set('path', event.currentTarget.value)}
        error={part.errorOf('path')}
      />
      <Select
        label="Test"
        data={conditionChoices}
        allowDeselect={false}
        value={test}
        onChange={(chosen) => {
          part.set('test', chosen)
          if (chosen && testsWithoutValue.includes(chosen)) part.set('value', '')
        }}
        error={part.errorOf('test')}
      />
      {hasValue ? (
        <TextInput
          label="Value"
          placeholder={test.endsWith('one_of') ? 'A, B, C' : ''}
          spellCheck={false}
          dir="auto"
          value={value}
          onChange={(event) => part.set('value', event.currentTarget.value)}
          error={part.errorOf('value')}
        />
      ) : (
        <span />
      )}
      <Button
        variant="subtle"
        color="red"
        size="compact-sm"
        className={classes['remove'] ?? ''}
        aria-label={`Remove condition ${number}`}
        onClick={onRemove}
      >
        Remove
      </Button>
    </fieldset>
  )
}
