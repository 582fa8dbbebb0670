import { readStatus, statusFilter } from '../../entities/api/status-choices.ts'
import type { AddressFilter } from '../../lib/use-address-filter.ts'
import { FilterSelects } from '../../ui/filter-selects.tsx'

export const apiFilterNames = ['status', 'type'] as const

export interface ApiFilter {
  status?: 'active' | 'disabled'
  type?: 'http' | 'stored_procedure'
}

/** Ignores anything in the address that the list can't be filtered by. */
export function readApiFilter(address: URLSearchParams): ApiFilter {
  const status = readStatus(address)
  const type = (['http', 'stored_procedure'] as const).find(
    (known) => known === address.get('type'),
  )
  return { ...(status && { status }), ...(type && { type }) }
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

type ApiFiltersProps = Pick<
  AddressFilter<ApiFilter, (typeof apiFilterNames)[number]>,
  'filter' | 'setFilter'
>

export function ApiFilters({ filter, setFilter }: ApiFiltersProps) {
  return (
    <FilterSelects
      selects={selects}
      filter={filter}
      onChange={(name, value) => setFilter({ [name]: value })}
      width={170}
    />
  )
}

/** What the call understands. */
export const toApiQuery = ({ status, type }: ApiFilter) => ({
  ...(status && { gateway_status: status }),
  ...(type && { api_protocol: type }),
})
