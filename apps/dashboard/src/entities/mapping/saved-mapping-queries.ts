import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { MappingSummary, SavedMapping } from '@gatehouse/contract'
import { call } from '../../lib/calls/call.ts'
import type { FormRow } from './mapping-form.ts'

export type { MappingSummary }

/** The saved mapping that the rows were loaded from, or saved as: its next version is saved over it. */
export type MappingInUse = Pick<MappingSummary, 'id' | 'name' | 'version'>

export const savedMappingQueries = {
  all: ['saved-mappings'] as const,
  list: (search: string, page: number) =>
    queryOptions({
      queryKey: [...savedMappingQueries.all, search, page],
      queryFn: ({ signal }) =>
        call('GET /api/mappings', {
          query: { search, page: String(page), limit: '10', sort: 'name' },
          signal,
        }),
      placeholderData: keepPreviousData,
    }),
}

export const loadMapping = (id: number): Promise<SavedMapping> =>
  call('GET /api/mappings/:id', { params: { id } }).then(({ mapping }) => mapping)

export const removeMapping = ({ id }: MappingSummary) =>
  call('DELETE /api/mappings/:id', { params: { id } })

/** Saves over the mapping in use where the name is its own, and under a new name otherwise. */
export async function saveMapping(
  name: string,
  rows: readonly FormRow[],
  inUse: MappingInUse | undefined,
): Promise<SavedMapping> {
  const sent = rows.map(({ id: _, ...row }) => row)
  if (inUse?.name === name.trim()) {
    const { id, version } = inUse
    const body = { name, rows: sent, version }
    return (await call('PUT /api/mappings/:id', { params: { id }, body })).mapping
  }
  return (await call('POST /api/mappings', { body: { name, rows: sent } })).mapping
}
