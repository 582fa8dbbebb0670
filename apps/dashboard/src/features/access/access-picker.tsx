import { Combobox, Pill, PillsInput, Text, useCombobox } from '@mantine/core'
import { useEffect, useId, useMemo, useState, type KeyboardEvent, type ReactNode } from 'react'
import { matchesChoice, takeFirst, type AccessChoice } from './access-choices.ts'
import classes from './access-picker.module.css'

interface AccessPickerProps {
  label: string
  description: string
  /** What is chosen, in the plural: endpoints. */
  noun: string
  choices: readonly AccessChoice[]
  /** Ids as text, in the order in which they were chosen. */
  value: readonly string[]
  onChange: (value: string[]) => void
  isDisabled?: boolean
  error?: ReactNode
}

/** As many as are of use before one starts to search. */
const pillsMax = 30

/**
 * A multi-select that stays quick with thousands of choices, chosen or not: the search looks
 * through all of them, but only some are drawn. Its list stands in place, so that it covers neither
 * what the edit would change nor the button that saves it.
 */
export function AccessPicker(props: AccessPickerProps) {
  const { label, description, noun, choices, value, onChange, isDisabled = false, error } = props
  const [search, setSearch] = useState('')
  const combobox = useCombobox({ opened: true })
  const inputId = useId()
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
  function handleKeyDown(event: KeyboardEvent) {
    // Saves nothing by accident, also while nothing matches.
    if (event.key === 'Enter') event.preventDefault()
    if (event.key === 'Backspace' && search === '') onChange(value.slice(0, -1))
  }
  return (
    <Combobox store={combobox} onOptionSubmit={handleToggle}>
      <PillsInput
        id={inputId}
        label={label}
        description={description}
        error={error}
        disabled={isDisabled}
      >
        <Pill.Group>
          <ChosenPills
            choices={choices}
            value={value}
            {...(isDisabled ? {} : { onRemove: handleToggle })}
          />
          <Combobox.EventsTarget withExpandedAttribute>
            <PillsInput.Field
              id={inputId}
              value={search}
              disabled={isDisabled}
              placeholder={value.length === 0 ? `Choose ${noun}` : ''}
              onKeyDown={handleKeyDown}
              onChange={(event) => setSearch(event.currentTarget.value)}
            />
          </Combobox.EventsTarget>
        </Pill.Group>
      </PillsInput>
      {!isDisabled && (
        // Focusable, so that keys scroll it.
        <Combobox.Options aria-label={label} tabIndex={0} className={classes['options'] ?? ''}>
          <Options noun={noun} choices={choices} search={search} chosen={chosen} />
        </Combobox.Options>
      )}
    </Combobox>
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
      {shown.map(({ id, name, line }) => {
        const isChosen = chosen.has(id)
        return (
          <Combobox.Option
            key={id}
            value={id}
            active={isChosen}
            aria-selected={isChosen}
            className={classes['option'] ?? ''}
          >
            <span className={classes['tick']} aria-hidden>
              {isChosen && '✓'}
            </span>
            <span>
              {name}
              <span className={classes['line']}>{line}</span>
            </span>
          </Combobox.Option>
        )
      })}
      {hidden > 0 && (
        <Combobox.Footer>
          <Text size="xs" c="dimmed">
            and {hidden} more: type to narrow them down
          </Text>
        </Combobox.Footer>
      )}
    </>
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
  const hidden = value.length - pillsMax
  return (
    <>
      {hidden > 0 && (
        <Text size="sm" c="dimmed">
          {hidden} others and
        </Text>
      )}
      {value.slice(-pillsMax).map((id) => {
        const name = names.get(id) ?? `#${id}`
        return (
          <Pill
            key={id}
            withRemoveButton={onRemove !== undefined}
            onRemove={() => onRemove?.(id)}
            removeButtonProps={{ 'aria-label': `Remove ${name}`, 'aria-hidden': false }}
          >
            {name}
          </Pill>
        )
      })}
    </>
  )
}
