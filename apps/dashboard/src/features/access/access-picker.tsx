import { Combobox, Text, useCombobox } from '@mantine/core'
import { useEffect, useMemo, useState } from 'react'
import { matchesChoice, takeFirst, type AccessChoice } from './access-choices.ts'
import { ChosenPill, PickerFrame, PickerOption, type PickerProps } from './picker-frame.tsx'

interface AccessPickerProps extends PickerProps {
  /** What is chosen, in the plural: workflows. */
  noun: string
  choices: readonly AccessChoice[]
  /** Ids as text, in the order in which they were chosen. */
  value: readonly string[]
  onChange: (value: string[]) => void
}

/** As many as are of use before one starts to search. */
export const pillsMax = 30

/** Stays quick with thousands of choices: the search looks through all of them, but only some are drawn. */
export function AccessPicker(props: AccessPickerProps) {
  const { noun, choices, value, onChange, ...frame } = props
  const [search, setSearch] = useState('')
  const combobox = useCombobox({ opened: true })
  const chosen = useMemo(() => new Set(value), [value])
  const { selectFirstOption, resetSelectedOption } = combobox
  // Enter takes the first match.
  useEffect(() => {
    if (search === '') resetSelectedOption()
    else selectFirstOption()
  }, [search, selectFirstOption, resetSelectedOption])

  function handleToggle(id: string) {
    onChange(chosen.has(id) ? value.filter((other) => other !== id) : [...value, id])
  }
  return (
    <PickerFrame
      {...frame}
      combobox={combobox}
      search={search}
      onSearch={setSearch}
      onToggle={handleToggle}
      onRemoveLast={() => onChange(value.slice(0, -1))}
      placeholder={value.length === 0 ? `Choose ${noun}` : ''}
      pills={
        <ChosenPills
          choices={choices}
          value={value}
          {...(frame.isDisabled ? {} : { onRemove: handleToggle })}
        />
      }
    >
      <Options noun={noun} choices={choices} search={search} chosen={chosen} />
    </PickerFrame>
  )
}

interface OptionsProps {
  noun: string
  choices: readonly AccessChoice[]
  search: string
  chosen: ReadonlySet<string>
}

function Options({ noun, choices, search, chosen }: OptionsProps) {
  const { shown, hidden } = useMemo(
    () => takeFirst(choices, (choice) => matchesChoice(choice, search)),
    [choices, search],
  )
  if (shown.length === 0) return <Combobox.Empty>No {noun} match</Combobox.Empty>
  return (
    <>
      {shown.map(({ id, name, line }) => (
        <PickerOption key={id} value={id} name={name} line={line} isChosen={chosen.has(id)} />
      ))}
      {hidden > 0 && <MoreToFind count={hidden} />}
    </>
  )
}

export function MoreToFind({ count }: { count: number }) {
  return (
    <Combobox.Footer>
      <Text size="xs" c="dimmed">
        and {count} more: type to narrow them down
      </Text>
    </Combobox.Footer>
  )
}

interface ChosenPillsProps {
  choices: readonly AccessChoice[]
  value: readonly string[]
  onRemove?: (id: string) => void
}

/** What was chosen last, and how many others there are. */
function ChosenPills({ choices, value, onRemove }: ChosenPillsProps) {
  const names = useMemo(() => new Map(choices.map(({ id, name }) => [id, name])), [choices])
  return (
    <>
      <OtherPills count={value.length - pillsMax} />
      {value.slice(-pillsMax).map((id) => (
        <ChosenPill
          key={id}
          name={names.get(id) ?? `#${id}`}
          {...(onRemove ? { onRemove: () => onRemove(id) } : {})}
        />
      ))}
    </>
  )
}

export function OtherPills({ count }: { count: number }) {
  if (count <= 0) return null
  return (
    <Text size="sm" c="dimmed">
      {count} others and
    </Text>
  )
}
