import { LinkedPill } from '../filters/linked-pill.tsx'
import { NameOf } from '../filters/named-select.tsx'
import type { Term } from './term.ts'
import classes from './term-chips.module.css'

interface TermChipsProps {
  terms: readonly Term[]
  address: URLSearchParams
  onRemove: (name: string) => void
}

/** What a list is narrowed down to, where the fields that say so are folded away. Each can be taken away. */
export function TermChips({ terms, address, onRemove }: TermChipsProps) {
  return (
    <div className={classes['chips']}>
      {terms.map((term) => {
        const { name, label, choices, source } = term
        const value = address.get(name) ?? ''
        if (value === '') return null
        const words = choices?.find((choice) => choice.value === value)?.label ?? value
        return (
          <LinkedPill
            key={name}
            removeLabel={`Without the filter ${label}`}
            onRemove={() => onRemove(name)}
          >
            {label}: {source ? <NameOf source={source} id={value} /> : words}
          </LinkedPill>
        )
      })}
    </div>
  )
}
