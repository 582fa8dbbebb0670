import type { ReactNode } from 'react'
import classes from './bare-checkbox.module.css'

interface BareCheckboxProps {
  label: ReactNode
  isChecked: boolean
  /** Neither set nor clear: only some of the items it represents are set. */
  isPartly?: boolean
  isDisabled?: boolean
  onToggle: () => void
  /** What names it, where that is not all of its label. */
  name?: string | undefined
  describedBy?: string | undefined
}

/** The browser's own checkbox and a label: cheap enough for lists of thousands. */
export function BareCheckbox(props: BareCheckboxProps) {
  const {
    label,
    isChecked,
    isPartly = false,
    isDisabled = false,
    onToggle,
    name,
    describedBy,
  } = props
  return (
    <label className={classes['label']} data-disabled={isDisabled}>
      <input
        type="checkbox"
        className={classes['box']}
        checked={isChecked}
        disabled={isDisabled}
        onChange={onToggle}
        aria-label={name}
        aria-describedby={describedBy}
        ref={(box) => {
          if (box) box.indeterminate = isPartly
        }}
      />
      {label}
    </label>
  )
}
