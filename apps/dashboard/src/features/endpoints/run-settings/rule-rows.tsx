import { ActionIcon, Button, Group, Select, Text, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import {
  hasName,
  hasValue,
  rowsOfRules,
  rulesOfRows,
  type RuleAction,
  type RuleRow,
} from './rule-lines.ts'
import classes from '../transformation/transform-part.module.css'

interface RuleRowsProps {
  /** The rules, one a line. */
  text: string
  onChange: (text: string) => void
  /** Whether they are for answers, which have headers only. */
  isForAnswers: boolean
  /** Says which line it is about. */
  problem: string | undefined
}

/** The most that an endpoint may have on each side. */
const rulesMax = 100

/** Rules as rows: what to do, with which name, to which value. */
export function RuleRows({ text, onChange, isForAnswers, problem }: RuleRowsProps) {
  const rows = rowsOfRules(text)
  const [added, setAdded] = useState(-1)
  const add = useRef<HTMLButtonElement>(null)
  const wrongLine = Number(/\d+/.exec(problem ?? '')?.[0])
  const isPlaced = rows.some(({ line }) => line === wrongLine)
  const write = (changed: readonly RuleRow[]) => onChange(rulesOfRows(changed))
  return (
    <div className={classes['rows']}>
      {rows.length === 0 && (
        <Text size="sm" c="dimmed">
          No rules yet.
        </Text>
      )}
      {rows.map((row, at) => (
        <RuleFields
          // oxlint-disable-next-line react/no-array-index-key -- the fields hold no state
          key={at}
          row={row}
          number={at + 1}
          isForAnswers={isForAnswers}
          isNew={at === added}
          problem={row.line === wrongLine ? problem : undefined}
          onChange={(changed) => write(rows.with(at, { ...row, ...changed }))}
          onRemove={() => {
            setAdded(-1)
            write(rows.toSpliced(at, 1))
            add.current?.focus()
          }}
        />
      ))}
      {problem !== undefined && !isPlaced && (
        <Text size="xs" c="var(--mantine-color-error)" mt={4}>
          {problem}
        </Text>
      )}
      <Group gap="sm" mt="xs">
        <Button
          ref={add}
          variant="default"
          size="compact-sm"
          leftSection={<IconPlus size={14} aria-hidden />}
          disabled={rows.length >= rulesMax}
          onClick={() => {
            setAdded(rows.length)
            write([...rows, { action: 'set-header', name: '', value: '', line: 0 }])
          }}
        >
          Add rule
        </Button>
        {rows.length >= rulesMax && (
          <Text size="xs" c="dimmed">
            There may be at most {rulesMax} rules.
          </Text>
        )}
      </Group>
    </div>
  )
}

interface RuleFieldsProps {
  row: RuleRow
  number: number
  isForAnswers: boolean
  /** It was just added: what is typed goes there. */
  isNew: boolean
  problem: string | undefined
  onChange: (changed: Partial<RuleRow>) => void
  onRemove: () => void
}

function RuleFields(props: RuleFieldsProps) {
  const { row, number, problem, onChange } = props
  const isNamed = hasName(row.action)
  const isValued = hasValue(row.action)
  return (
    <fieldset aria-label={`Rule ${number}`} className={classes['row']}>
      <Select
        aria-label={`What rule ${number} does`}
        className={classes['action'] ?? ''}
        data={choicesFor(row.action, props.isForAnswers)}
        value={row.action}
        allowDeselect={false}
        comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
        onChange={(action) => action !== null && onChange({ action })}
      />
      {isNamed && (
        <TextInput
          aria-label={`Name in rule ${number}`}
          placeholder={row.action.endsWith('query') ? sampleNames.query : sampleNames.header}
          className={isValued ? '' : (classes['wide'] ?? '')}
          {...plainText}
          ref={props.isNew ? focusOnce : null}
          value={row.name}
          error={problem !== undefined}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
      )}
      {isValued && (
        <TextInput
          aria-label={`Value in rule ${number}`}
          placeholder={placeholders[row.action] ?? ''}
          className={isNamed ? '' : (classes['wide'] ?? '')}
          {...plainText}
          value={row.value}
          error={problem !== undefined}
          onChange={(event) => onChange({ value: event.currentTarget.value })}
        />
      )}
      <ActionIcon
        variant="subtle"
        color="red"
        size="input-sm"
        className={classes['remove'] ?? ''}
        aria-label={`Remove rule ${number}`}
        onClick={props.onRemove}
      >
        <IconTrash size={16} aria-hidden />
      </ActionIcon>
      {problem !== undefined && (
        <Text size="xs" c="var(--mantine-color-error)" className={classes['problem'] ?? ''}>
          {problem}
        </Text>
      )}
    </fieldset>
  )
}

const plainText = { spellCheck: false, autoComplete: 'off', dir: 'ltr' } as const

const focusOnce = (element: HTMLInputElement | null) => element?.focus()

const sampleNames = { header: 'X-Kind', query: 'page' }

const placeholders: Partial<Record<RuleAction, string>> = {
  'set-header': '{{query.kind}}',
  'set-query': '1',
  'rename-header': 'X-New',
  path: '/v2/orders/{{params.id}}',
}

const actionWords: Record<RuleAction, string> = {
  'set-header': 'Set header',
  'remove-header': 'Remove header',
  'rename-header': 'Rename header',
  'set-query': 'Set query parameter',
  'remove-query': 'Remove query parameter',
  path: 'Call another path',
  note: 'Note',
  'as-typed': 'No rule',
}

const actions = Object.keys(actionWords) as RuleAction[]

function choicesFor(current: RuleAction, isForAnswers: boolean) {
  return actions
    .filter((action) => action === current || isOffered(action, isForAnswers))
    .map((value) => ({ value, label: actionWords[value] }))
}

function isOffered(action: RuleAction, isForAnswers: boolean): boolean {
  if (action === 'as-typed') return false
  return !isForAnswers || action.endsWith('header') || action === 'note'
}
