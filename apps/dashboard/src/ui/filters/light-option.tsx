import { Combobox } from '@mantine/core'
import { useId, type MouseEvent, type ReactNode } from 'react'

interface LightOptionProps {
  value: string
  isChosen: boolean
  className?: string | undefined
  children: ReactNode
}

/**
 * An option of a combobox that is one element: a list has fifty, and the library's own takes as long to draw as
 * ten elements. `optionEvents` goes on the list.
 */
export function LightOption({ value, isChosen, className = '', children }: LightOptionProps) {
  return (
    <div
      id={useId()}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the tag is for the browser's own selects
      role="option"
      aria-selected={isChosen}
      className={`${Combobox.classes['option']} ${className}`}
      data-value={value}
      data-combobox-option
      data-combobox-active={isChosen || undefined}
    >
      {children}
    </div>
  )
}

/** What a list of light options does on a click, and on Enter, which the combobox makes a click. */
export const optionEvents = (onChoose: (value: string) => void) => ({
  onClick: ({ target }: MouseEvent) => {
    if (!(target instanceof Element)) return
    const option = target.closest<HTMLElement>('[data-combobox-option]')
    const value = option?.dataset['value']
    if (value !== undefined) onChoose(value)
  },
})
