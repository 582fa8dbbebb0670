import { Combobox, Pill, PillsInput, Text, useCombobox } from '@mantine/core'
import { useEffect, useId, useMemo, useState, type KeyboardEvent, type ReactNode } from 'react'
import type { AccessEndpoint } from '@gatehouse/contract'
import { endpointLine, endpointName, matchesEndpoint, takeFirst } from './endpoint-search.ts'
import classes from './endpoint-picker.module.css'

interface EndpointPickerProps {
  label: string
  endpoints: readonly AccessEndpoint[]
  /** Ids as text, in the order in which they were chosen. */
  value: readonly string[]
  onChange: (value: string[]) => void
  isDisabled?: boolean
  error?: ReactNode
}

/** As many as are of use before one starts to search. */
const pillsMax = 30

/**
 * A multi-select that stays quick with thousands of endpoints, chosen or not: the search looks
 * through all of them, but only some are drawn. Its list stands in place, so that it covers neither
 * what the edit would change nor the button that saves it.
 */
export function EndpointPicker(props: EndpointPickerProps) {
  const { label, endpoints, value, onChange, isDisabled = false, error } = props
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
        description="Search by name, path, method or API. Chosen endpoints carry a tick."
        error={error}
        disabled={isDisabled}
      >
        <Pill.Group>
          <ChosenPills
            endpoints={endpoints}
            value={value}
            {...(isDisabled ? {} : { onRemove: handleToggle })}
          />
          <Combobox.EventsTarget withExpandedAttribute>
            <PillsInput.Field
              id={inputId}
              value={search}
              disabled={isDisabled}
              placeholder={value.length === 0 ? 'Choose endpoints' : ''}
              onKeyDown={handleKeyDown}
              onChange={(event) => setSearch(event.currentTarget.value)}
            />
          </Combobox.EventsTarget>
        </Pill.Group>
      </PillsInput>
      {!isDisabled && (
        <Combobox.Options aria-label={label} className={classes['options'] ?? ''}>
          <Options endpoints={endpoints} search={search} chosen={chosen} />
        </Combobox.Options>
      )}
    </Combobox>
  )
}

interface OptionsProps {
  endpoints: readonly AccessEndpoint[]
  search: string
  chosen: ReadonlySet<string>
}

function Options({ endpoints, search, chosen }: OptionsProps) {
  const { shown, hidden } = useMemo(
    () => takeFirst(endpoints, (endpoint) => matchesEndpoint(endpoint, search)),
    [endpoints, search],
  )
  if (shown.length === 0) return <Combobox.Empty>No endpoint matches</Combobox.Empty>
  return (
    <>
      {shown.map((endpoint) => {
        const isChosen = chosen.has(String(endpoint.id))
        return (
          <Combobox.Option
            key={endpoint.id}
            value={String(endpoint.id)}
            active={isChosen}
            aria-selected={isChosen}
            className={classes['option'] ?? ''}
          >
            <span className={classes['tick']} aria-hidden>
              {isChosen && '✓'}
            </span>
            <span>
              {endpointName(endpoint)}
              <span className={classes['line']}>{endpointLine(endpoint)}</span>
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
  endpoints: readonly AccessEndpoint[]
  value: readonly string[]
  onRemove?: (id: string) => void
}

/** The endpoints chosen last, and how many others there are. */
function ChosenPills({ endpoints, value, onRemove }: ChosenPillsProps) {
  const byId = useMemo(() => new Map(endpoints.map((e) => [String(e.id), e])), [endpoints])
  const hidden = value.length - pillsMax
  return (
    <>
      {hidden > 0 && (
        <Text size="sm" c="dimmed">
          {hidden} others and
        </Text>
      )}
      {value.slice(-pillsMax).map((id) => {
        const endpoint = byId.get(id)
        const name = endpoint ? endpointName(endpoint) : `#${id}`
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
