import { MultiSelect, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ScopeChoice } from '@gatehouse/contract'
import { messageOf } from '../../lib/calls/call-error.ts'
import { tokenQueries } from './token-queries.ts'

const pauseMs = 200

interface ScopeSelectProps {
  what: 'endpoints' | 'workflows'
  label: string
  description: string
  /** Shown where nothing is called like what is typed. */
  nothingFound: string
  /** The user of the token. */
  owner: number
  /** What is chosen to begin with, by name. */
  named: readonly ScopeChoice[]
  /** Ids as text. */
  value: string[]
  onChange: (value: string[]) => void
  error: string | undefined
  isDisabled: boolean
  /** Of the endpoints, those alone that agents find. */
  isOfTools?: boolean
}

/** Endpoints or workflows, searched at the server among those that the user of a token may call. */
export function ScopeSelect(props: ScopeSelectProps) {
  const { what, owner, value, onChange, error, isDisabled } = props
  const [search, setSearch] = useState('')
  const [settled] = useDebouncedValue(search.trim(), search === '' ? 0 : pauseMs)
  const query = useQuery({
    ...tokenQueries.choices(owner, settled, props.isOfTools ? 'tools' : 'all'),
    placeholderData: keepPreviousData,
    enabled: !isDisabled,
  })
  const found = query.data?.[what] ?? []
  const [chosen, setChosen] = useState(props.named)
  const known = new Map([...chosen, ...found].map((each) => [String(each.id), each]))

  function handleChange(ids: string[]) {
    setChosen(ids.flatMap((id) => known.get(id) ?? []))
    setSearch('')
    onChange(ids)
  }
  const offered = new Set([...value, ...found.map(({ id }) => String(id))])
  return (
    <MultiSelect
      label={props.label}
      description={props.description}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      data={[...offered].map((id) => ({ value: id, label: known.get(id)?.name ?? `#${id}` }))}
      value={value}
      onChange={handleChange}
      searchable
      searchValue={search}
      onSearchChange={setSearch}
      // The server has searched already, in more than the names.
      filter={({ options }) => options}
      renderOption={({ option }) => (
        <div>
          {option.label}
          <Text size="xs" c="dimmed">
            {known.get(option.value)?.line}
          </Text>
        </div>
      )}
      hidePickedOptions
      nothingFoundMessage={query.isError ? messageOf(query.error) : props.nothingFound}
      error={error ?? null}
      disabled={isDisabled}
    />
  )
}
