import classes from './log-table.module.css'

interface LongTextProps {
  id?: string
  label: string
  text: string
}

/** A text of a log as it is, which scrolls where it is long. */
export function LongText({ id, label, text }: LongTextProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- WCAG 2.1.1: scrollable region
    <pre id={id} className={classes['block']} dir="auto" tabIndex={0} aria-label={label}>
      {text}
    </pre>
  )
}
