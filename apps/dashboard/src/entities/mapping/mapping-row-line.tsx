import { useEffect, useRef, useState, type ComponentProps } from 'react'
import { MappingRowFields } from './mapping-row-fields.tsx'
import classes from './mapping-rows.module.css'
import { fieldId } from './use-mapping-rows.ts'

interface MappingRowLineProps extends ComponentProps<typeof MappingRowFields> {
  /** It is so far down that it has no fields before it is near. */
  isFar: boolean
}

const fields = ['from', 'to', 'custom_input', 'type'] as const

/** A row of the table: with its fields once it was near the window, as plain text before. */
export function MappingRowLine({ isFar, ...props }: MappingRowLineProps) {
  const { row, number, sources, value } = props
  const [wasNear, setWasNear] = useState(!isFar)
  const [focused, setFocused] = useState<string>()
  const line = useRef<HTMLFieldSetElement>(null)
  useEffect(() => {
    if (wasNear || !line.current) return undefined
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setWasNear(true),
      { rootMargin: '800px' },
    )
    observer.observe(line.current)
    return () => observer.disconnect()
  }, [wasNear])
  // A link to a field of a row that had none goes on to the field.
  useEffect(() => {
    if (focused !== undefined) document.getElementById(focused)?.focus()
  }, [focused])
  if (wasNear) return <MappingRowFields {...props} />
  return (
    <fieldset
      ref={line}
      className={classes['plain']}
      data-sources={sources ? true : undefined}
      aria-label={`Row ${number}`}
    >
      {sources && <span>{row.source}</span>}
      {fields.map((field) => (
        <span
          key={field}
          id={fieldId(row.id, field)}
          // What leads to a problem focuses it.
          tabIndex={-1}
          onFocus={({ currentTarget }) => {
            setWasNear(true)
            setFocused(currentTarget.id)
          }}
        >
          {row[field]}
        </span>
      ))}
      <span className={classes['value']}>{value}</span>
    </fieldset>
  )
}
