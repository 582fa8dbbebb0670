import { ActionIcon, Select, Text, TextInput, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useFocusWithin } from '@mantine/hooks'
import { mappingTypes, type MappingRow } from '@gatehouse/contract/mapping'
import { memo, useState } from 'react'
import classes from './mapping-rows.module.css'
import { FunctionHelp } from './function-help.tsx'
import { dropOnto, moveByKey, RowHandle, type MoveRow } from './row-place.tsx'
import { isBlankRow, toggleEveryElement, type FormRow, type SourceChoice } from './mapping-form.ts'
import { fieldId } from './use-mapping-rows.ts'

export type RowErrors = Partial<Record<keyof MappingRow | 'source' | 'rows', string>>

interface MappingRowFieldsProps {
  row: FormRow
  /** Counted from 1, as the error messages count. */
  number: number
  errors: RowErrors | undefined
  /** What From can read from; absent where there is only one thing. */
  sources?: readonly SourceChoice[] | undefined
  onChange: (id: string, changed: Partial<FormRow>) => void
  onRemove: (id: string, number: number) => void
  onMove: MoveRow
  /** What From gives now, in short. */
  value?: string | undefined
}

/** One row of the mapping. A row that was just added is not blamed before it has been left. */
export const MappingRowFields = memo(function MappingRowFields(props: MappingRowFieldsProps) {
  const { row, number, sources, onChange, onRemove, onMove, value } = props
  const [wasLeft, setWasLeft] = useState(false)
  const { ref } = useFocusWithin<HTMLFieldSetElement>({ onBlur: () => setWasLeft(true) })
  const errors = wasLeft || !isBlankRow(row) ? (props.errors ?? {}) : {}
  const textField = (field: 'from' | 'to' | 'custom_input', label: string) => (
    <TextInput
      id={fieldId(row.id, field)}
      label={label}
      value={row[field]}
      onChange={(event) => onChange(row.id, { [field]: event.currentTarget.value })}
      error={errors[field]}
      title={row[field]}
      size="xs"
      dir={field === 'custom_input' ? 'auto' : 'ltr'}
      spellCheck={false}
      autoComplete="off"
      autoCapitalize="off"
      rightSection={
        field === 'from' ? (
          <FunctionHelp
            number={number}
            from={row.from}
            onChange={(from) => onChange(row.id, { from })}
          />
        ) : undefined
      }
      classNames={{ label: classes['rowLabel'] ?? '', input: classes['mono'] ?? '' }}
    />
  )
  return (
    <fieldset
      ref={ref}
      className={classes['row']}
      data-sources={sources ? true : undefined}
      aria-label={`Row ${number}`}
      onKeyDownCapture={moveByKey(row.id, number, onMove)}
      {...dropOnto(number, onMove)}
    >
      {sources && (
        <Select
          label="Source"
          data={sources}
          value={row.source ?? null}
          onChange={(source) => source !== null && onChange(row.id, { source })}
          error={errors.source}
          size="xs"
          allowDeselect={false}
          comboboxProps={{ width: 220, position: 'bottom-start' }}
          classNames={{ label: classes['rowLabel'] ?? '' }}
        />
      )}
      {textField('from', 'From')}
      {textField('to', 'To')}
      {textField('custom_input', 'Custom Input')}
      <TypeSelect row={row} error={errors.type} onChange={onChange} />
      <Text className={classes['value'] ?? ''} title={value} dir="ltr">
        {value}
      </Text>
      <div className={classes['remove']}>
        <RowHandle id={row.id} number={number} onMove={onMove} />
        <ActionIcon
          variant="subtle"
          color="red"
          size="sm"
          title="Remove"
          data-remove-row
          onClick={() => onRemove(row.id, number)}
        >
          <IconX size={15} aria-hidden />
          <VisuallyHidden>Remove</VisuallyHidden>
        </ActionIcon>
      </div>
      <EveryElement row={row} onToggle={(toggled) => onChange(row.id, toggled)} />
      {errors.rows !== undefined && (
        <Text size="xs" c="var(--mantine-color-error)" className={classes['rowError'] ?? ''}>
          {errors.rows}
        </Text>
      )}
    </fieldset>
  )
})

interface EveryElementProps {
  row: FormRow
  onToggle: (toggled: Pick<FormRow, 'from' | 'to'>) => void
}

/** Offered on a path that goes through a list: one element of it, or every one. */
function EveryElement({ row, onToggle }: EveryElementProps) {
  const toggled = toggleEveryElement(row)
  if (!toggled) return null
  const { from, to } = toggled
  return (
    <UnstyledButton className={classes['every'] ?? ''} onClick={() => onToggle({ from, to })}>
      {toggled.isEvery ? 'Use every element [*]' : 'Use the first element [0]'}
    </UnstyledButton>
  )
}

interface TypeSelectProps {
  row: FormRow
  error: string | undefined
  onChange: MappingRowFieldsProps['onChange']
}

function TypeSelect({ row, error, onChange }: TypeSelectProps) {
  return (
    <Select
      id={fieldId(row.id, 'type')}
      label="Type"
      data={mappingTypes.includes(row.type) ? mappingTypes : [...mappingTypes, row.type]}
      value={row.type}
      onChange={(type) => type !== null && onChange(row.id, { type })}
      error={error}
      size="xs"
      allowDeselect={false}
      comboboxProps={{ width: 280, position: 'bottom-end' }}
      maxDropdownHeight={360}
      classNames={{ label: classes['rowLabel'] ?? '' }}
      renderOption={({ option }) => (
        <div>
          <Text size="sm">{option.label}</Text>
          <Text size="xs" c="dimmed">
            {explainType(option.value)}
          </Text>
        </div>
      )}
    />
  )
}

const words: Record<string, string> = {
  auto: 'The value as it is; custom input as text',
  string: 'Text; numbers and true/false become text',
  number: 'A number, every digit kept',
  integer: 'A whole number in plain digits',
  boolean: 'true or false',
  array: 'A list',
  object: 'An object',
  json: 'Text that holds JSON, unpacked',
}

/** A few words on a type of spec: mapping-types; with `?` a missing value is no error. */
function explainType(type: string): string {
  const isOptional = type.endsWith('?')
  const word = words[isOptional ? type.slice(0, -1) : type] ?? 'Not a type'
  return isOptional ? `${word}; left out when there is none` : word
}
