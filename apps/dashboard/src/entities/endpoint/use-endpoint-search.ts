import type { ComboboxStore } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { EndpointOption } from '@gatehouse/contract'
import { useEffect, useState } from 'react'
import { messageOf } from '../../lib/calls/call-error.ts'
import { useUnresolved } from '../../ui/text/unresolved.tsx'
import { choiceQueries, useChoice, useChoiceSource } from './choice-source.tsx'

const typingPauseMs = 150

interface Choosing {
  value: string | null
  onChange: (value: string | null) => void
  onlyReads?: boolean
}

export type EndpointSearch = ReturnType<typeof useEndpointSearch>

/** What an endpoint select shows, searches and chooses. */
export function useEndpointSearch(
  { value, onChange, onlyReads = false }: Choosing,
  combobox: ComboboxStore,
) {
  const chosen = useUsable(value, onlyReads)
  /** Undefined: the field shows what is chosen. */
  const [typed, setTyped] = useState<string>()
  const isUnresolved = typed !== undefined
  useUnresolved(isUnresolved)
  const found = useFound(typed ?? '', onlyReads, combobox.dropdownOpened || isUnresolved)
  const { options, isFresh } = found
  const [isTaking, setIsTaking] = useState(false)

  function choose(id: string) {
    setTyped(undefined)
    setIsTaking(false)
    onChange(id)
    combobox.closeDropdown()
  }
  function clear() {
    setTyped(undefined)
    onChange(null)
  }
  // Enter or Tab came before the answer.
  const [first] = options
  useEffect(() => {
    if (!isTaking || !isFresh) return
    setIsTaking(false)
    if (first) choose(String(first.id))
    // eslint-disable-next-line react-hooks/exhaustive-deps -- `choose` is another one each time
  }, [isTaking, isFresh, first])

  const text =
    chosen?.summery ?? (value === null || chosen === undefined ? '' : `Endpoint ${value}`)
  return {
    ...found,
    chosen,
    value,
    isUnresolved,
    shownText: typed ?? text,
    problem: problemOf({ typed, isOpen: combobox.dropdownOpened, chosen, found }),
    choose,
    clear,
    type: (text: string) => {
      if (text.trim() === '') clear()
      else setTyped(text)
      combobox.openDropdown()
      combobox.resetSelectedOption()
    },
    /** Shows again what is chosen. */
    giveUp: () => {
      setTyped(undefined)
      setIsTaking(false)
    },
    takeFirst: () => setIsTaking(true),
    hasMarked: () => combobox.getSelectedOptionIndex() !== -1,
  }
}

/** The endpoint; null where it can't be chosen here, undefined while nobody knows. */
function useUsable(value: string | null, onlyReads: boolean) {
  const choice = useChoice(value)
  return choice && onlyReads && choice.effect !== 'read' ? null : choice
}

function useFound(typed: string, onlyReads: boolean, isWanted: boolean) {
  const source = useChoiceSource()
  const [paused] = useDebouncedValue(typed, typingPauseMs)
  const search = typed === '' ? '' : paused
  const list = useQuery({
    ...choiceQueries.list(source, search.trim(), onlyReads),
    placeholderData: keepPreviousData,
    enabled: isWanted,
  })
  return {
    options: list.data ?? noOptions,
    /** The options are those of what is typed. */
    isFresh: search === typed && list.isSuccess && !list.isPlaceholderData,
    failure: list.isError ? messageOf(list.error) : undefined,
  }
}

const noOptions: EndpointOption[] = []

interface Shown {
  typed: string | undefined
  isOpen: boolean
  chosen: EndpointOption | null | undefined
  found: ReturnType<typeof useFound>
}

function problemOf({ typed, isOpen, chosen, found }: Shown): string | undefined {
  if (typed === undefined)
    return chosen === null
      ? 'This endpoint can’t be called here any more. Choose another.'
      : undefined
  if (found.isFresh && found.options.length === 0) return `No endpoint matches “${typed}”.`
  return isOpen ? undefined : `Nothing is chosen for “${typed}”. Choose an endpoint from the list.`
}
