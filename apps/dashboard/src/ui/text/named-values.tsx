import { ActionIcon, Button, Text, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import classes from './named-values.module.css'
import { PasswordField } from '../form/password-field.tsx'

export interface NamedValue {
  name: string
  value: string
  /** A secret value is stored, and is kept while the field is blank. */
  isStored?: boolean
}

interface NamedValuesProps {
  label: string
  /** Of the form's field, by which its label is found. */
  path?: string
  description?: string
  rows: readonly NamedValue[]
  /** What a row is called in buttons and labels: `header`. */
  noun: string
  max: number
  isSecret?: boolean
  namePlaceholder?: string
  valuePlaceholder?: string
  errorOf: (field: string) => string | undefined
  /** One field: `0.name`. */
  onField: (field: string, value: string) => void
  onAdd: (row: NamedValue) => void
  onRemove: (at: number) => void
}

/** Says that a blank field keeps the stored secret. */
export const storedText = 'Stored, leave blank to keep'

/** A list of names and values, such as headers. Names and values have labels for screen readers. */
export function NamedValues(props: NamedValuesProps) {
  const { label, description, rows, noun, max, errorOf, onField } = props
  const Value = props.isSecret ? PasswordField : TextInput
  return (
    <fieldset className={classes['list']} data-path={props.path}>
      <legend className={classes['legend']}>{label}</legend>
      {description !== undefined && (
        <Text size="xs" c="dimmed">
          {description}
        </Text>
      )}
      {rows.map((row, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- the fields hold no state
        <div key={at} className={classes['row']}>
          <TextInput
            aria-label={`Name of ${noun} ${at + 1}`}
            placeholder={props.namePlaceholder ?? 'Name'}
            spellCheck={false}
            value={row.name}
            onChange={(event) => onField(`${at}.name`, event.currentTarget.value)}
            error={errorOf(`${at}.name`)}
          />
          <Value
            aria-label={`Value of ${noun} ${at + 1}`}
            placeholder={row.isStored ? storedText : (props.valuePlaceholder ?? 'Value')}
            autoComplete="off"
            spellCheck={false}
            className={classes['value'] ?? ''}
            value={row.value}
            onChange={(event) => onField(`${at}.value`, event.currentTarget.value)}
            error={errorOf(`${at}.value`)}
          />
          <ActionIcon
            variant="subtle"
            color="red"
            size="input-sm"
            className={classes['remove'] ?? ''}
            aria-label={`Remove ${noun} ${at + 1}`}
            onClick={() => props.onRemove(at)}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      {rows.length < max && (
        <Button
          variant="default"
          size="compact-sm"
          mt="xs"
          leftSection={<IconPlus size={14} />}
          onClick={() => props.onAdd({ name: '', value: '' })}
        >
          Add {noun}
        </Button>
      )}
    </fieldset>
  )
}
