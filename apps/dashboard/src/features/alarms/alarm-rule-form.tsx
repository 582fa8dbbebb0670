import { Checkbox, Group, MultiSelect, NumberInput, Select, Switch, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import {
  alarmKindFacts,
  alarmKinds,
  alarmLimits,
  factsOfAlarm,
  type AlarmLimit,
} from '@gatehouse/contract/alarm-kinds'
import type { AlarmRuleChoices, AlarmRuleRecord } from '@gatehouse/contract'
import { paths } from '../../entities/paths.ts'
import { useSaveForm } from '../../lib/forms/use-save-form.ts'
import { narrowField, neededField } from '../../ui/form/field-looks.ts'
import { FormCard } from '../../ui/form/form-card.tsx'
import { choiceWords } from '../../lib/format/choice-words.ts'
import { FormFrame } from '../../ui/form/form-frame.tsx'
import { useSaveRule } from './alarm-queries.ts'
import { ruleMessages } from './alarms-messages.ts'
import { CalendarFields } from './calendar-fields.tsx'
import { serverWords } from '../../lib/calls/server-words.tsx'
import { blankRule, type RuleFormApi, type RuleValues } from './rule-values.ts'

interface RuleFormProps {
  choices: AlarmRuleChoices
  /** Undefined: a new rule. */
  rule?: AlarmRuleRecord
  isReadOnly?: boolean
}

/** When an alarm is raised, about what, and which channels are told. */
export function AlarmRuleForm({ choices, rule, isReadOnly = false }: RuleFormProps) {
  const initialValues: RuleValues = rule ? { ...blankRule, ...rule } : blankRule
  const form = useForm<RuleValues>({ mode: 'controlled', initialValues })
  const saveRule = useSaveRule(rule?.id)
  const saving = useSaveForm({
    form,
    initialValues,
    save: ({ id: _, open: _open, muted_until: _until, ...values }) => saveRule(values),
    texts: rule ? ruleMessages.update : ruleMessages.create,
    target: rule ? undefined : (answer) => paths.alarmRuleEdit(answer.rule.id),
  })
  const fields = (
    <fieldset disabled={isReadOnly} style={{ display: 'contents' }}>
      <RuleFields form={form} isNew={rule === undefined} />
      <WhereFields form={form} choices={choices} />
      {form.values.kind === 'silence' && <CalendarFields form={form} />}
      <TellFields form={form} choices={choices} />
    </fieldset>
  )
  if (isReadOnly) return fields
  return (
    <FormFrame
      saving={saving}
      submitLabel={rule ? 'Save rule' : 'Add rule'}
      cancelPath={paths.alarmRules}
      words={wordsOf(choices)}
    >
      {fields}
    </FormFrame>
  )
}

function RuleFields({ form, isNew }: { form: RuleFormApi; isNew: boolean }) {
  const { kind } = form.values
  const facts = factsOfAlarm(kind)
  return (
    <FormCard title="Rule" description={serverWords(facts.means)}>
      <TextInput label="Name" {...neededField} {...form.getInputProps('name')} />
      <Select
        label="What"
        data={alarmKinds.map((value) => ({
          value,
          label: serverWords(alarmKindFacts[value].title),
        }))}
        allowDeselect={false}
        searchable
        disabled={!isNew}
        {...form.getInputProps('kind')}
      />
      <Switch label="On" {...form.getInputProps('is_on', { type: 'checkbox' })} />
      <Group align="flex-start">
        {(Object.keys(facts.limits) as AlarmLimit[]).map((name) => (
          <NumberInput
            key={`${kind}.${name}`}
            label={limitLabels[name]}
            description={
              facts.limits[name] === null
                ? 'Blank: as the window of the authority says.'
                : `Blank: ${facts.limits[name]?.toLocaleString('en')}.`
            }
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            min={alarmLimits[name].min}
            max={alarmLimits[name].max}
            allowDecimal={false}
            styles={narrowField}
            {...form.getInputProps(`limits.${name}`)}
            value={form.values.limits[name] ?? ''}
          />
        ))}
      </Group>
    </FormCard>
  )
}

const limitLabels: Record<AlarmLimit, string> = {
  minutes: 'Minutes',
  hours: 'Hours',
  days: 'Days before',
  runs: 'Runs',
  percent: 'Percent',
  requests: 'Least requests',
  times: 'Times',
}

interface ChoiceProps {
  form: RuleFormApi
  choices: AlarmRuleChoices
}

interface Named {
  id: number
  name: string
}

const optionsOf = (list: readonly Named[]) =>
  list.map(({ id, name }) => ({ value: String(id), label: name }))

const wordsOf = ({ workflows, lanes, apis, channels }: AlarmRuleChoices) => ({
  'where.workflow_ids': choiceWords(optionsOf(workflows)),
  'where.lane_ids': choiceWords(optionsOf(lanes)),
  'where.api_ids': choiceWords(optionsOf(apis)),
  'channels.ids': choiceWords(optionsOf(channels)),
  escalation_ids: choiceWords(optionsOf(channels)),
})

function IdSelect(props: {
  form: RuleFormApi
  path: string
  label: string
  list: readonly Named[]
  ids: readonly number[]
  description?: string
}) {
  const { form, path, label, list, ids, description } = props
  return (
    <MultiSelect
      label={label}
      data={optionsOf(list)}
      value={ids.map(String)}
      onChange={(values) => form.setFieldValue(path, values.map(Number))}
      error={form.errors[path]}
      searchable
      {...(ids.length === 0 ? { placeholder: 'Choose' } : {})}
      {...(description ? { description } : {})}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
    />
  )
}

const scopeWords = { workflow: 'Workflows', lane: 'Lanes', api: 'APIs' } as const

function WhereFields({ form, choices }: ChoiceProps) {
  const { scopes } = factsOfAlarm(form.values.kind)
  if (scopes.length === 0) return null
  const lists = { workflow: choices.workflows, lane: choices.lanes, api: choices.apis }
  return (
    <FormCard title="Where" description="Nothing chosen: everything.">
      {scopes.map((scope) => (
        <IdSelect
          key={scope}
          form={form}
          path={`where.${scope}_ids`}
          label={scopeWords[scope]}
          list={lists[scope]}
          ids={form.values.where[`${scope}_ids`]}
        />
      ))}
    </FormCard>
  )
}

function TellFields({ form, choices }: ChoiceProps) {
  const { channels, escalation_ids } = form.values
  return (
    <FormCard title="Who is told" description="The bell shows every alarm in any case.">
      <Checkbox
        label="Every channel that is on"
        {...form.getInputProps('channels.is_all', { type: 'checkbox' })}
      />
      {!channels.is_all && (
        <IdSelect
          form={form}
          path="channels.ids"
          label="Channels"
          list={choices.channels}
          ids={channels.ids}
          description="None: only the bell."
        />
      )}
      <NumberInput
        label="Tell again after hours"
        description="While nobody has acknowledged it. 0: never."
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        min={0}
        max={1000}
        allowDecimal={false}
        styles={narrowField}
        {...form.getInputProps('repeat_hours')}
      />
      <NumberInput
        label="Second list after minutes"
        description="Without an acknowledgement. Blank: never."
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        min={1}
        max={43_200}
        allowDecimal={false}
        styles={narrowField}
        {...form.getInputProps('escalate_minutes')}
        value={form.values.escalate_minutes ?? ''}
      />
      <IdSelect
        form={form}
        path="escalation_ids"
        label="Channels of the second list"
        list={choices.channels}
        ids={escalation_ids}
      />
    </FormCard>
  )
}
