/* oxlint-disable jsx-a11y/prefer-tag-over-role -- no HTML element lists completions below a field that keeps the focus */

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useId, useState } from 'react'
import type { NameSource } from '../filters/named-select.tsx'
import { choiceNamed, termsIn, type Term } from './term.ts'
import classes from './term-offers.module.css'

interface TermOffersProps {
  input: HTMLInputElement
  text: string
  terms: readonly Term[]
  onText: (text: string) => void
  /** Narrows the list down. */
  onTerm: (name: string, value: string) => void
}

interface Offer {
  key: string
  text: string
  /** What the text stands for. */
  hint?: string
  take: () => void
}

const offersMax = 8

/**
 * What may stand where the text ends: names of terms, or values of one. Arrow keys choose, Enter and Tab take.
 * The cursor stays in the field, which tells screen readers which offer is chosen. A term that is whole, with a
 * space after it or by Enter, leaves the text and narrows the list down.
 */
export function TermOffers({ input, text, terms, onText, onTerm }: TermOffersProps) {
  const client = useQueryClient()
  const listId = useId()
  const [active, setActive] = useState(0)
  const [closedAt, setClosedAt] = useState<string>()
  const [isAsked, setIsAsked] = useState(false)
  const [seen, setSeen] = useState(text)
  if (text !== seen) {
    setSeen(text)
    setActive(0)
    setIsAsked(false)
  }
  const typed = termsIn(text, terms).find(({ text: each }) => text.endsWith(each))
  const named = useNamed(typed?.term.source, typed?.words ?? '')
  const offers = closedAt === text ? [] : typed ? values() : names()
  const chosen = offers[active]

  function values(): Offer[] {
    if (!typed) return []
    const { term, words } = typed
    const small = words.toLowerCase()
    return (term.choices ?? named)
      .filter(({ value, label }) => `${value} ${label}`.toLowerCase().includes(small))
      .slice(0, offersMax)
      .map(({ value, label }) => ({
        key: value,
        text: label,
        take: () => take(typed.text, term, value),
      }))
  }
  function names(): Offer[] {
    const part = /\S*$/.exec(text)?.[0].toLowerCase() ?? ''
    if (part === '' && !isAsked) return []
    return terms
      .filter(({ name, label }) => name.startsWith(part) || label.toLowerCase().startsWith(part))
      .map(({ name, label }) => ({
        key: name,
        text: `${name}:`,
        hint: label,
        take: () => onText(`${text.slice(0, text.length - part.length)}${name}:`),
      }))
  }
  function take(typedText: string, { name }: Term, value: string) {
    onTerm(name, value)
    onText(text.replace(typedText, '').replaceAll(/\s+/g, ' ').trimStart())
  }

  // A name is looked up; by then more may have been typed.
  const takeLate = useEffectEvent(take)
  const takeWhole = useEffectEvent(async () => {
    for (const { term, words, text: whole, isOpen } of termsIn(text, terms)) {
      if (words === '' || isOpen) continue
      const value = await valueOf(term, words)
      if (value !== undefined) takeLate(whole, term, value)
    }
  })
  async function valueOf({ choices, source }: Term, words: string): Promise<string | undefined> {
    if (choices) return choiceNamed(words, choices)
    if (!source) return words
    const found = await client.fetchQuery(source.matching(words))
    return choiceNamed(words, found.map(toChoice))
  }
  useEffect(() => {
    if (/\s$/.test(text)) void takeWhole()
  }, [text])

  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      if (offers.length === 0) {
        setIsAsked(true)
        setClosedAt(undefined)
      } else setActive((active + step + offers.length) % offers.length)
    } else if (event.key === 'Escape' && offers.length > 0) {
      // It closes the offers, and does not clear the field too.
      event.preventDefault()
      event.stopPropagation()
      setClosedAt(text)
    } else if (chosen && (event.key === 'Enter' || (event.key === 'Tab' && typed))) {
      event.preventDefault()
      chosen.take()
    } else if (event.key === 'Enter') void takeWhole()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => handleKey(event)
    input.addEventListener('keydown', listen)
    return () => input.removeEventListener('keydown', listen)
  }, [input])

  const activeId = chosen && `${listId}-${active}`
  useEffect(() => {
    input.setAttribute('aria-autocomplete', 'list')
    const facts = { 'aria-controls': activeId && listId, 'aria-activedescendant': activeId }
    for (const [name, value] of Object.entries(facts))
      if (value) input.setAttribute(name, value)
      else input.removeAttribute(name)
  }, [input, activeId, listId])

  return (
    <>
      <output className={classes['spoken']}>
        {offers.length > 0 && `${offers.length} completions`}
      </output>
      {offers.length > 0 && (
        <div id={listId} role="listbox" aria-label="Completions" className={classes['list']}>
          {offers.map((offer, at) => (
            <div
              key={offer.key}
              id={`${listId}-${at}`}
              role="option"
              aria-selected={at === active}
              tabIndex={-1}
              className={classes['offer']}
              onMouseDown={(event) => {
                // The cursor stays in the field.
                event.preventDefault()
                offer.take()
              }}
            >
              {offer.text}
              {offer.hint !== undefined && <span>{offer.hint}</span>}
            </div>
          ))}
        </div>
      )}
    </>
  )
}

export { withoutTerms } from './term.ts'

const toChoice = ({ id, name }: { id: number; name: string }) => ({
  value: String(id),
  label: name,
})

function useNamed(source: NameSource | undefined, words: string) {
  const { data = [] } = useQuery({
    ...(source?.matching(words) ?? { queryKey: ['no-names'], queryFn: () => [] }),
    enabled: source !== undefined,
  })
  return data.map(toChoice)
}
