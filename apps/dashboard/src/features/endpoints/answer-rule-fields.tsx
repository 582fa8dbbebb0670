import { Button, Select, Text, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { AnswerCondition, AnswerRule } from '@gatehouse/contract'
import { testsWithoutValue } from '@gatehouse/contract/answer-rule'
import type { ReactNode } from 'react'
import classes from './answer-rule-fields.module.css'
import type { EndpointFormState } from './endpoint-form-values.ts'

interface AnswerRuleFieldsProps {
  form: EndpointFormState
  /** Where the rule lies in the form. */
  path: string
  rule: AnswerRule
  label: string
  description: ReactNode
  /** What blank statuses mean. */
  statusesPlaceholder: string
}

const joins = [
  { value: 'all', label: 'all conditions hold' },
  { value: 'any', label: 'any condition holds' },
]

const newCondition: AnswerCondition = { path: '', test: 'equals', value: '' }

/** One rule over an answer: statuses, and conditions on its JSON. */
export function AnswerRuleFields(props: AnswerRuleFieldsProps) {
  const { form, path, rule, label, description, statusesPlaceholder } = props
  return (
    <fieldset className={classes['rule']}>
      <legend className={classes['legend']}>{label}</legend>
      <Text size="sm" c="dimmed">
        {description}
      </Text>
      <div className={classes['head']}>
        <TextInput
          label="Statuses"
          placeholder={statusesPlaceholder}
          spellCheck={false}
          {...form.getInputProps(`${path}.statuses`)}
        />
        {rule.conditions.length > 1 && (
          <Select
            label="and"
            data={joins}
            allowDeselect={false}
            {...form.getInputProps(`${path}.join`)}
          />
        )}
      </div>
      {rule.conditions.map((condition, at) => (
        <ConditionFields
          // oxlint-disable-next-line react/no-array-index-key -- the fields hold nothing of their own
          key={at}
          form={form}
          path={`${path}.conditions.${at}`}
          condition={condition}
          number={at + 1}
          onRemove={() => form.removeListItem(`${path}.conditions`, at)}
        />
      ))}
      <div>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} />}
          onClick={() => form.insertListItem(`${path}.conditions`, newCondition)}
        >
          Add condition
        </Button>
      </div>
    </fieldset>
  )
}

const tests: { value: AnswerCondition['test']; label: string }[] = [
  { value: 'equals', label: 'equals' },
  { value: 'not_equals', label: 'does not equal' },
  { value: 'one_of', label: 'is one of' },
  { value: 'not_one_of', label: 'is none of' },
  { value: 'exists', label: 'exists' },
  { value: 'missing', label: 'is missing' },
  { value: 'not_empty', label: 'is not empty' },
  { value: 'empty', label: 'is empty' },
]

interface ConditionFieldsProps {
  form: EndpointFormState
  path: string
  condition: AnswerCondition
  number: number
  onRemove: () => void
}

function ConditionFields({ form, path, condition, number, onRemove }: ConditionFieldsProps) {
  const hasValue = !testsWithoutValue.includes(condition.test)
  return (
    <fieldset className={classes['condition']} aria-label={`Condition ${number}`}>
      <TextInput
        label="Path"
        placeholder="result.status"
        spellCheck={false}
        dir="ltr"
        className={classes['path'] ?? ''}
        {...form.getInputProps(`${path}.path`)}
      />
      <Select
        label="Test"
        data={tests}
        allowDeselect={false}
        {...form.getInputProps(`${path}.test`)}
        onChange={(test) => {
          form.setFieldValue(`${path}.test`, test)
          const next = tests.find(({ value }) => value === test)?.value
          if (next && testsWithoutValue.includes(next)) form.setFieldValue(`${path}.value`, '')
        }}
      />
      {hasValue ? (
        <TextInput
          label="Value"
          placeholder={condition.test.endsWith('one_of') ? 'A, B, C' : ''}
          spellCheck={false}
          dir="auto"
          {...form.getInputProps(`${path}.value`)}
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
