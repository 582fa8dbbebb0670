import { Select, type SelectProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/call.ts'

/** The first by name are offered at once, others where their name is typed. */
const shownMax = 50
const pauseMs = 300

const named = (search: string) =>
  queryOptions({
    queryKey: ['workflows', 'names', search] as const,
    queryFn: async ({ signal }) => {
      const query = { page: 1, limit: shownMax, sort: 'name', search } as const
      return (await call('GET /api/workflows', { query, signal }))[0].data
    },
    placeholderData: keepPreviousData,
  })

/** The name of one that is not among the others. Fails where it was deleted. */
const nameOf = (id: string) =>
  queryOptions({
    queryKey: ['workflows', 'name', id] as const,
    queryFn: async ({ signal }) => {
      const params = { id: Number(id) }
      return (await call('GET /api/workflows/:id', { params, signal })).name
    },
    retry: false,
  })

interface WorkflowSelectProps extends Omit<SelectProps, 'data' | 'value' | 'onChange'> {
  /** Its id; blank where none is chosen. */
  value: string
  onChange: (id: string | null) => void
}

/** Chooses a workflow by its name. For users who may view workflows. */
export function WorkflowSelect({ value, onChange, ...props }: WorkflowSelectProps) {
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), pauseMs)
  const first = useQuery(named(''))
  const matching = useQuery(named(search))
  const labels = new Map<string, string>()
  for (const { id, name } of [...(first.data ?? []), ...(matching.data ?? [])])
    labels.set(String(id), name)
  const isElsewhere = value !== '' && first.isSuccess && !labels.has(value)
  const other = useQuery({ ...nameOf(value), enabled: isElsewhere })
  // A link may name one that was deleted.
  if (value !== '' && !labels.has(value)) labels.set(value, other.data ?? `Workflow ${value}`)
  return (
    <Select
      {...props}
      data={[...labels].map(([id, label]) => ({ value: id, label }))}
      value={value === '' ? null : value}
      onChange={onChange}
      searchable
      onSearchChange={setTyped}
      nothingFoundMessage="No workflow of that name"
    />
  )
}
