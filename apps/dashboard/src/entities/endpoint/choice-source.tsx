import { queryOptions, useQuery } from '@tanstack/react-query'
import type { CallInput, EndpointOption, Routes } from '@gatehouse/contract'
import { createContext, useContext } from 'react'

type ChoiceQuery = NonNullable<CallInput<Routes['GET /api/tax']>['query']>

/** Where a form finds the endpoints that it offers. */
export interface ChoiceSource {
  /** Tells the sources apart. */
  name: string
  load: (query: ChoiceQuery, signal: AbortSignal) => Promise<EndpointOption[]>
}

/** A list shows that many; a search finds the others. */
export const choicesShown = 50

const keyOf = ({ name }: ChoiceSource, id: number) => ['endpoint-choices', name, 'id', id] as const

export const choiceQueries = {
  list: (source: ChoiceSource, search: string, onlyReads: boolean) =>
    queryOptions({
      queryKey: ['endpoint-choices', source.name, { search, onlyReads }],
      queryFn: async ({ signal, client }) => {
        const effect = onlyReads ? 'read' : ''
        const choices = await source.load({ search, effect, limit: choicesShown }, signal)
        for (const choice of choices) client.setQueryData(keyOf(source, choice.id), choice)
        return choices
      },
    }),
  /** Null where the user can't call it any more. */
  one: (source: ChoiceSource, id: number) =>
    queryOptions({
      queryKey: keyOf(source, id),
      queryFn: async ({ signal }) => {
        const [choice] = await source.load({ ids: String(id) }, signal)
        return choice ?? null
      },
    }),
}

const SourceContext = createContext<ChoiceSource | undefined>(undefined)
export const ChoiceSourceProvider = SourceContext.Provider

export function useChoiceSource(): ChoiceSource {
  const source = useContext(SourceContext)
  if (!source) throw new Error('No source of endpoints is given here.')
  return source
}

/** The endpoint with this id; null where it can't be called, undefined while nobody knows. */
export function useChoice(id: string | null): EndpointOption | null | undefined {
  const source = useChoiceSource()
  const query = useQuery({ ...choiceQueries.one(source, Number(id)), enabled: id !== null })
  return id === null ? undefined : query.data
}
