import { Combobox, Pill, PillsInput, type ComboboxStore } from '@mantine/core'
import { memo, useId, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react'
import { LightOption, optionEvents } from '../../ui/filters/light-option.tsx'
import classes from './access-picker.module.css'

export interface PickerProps {
  label: string
  description: string
  isDisabled?: boolean
  error?: ReactNode
}

interface PickerFrameProps extends PickerProps {
  combobox: ComboboxStore
  pills: ReactNode
  placeholder: string
  search: string
  onSearch: (search: string) => void
  /** With the value of an option. */
  onToggle: (value: string) => void
  onRemoveLast: () => void
  /** The options lie over what follows, and only while they are used. */
  isOverlay?: boolean
  /** The options. */
  children: ReactNode
}

/**
 * A multi-select whose list stands in place, so that it covers neither what the edit would change nor
 * the button that saves it.
 */
export function PickerFrame(props: PickerFrameProps) {
  const { label, description, error, isDisabled = false, combobox, search } = props
  const { isOverlay = false } = props
  const inputId = useId()
  function handleKeyDown(event: KeyboardEvent) {
    // Saves nothing by accident, also while nothing matches.
    if (event.key === 'Enter') event.preventDefault()
    if (event.key === 'Backspace' && search === '') props.onRemoveLast()
  }
  return (
    <Combobox store={combobox}>
      <PillsInput
        id={inputId}
        label={label}
        description={description}
        error={error}
        disabled={isDisabled}
      >
        <Pill.Group>
          {props.pills}
          <Combobox.EventsTarget withExpandedAttribute>
            <PillsInput.Field
              id={inputId}
              value={search}
              disabled={isDisabled}
              placeholder={props.placeholder}
              onKeyDown={handleKeyDown}
              onChange={(event) => {
                combobox.openDropdown()
                props.onSearch(event.currentTarget.value)
              }}
              onClick={() => combobox.openDropdown()}
              onBlur={() => combobox.closeDropdown()}
            />
          </Combobox.EventsTarget>
        </Pill.Group>
      </PillsInput>
      {!isDisabled && combobox.dropdownOpened && (
        // In place it is focusable, so that keys scroll it.
        <Combobox.Options
          aria-label={label}
          {...(isOverlay ? { 'data-overlay': true, onMouseDown: keepFocus } : { tabIndex: 0 })}
          className={classes['options'] ?? ''}
          {...optionEvents(props.onToggle)}
        >
          {props.children}
        </Combobox.Options>
      )}
    </Combobox>
  )
}

/** A press on an option leaves the focus where it is: in the field. */
const keepFocus = (event: MouseEvent) => event.preventDefault()

interface PickerOptionProps {
  value: string
  name: string
  line: string
  isChosen: boolean
}

/** Drawn again only where it has changed: the others of the list stay as they are. */
export const PickerOption = memo(function PickerOption(props: PickerOptionProps) {
  const { value, name, line, isChosen } = props
  return (
    <LightOption value={value} isChosen={isChosen} className={classes['option']}>
      <span className={classes['tick']} aria-hidden>
        {isChosen && '✓'}
      </span>
      <span>
        {name}
        <span className={classes['line']}>{line}</span>
      </span>
    </LightOption>
  )
})

/** Removable unless it is shown alone. */
export function ChosenPill({ name, onRemove }: { name: string; onRemove?: () => void }) {
  return (
    <Pill
      withRemoveButton={onRemove !== undefined}
      {...(onRemove ? { onRemove } : {})}
      removeButtonProps={{ 'aria-label': `Remove ${name}`, 'aria-hidden': false }}
    >
      {name}
    </Pill>
  )
}
