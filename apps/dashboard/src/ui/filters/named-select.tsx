import type { SelectProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery, type UseQueryOptions } from '@tanstack/react-query'
import { useState } from 'react'
import { LateSelect } from './late-select.tsx'

interface Named {
  id: number
  name: string
}

/** Where a select finds what it offers. */
export interface NameSource {
  /** One in words: `workflow`. */
  noun: string
  /** The first by name of those that the text finds; all for a blank text. */
  matching: (search: string) => UseQueryOptions<Named[]>
  /** The name of one that is not among the first. Fails where it was deleted. */
  nameOf: (id: string) => UseQueryOptions<string>
}

export interface NamedSelectProps extends Omit<SelectProps, 'data' | 'value' | 'onChange'> {
  /** Its id; blank where none is chosen. */
  value: string
  onChange: (id: string | null) => void
}

const pauseMs = 300

const nameless = (noun: string, id: string) =>
  `${noun.charAt(0).toUpperCase()}${noun.slice(1)} ${id}`

/** The name of a record; its id where that is not known. */
export function NameOf({ source, id }: { source: NameSource; id: string }) {
  const { data } = useQuery({ ...source.nameOf(id), retry: false, enabled: id !== '' })
  return data ?? nameless(source.noun, id)
}

/** Chooses a record by its name. The first by name are offered at once, others where their name is typed. */
export function NamedSelect({
  source,
  value,
  onChange,
  ...props
}: NamedSelectProps & { source: NameSource }) {
  const { noun, matching, nameOf } = source
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), pauseMs)
  const first = useQuery({ ...matching(''), placeholderData: keepPreviousData })
  const found = useQuery({ ...matching(search), placeholderData: keepPreviousData })
  const labels = new Map<string, string>()
  for (const { id, name } of [...(first.data ?? []), ...(found.data ?? [])])
    labels.set(String(id), name)
  const isElsewhere = value !== '' && first.isSuccess && !labels.has(value)
  const other = useQuery({ ...nameOf(value), retry: false, enabled: isElsewhere })
  // A link may name one that was deleted.
  if (value !== '' && !labels.has(value)) labels.set(value, other.data ?? nameless(noun, value))
  return (
    <LateSelect
      {...props}
      data={[...labels].map(([id, label]) => ({ value: id, label }))}
      value={value === '' ? null : value}
      onChange={onChange}
      searchable
      onSearchChange={setTyped}
      nothingFoundMessage={`No ${noun} of that name`}
    />
  )
}
