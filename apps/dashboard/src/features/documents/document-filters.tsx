import { Select } from '@mantine/core'
import type { DocumentKind, DocumentState } from '@gatehouse/contract'
import type { AddressFilter } from '../../lib/use-address-filter.ts'
import { documentKindWords, documentStateWords } from '../../entities/document/document-words.ts'

export const documentFilterNames = ['state', 'kind', 'test'] as const

interface DocumentFilter {
  state?: DocumentState
  kind?: DocumentKind
  /** `1`: test documents only, `0`: none of them. */
  test?: '0' | '1'
}

const states = Object.keys(documentStateWords) as DocumentState[]
const kinds = Object.keys(documentKindWords) as DocumentKind[]

/** Ignores anything in the address that the list can't be filtered by. */
export function readDocumentFilter(address: URLSearchParams): DocumentFilter {
  const state = states.find((known) => known === address.get('state'))
  const kind = kinds.find((known) => known === address.get('kind'))
  const test = (['0', '1'] as const).find((known) => known === address.get('test'))
  return { ...(state && { state }), ...(kind && { kind }), ...(test && { test }) }
}

const toChoices = (words: Record<string, string>) =>
  Object.entries(words).map(([value, label]) => ({ value, label }))

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

type DocumentFiltersProps = Pick<
  AddressFilter<DocumentFilter, (typeof documentFilterNames)[number]>,
  'filter' | 'setFilter'
>

export function DocumentFilters({ filter, setFilter }: DocumentFiltersProps) {
  return filters.map(({ name, label, all, data }) => (
    <Select
      key={name}
      aria-label={label}
      placeholder={all}
      data={data}
      value={filter[name] ?? null}
      clearable
      clearButtonProps={{ 'aria-label': all }}
      onChange={(value) => setFilter({ [name]: value })}
      w={{ base: 'calc(50% - var(--mantine-spacing-sm) / 2)', xs: 200 }}
    />
  ))
}
