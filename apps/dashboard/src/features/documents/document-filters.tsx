import type { DocumentKind, DocumentState } from '@gatehouse/contract'
import { toChoices } from '../../lib/format/to-choices.ts'
import type { AddressFilter } from '../../lib/page/use-address-filter.ts'
import { readDay, toMoments } from '../../lib/browser/day-range.ts'
import { FilterSelects, termsOf } from '../../ui/filters/filter-selects.tsx'
import { DayRange } from '../../ui/filters/day-range.tsx'
import { LinkedFilter } from '../../ui/filters/linked-filter.tsx'
import { readRegister, RegisterFilter } from '../../entities/document/register-filter.tsx'
import { documentKindWords, documentStateWords } from '../../entities/document/document-words.ts'

export const documentFilterNames = [
  'state',
  'kind',
  'test',
  'api',
  'register',
  'from',
  'to',
] as const

interface DocumentFilter {
  state?: DocumentState
  kind?: DocumentKind
  /** `1`: test documents only, `0`: none of them. */
  test?: '0' | '1'
  /** Id of the API; set by links, taken away here. */
  api?: string
  register?: string
  /** Days of the reader, both inclusive; absent: any. */
  from?: string
  to?: string
}

const states = Object.keys(documentStateWords) as DocumentState[]
const kinds = Object.keys(documentKindWords) as DocumentKind[]

/** Ignores anything in the address that the list can't be filtered by. */
export function readDocumentFilter(address: URLSearchParams): DocumentFilter {
  const state = states.find((known) => known === address.get('state'))
  const kind = kinds.find((known) => known === address.get('kind'))
  const test = (['0', '1'] as const).find((known) => known === address.get('test'))
  const api = /^[1-9]\d{0,8}$/.exec(address.get('api') ?? '')?.[0]
  const register = readRegister(address)
  const [from, to] = [readDay(address.get('from')), readDay(address.get('to'))]
  return {
    ...(state && { state }),
    ...(kind && { kind }),
    ...(test && { test }),
    ...(api && { api }),
    ...(register && { register }),
    ...(from && { from }),
    ...(to && { to }),
  }
}

const filters = [
  { name: 'state', label: 'State', all: 'Any state', data: toChoices(documentStateWords) },
  { name: 'kind', label: 'Kind', all: 'Any kind', data: toChoices(documentKindWords) },
  {
    name: 'test',
    label: 'Test',
    all: 'Real and test',
    data: toChoices({ 0: 'Real only', 1: 'Test only' }),
  },
] as const

/** What the search understands. */
export const documentTerms = termsOf(filters)

type DocumentFiltersProps = Pick<
  AddressFilter<DocumentFilter, (typeof documentFilterNames)[number]>,
  'filter' | 'setFilter'
>

export function DocumentFilters({ filter, setFilter }: DocumentFiltersProps) {
  return (
    <>
      <FilterSelects
        selects={filters}
        filter={filter}
        onChange={(name, value) => setFilter({ [name]: value })}
        width={200}
      />
      <RegisterFilter
        value={filter.register ?? ''}
        onChange={(register) => setFilter({ register })}
      />
      <DayRange from={filter.from ?? ''} to={filter.to ?? ''} onChange={setFilter} />
      {filter.api !== undefined && (
        <LinkedFilter removeLabel="Any API" onRemove={() => setFilter({ api: null })}>
          API {filter.api}
        </LinkedFilter>
      )}
    </>
  )
}

/** What the call understands. */
export function toDocumentQuery({ api, from = '', to = '', ...rest }: DocumentFilter) {
  return { ...rest, ...(api ? { api: Number(api) } : {}), ...toMoments(from, to) }
}
