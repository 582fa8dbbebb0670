import type { EndpointRecord } from '@gatehouse/contract'
import { apis, ApiSelect } from '../../entities/api/api-select.tsx'
import { readStatus, statusFilter } from '../../entities/api/status-choices.ts'
import { methodChoices } from '../../entities/endpoint/endpoint-words.ts'
import { readTag, TagFilter } from '../../entities/tag/tag-filter.tsx'
import { useCan } from '../../lib/session/session.tsx'
import type { AddressFilter } from '../../lib/page/use-address-filter.ts'
import { filterProps, FilterSelects, termsOf } from '../../ui/filters/filter-selects.tsx'
import type { Term } from '../../ui/terms/term.ts'
import { LinkedFilter } from '../../ui/filters/linked-filter.tsx'

export const endpointFilterNames = ['api', 'status', 'method', 'tag'] as const

interface EndpointFilter {
  /** Id of the API. */
  api?: string
  status?: 'active' | 'disabled'
  method?: EndpointRecord['method_type']
  tag?: string
}

/** Ignores anything in the address that the list can't be filtered by. */
export function readEndpointFilter(address: URLSearchParams): EndpointFilter {
  const api = /^[1-9]\d{0,8}$/.exec(address.get('api') ?? '')?.[0]
  const status = readStatus(address)
  const method = methodChoices.find(({ value }) => value === address.get('method'))?.value
  const tag = readTag(address)
  return {
    ...(api && { api }),
    ...(status && { status }),
    ...(method && { method }),
    ...(tag && { tag }),
  }
}

const selects = [
  statusFilter,
  { name: 'method', label: 'Method', all: 'Any method', data: methodChoices },
] as const

/** What the search understands. */
export function endpointTerms(canViewApis: boolean): readonly Term[] {
  const api: Term[] = canViewApis ? [{ name: 'api', label: 'API', source: apis }] : []
  return [...termsOf(selects), ...api, { name: 'tag', label: 'Tag' }]
}

interface EndpointFiltersProps extends Pick<
  AddressFilter<EndpointFilter, (typeof endpointFilterNames)[number]>,
  'filter' | 'setFilter'
> {
  /** The list is that of one API, whatever the address says. */
  isOfOneApi?: boolean
}

export function EndpointFilters({ filter, setFilter, isOfOneApi = false }: EndpointFiltersProps) {
  return (
    <>
      {!isOfOneApi && <ApiFilter id={filter.api} onChange={(api) => setFilter({ api })} />}
      <FilterSelects
        selects={selects}
        filter={filter}
        onChange={(name, value) => setFilter({ [name]: value })}
        width={150}
      />
      <TagFilter of="endpoints" value={filter.tag} onChange={(tag) => setFilter({ tag })} />
    </>
  )
}

/** Users who may not view APIs can only take the filter of a link away. */
function ApiFilter({
  id,
  onChange,
}: {
  id: string | undefined
  onChange: (id: string | null) => void
}) {
  const can = useCan()
  if (can('api.view'))
    return (
      <ApiSelect {...filterProps('API', 'Any API', 200)} value={id ?? ''} onChange={onChange} />
    )
  if (id === undefined) return null
  return (
    <LinkedFilter removeLabel="Any API" onRemove={() => onChange(null)}>
      API {id}
    </LinkedFilter>
  )
}

/** What the call understands. */
export const toEndpointQuery = ({ api, status, method, tag }: EndpointFilter) => ({
  ...(api && { api_id: Number(api) }),
  ...(status && { status }),
  ...(method && { method_type: method }),
  ...(tag && { tag }),
})
