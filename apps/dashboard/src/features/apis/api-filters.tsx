import { readStatus, statusFilter } from '../../entities/api/status-choices.ts'
import { readTag, TagFilter } from '../../entities/tag/tag-filter.tsx'
import type { AddressFilter } from '../../lib/page/use-address-filter.ts'
import { FilterSelects, termsOf } from '../../ui/filters/filter-selects.tsx'
import type { Term } from '../../ui/terms/term.ts'

export const apiFilterNames = ['status', 'type', 'tag'] as const

interface ApiFilter {
  status?: 'active' | 'disabled'
  type?: 'http' | 'stored_procedure'
  tag?: string
}

/** Ignores anything in the address that the list can't be filtered by. */
export function readApiFilter(address: URLSearchParams): ApiFilter {
  const status = readStatus(address)
  const type = (['http', 'stored_procedure'] as const).find(
    (known) => known === address.get('type'),
  )
  const tag = readTag(address)
  return { ...(status && { status }), ...(type && { type }), ...(tag && { tag }) }
}

const selects = [
  statusFilter,
  {
    name: 'type',
    label: 'Type',
    all: 'Any type',
    data: [
      { value: 'http', label: 'HTTP' },
      { value: 'stored_procedure', label: 'Stored Procedure' },
    ],
  },
] as const

/** What the search understands. */
export const apiTerms: readonly Term[] = [...termsOf(selects), { name: 'tag', label: 'Tag' }]

type ApiFiltersProps = Pick<
  AddressFilter<ApiFilter, (typeof apiFilterNames)[number]>,
  'filter' | 'setFilter'
>

export function ApiFilters({ filter, setFilter }: ApiFiltersProps) {
  return (
    <>
      <FilterSelects
        selects={selects}
        filter={filter}
        onChange={(name, value) => setFilter({ [name]: value })}
        width={170}
      />
      <TagFilter of="apis" value={filter.tag} onChange={(tag) => setFilter({ tag })} />
    </>
  )
}

/** What the call understands. */
export const toApiQuery = ({ status, type, tag }: ApiFilter) => ({
  ...(status && { gateway_status: status }),
  ...(type && { api_protocol: type }),
  ...(tag && { tag }),
})
