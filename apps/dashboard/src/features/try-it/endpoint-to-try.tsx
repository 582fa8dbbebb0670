import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { EndpointRecord } from '@gatehouse/contract'
import { call } from '../../lib/calls/call.ts'
import { LateSelect } from '../../ui/filters/late-select.tsx'

const shownMax = 50
const pauseMs = 300

/** The first endpoints of an API that the text finds, by path; all for a blank text. */
export const endpointsToTry = (apiId: number, search: string) =>
  queryOptions({
    queryKey: ['endpoints', 'tried', apiId, search],
    queryFn: async ({ signal }) => {
      const query = { page: 1, limit: shownMax, sort: 'path', api_id: apiId, search } as const
      const [answer] = await call('GET /api/endpoint', { query, signal })
      return answer.data
    },
  })

interface EndpointToTryProps {
  apiId: number
  value: EndpointRecord
  onChange: (endpoint: EndpointRecord) => void
}

/** Chooses one endpoint of an API. The first by path are offered at once, others where a part of them is typed. */
export function EndpointToTry({ apiId, value, onChange }: EndpointToTryProps) {
  const [typed, setTyped] = useState('')
  const [paused] = useDebouncedValue(typed.trim(), pauseMs)
  // The field holds the name of what is chosen.
  const search = paused === nameOf(value) ? '' : paused
  const { data = [] } = useQuery({
    ...endpointsToTry(apiId, search),
    placeholderData: keepPreviousData,
  })
  const offered = new Map([...data, value].map((each) => [String(each.id), each]))
  return (
    <LateSelect
      label="Endpoint"
      data={[...offered].map(([id, each]) => ({ value: id, label: nameOf(each) }))}
      value={String(value.id)}
      onChange={(id) => {
        const chosen = id === null ? undefined : offered.get(id)
        if (chosen) onChange(chosen)
      }}
      filter={({ options }) => options}
      searchable
      allowDeselect={false}
      onSearchChange={setTyped}
      nothingFoundMessage="This API has no such endpoint"
    />
  )
}

const nameOf = ({ method_type, path, summery }: EndpointRecord) =>
  `${method_type.toUpperCase()} ${path} · ${summery}`
