import { ActionIcon, Button, Text, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import type { EndpointOption } from '@gatehouse/contract'
import { useState } from 'react'
import { bodyValues, withBodyValue } from './body-values.ts'
import classes from './body-inputs.module.css'

interface BodyInputsProps {
  choice: EndpointOption | null | undefined
  body: string
  onBody: (body: string) => void
}

/** An input for each parameter of the path and of the query. They are fields of the body, which stays the truth. */
export function BodyInputs({ choice, body, onBody }: BodyInputsProps) {
  const values = bodyValues(choice, body)
  if (!choice || !values) return null
  const takesQuery = choice.method_type === 'get'
  if (values.length === 0 && !takesQuery) return null
  return (
    <div className={classes['inputs']}>
      {values.map(({ name, place, text }) => (
        <TextInput
          key={name}
          label={name}
          placeholder={place === 'path' ? 'in the path' : 'in the query'}
          size="xs"
          dir="ltr"
          spellCheck={false}
          autoComplete="off"
          value={text}
          onChange={({ currentTarget: { value } }) =>
            onBody(withBodyValue(body, name, value === '' && place === 'path' ? undefined : value))
          }
          rightSection={
            place === 'query' && (
              <ActionIcon
                variant="subtle"
                color="gray"
                size="sm"
                aria-label={`Remove ${name}`}
                onClick={() => onBody(withBodyValue(body, name, undefined))}
              >
                <IconX size={14} aria-hidden />
              </ActionIcon>
            )
          }
        />
      ))}
      {takesQuery && (
        <NewParameter
          taken={values.map(({ name }) => name)}
          onAdd={(name) => onBody(withBodyValue(body, name, ''))}
        />
      )}
    </div>
  )
}

const focusNew = (input: HTMLInputElement | null) => input?.focus()

/** A name for one more parameter of the query. */
function NewParameter({ taken, onAdd }: { taken: string[]; onAdd: (name: string) => void }) {
  const [name, setName] = useState<string>()
  const isTaken = name !== undefined && taken.includes(name.trim())
  function add() {
    if (name === undefined || name.trim() === '' || isTaken) return
    onAdd(name.trim())
    setName(undefined)
  }
  if (name === undefined) {
    return (
      <Button
        variant="subtle"
        size="compact-xs"
        className={classes['add'] ?? ''}
        leftSection={<IconPlus size={13} aria-hidden />}
        onClick={() => setName('')}
      >
        Query parameter
      </Button>
    )
  }
  return (
    <TextInput
      label="Name of the parameter"
      size="xs"
      dir="ltr"
      ref={focusNew}
      value={name}
      error={isTaken && <Text span>It is there already.</Text>}
      onChange={(event) => setName(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') setName(undefined)
        if (event.key !== 'Enter') return
        event.preventDefault()
        add()
      }}
      onBlur={() => (name.trim() === '' ? setName(undefined) : add())}
    />
  )
}
