import { Select, Text } from '@mantine/core'
import { mappingTypes } from '@gatehouse/contract/mapping'
import { useState } from 'react'
import type { FormRow } from '../mapping-form.ts'
import { fieldId } from '../use-mapping-rows.ts'
import classes from './mapping-rows.module.css'

interface TypeFieldProps {
  row: FormRow
  describedBy: string | undefined
  isInvalid: boolean
  onChange: (type: string) => void
}

/** The type of a row. The list of types, which says what each means, is made when it is opened for the first time. */
export function TypeField(props: TypeFieldProps) {
  const { row, describedBy, isInvalid, onChange } = props
  const [wasUsed, setWasUsed] = useState(false)
  const shared = {
    id: fieldId(row.id, 'type'),
    'aria-label': 'Type',
    'aria-describedby': describedBy,
    'aria-invalid': isInvalid || undefined,
  }
  if (!wasUsed) {
    return (
      <button
        type="button"
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role, jsx-a11y/role-has-required-aria-props -- the tag can't say what its options mean
        role="combobox"
        aria-expanded={false}
        aria-haspopup="listbox"
        className={classes['type']}
        onClick={() => setWasUsed(true)}
        onKeyDown={(event) => {
          if (event.altKey || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return
          event.preventDefault()
          setWasUsed(true)
        }}
        {...shared}
      >
        {row.type}
      </button>
    )
  }
  return (
    <Select
      {...shared}
      data={mappingTypes.includes(row.type) ? mappingTypes : [...mappingTypes, row.type]}
      value={row.type}
      onChange={(type) => type !== null && onChange(type)}
      error={isInvalid}
      size="xs"
      variant="unstyled"
      ref={focusNew}
      defaultDropdownOpened
      allowDeselect={false}
      rightSectionWidth={16}
      comboboxProps={{ width: 280, position: 'bottom-end' }}
      maxDropdownHeight={360}
      classNames={{ input: classes['field'] ?? '' }}
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

/** The field takes the place of the button that had the focus. */
const focusNew = (input: HTMLInputElement | null) => input?.focus()

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
