/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/no-noninteractive-element-to-interactive-role -- no HTML element lists completions below a text area that keeps the focus */
import { useId, useState, type KeyboardEvent, type RefObject } from 'react'
import { assistMaxLength, type Completion, type TextAssist } from '../json/text-assist.ts'

interface PlainOffersOptions {
  area: RefObject<HTMLTextAreaElement | null>
  value: string
  onChange: ((text: string) => void) | undefined
  assist: TextAssist | undefined
}

/**
 * Completion in a plain text area, as the editor has it: arrows choose, Enter or Tab takes, Escape closes. Gives
 * what the text area gets, and the list to show below it.
 */
export function usePlainOffers({ area, value, onChange, assist }: PlainOffersOptions) {
  const listId = useId()
  /** Where something was typed; undefined: nothing is offered. */
  const [at, setAt] = useState<number>()
  const [chosen, setChosen] = useState(0)
  const isAsked = at !== undefined && onChange !== undefined && value.length <= assistMaxLength
  // Computed in each render: the samples may arrive after the braces were typed.
  const found = isAsked ? assist?.completionsAt(value, at) : undefined
  const options = found?.options ?? []
  const isOpen = options.length > 0
  const current = Math.min(chosen, options.length - 1)
  const close = () => setAt(undefined)

  function handleTyped(text: string) {
    setAt(area.current?.selectionStart)
    setChosen(0)
    onChange?.(text)
  }

  function take(option: Completion | undefined) {
    if (!option || !found || at === undefined || !area.current) return
    area.current.focus()
    area.current.setRangeText(option.text, found.from, at, 'end')
    close()
    onChange?.(area.current.value)
  }

  function handleKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (!isOpen) return
    const { length } = options
    if (event.key === 'ArrowDown') setChosen((current + 1) % length)
    else if (event.key === 'ArrowUp') setChosen((current + length - 1) % length)
    else if (event.key === 'Enter' || event.key === 'Tab') take(options[current])
    else if (event.key === 'Escape') close()
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  return {
    handleTyped,
    list: isOpen && (
      <OfferList id={listId} options={options} chosen={current} onTake={(each) => take(each)} />
    ),
    inputProps: assist && {
      onKeyDown: handleKeyDown,
      onBlur: close,
      // The cursor went elsewhere.
      onSelect: () => at !== area.current?.selectionStart && close(),
      'aria-autocomplete': 'list' as const,
      ...(isOpen
        ? { 'aria-controls': listId, 'aria-activedescendant': `${listId}-${current}` }
        : {}),
    },
  }
}

interface OfferListProps {
  id: string
  options: readonly Completion[]
  chosen: number
  onTake: (option: Completion) => void
}

function OfferList({ id, options, chosen, onTake }: OfferListProps) {
  return (
    <ul
      id={id}
      role="listbox"
      aria-label="Values that can be inserted"
      className="json-offers json-plain-offers"
    >
      {options.map((option, at) => (
        <li
          key={option.label}
          id={`${id}-${at}`}
          role="option"
          aria-selected={at === chosen}
          // Before the text area would lose the focus.
          onMouseDown={(event) => {
            event.preventDefault()
            onTake(option)
          }}
        >
          <span>{option.label}</span>
          <span className="json-offer-detail">{option.detail}</span>
        </li>
      ))}
    </ul>
  )
}
