import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { readAuditFilter, type AuditFilter } from './audit-filter.ts'

type FilterName = 'actor' | 'action' | 'thing' | 'thing_id' | 'outcome' | 'from' | 'to'

export interface AuditFilterState {
  filter: AuditFilter
  /** Blank or null lifts the filter. */
  setFilter: (changes: Partial<Record<FilterName, string | null>>) => void
  clear: () => void
}

const names: readonly FilterName[] = [
  'actor',
  'action',
  'thing',
  'thing_id',
  'outcome',
  'from',
  'to',
]

/** The filters of the trail, kept in the address so that links lead to a record's own history. */
export function useAuditFilter(): AuditFilterState {
  const [address, setAddress] = useSearchParams()
  const filter = useMemo(() => readAuditFilter(address), [address])

  function setFilter(changes: Partial<Record<FilterName, string | null>>) {
    setAddress(
      (current) => {
        const next = new URLSearchParams(current)
        next.delete('page')
        for (const [name, value] of Object.entries(changes)) {
          if (value) next.set(name, value)
          else next.delete(name)
        }
        return next
      },
      { replace: true },
    )
  }

  return {
    filter,
    setFilter,
    clear: () => setFilter(Object.fromEntries(names.map((name) => [name, null]))),
  }
}
