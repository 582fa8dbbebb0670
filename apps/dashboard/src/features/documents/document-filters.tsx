import { Select } from '@mantine/core'
import { documentKindWords, documentStateWords } from './document-words.ts'
import type { DocumentFilter } from './use-document-filter.ts'

const toChoices = (words: Record<string, string>) =>
  Object.entries(words).map(([value, label]) => ({ value, label }))

const filters = [
  { name: 'state', label: 'State', any: 'Any state', data: toChoices(documentStateWords) },
  { name: 'kind', label: 'Kind', any: 'Any kind', data: toChoices(documentKindWords) },
  {
    name: 'test',
    label: 'Test',
    any: 'Real and test',
    data: toChoices({ 0: 'Real only', 1: 'Test only' }),
  },
] as const

interface DocumentFiltersProps {
  filter: DocumentFilter
  setFilter: (name: 'state' | 'kind' | 'test', value: string | null) => void
}

export function DocumentFilters({ filter, setFilter }: DocumentFiltersProps) {
  return filters.map(({ name, label, any, data }) => (
    <Select
      key={name}
      aria-label={label}
      placeholder={any}
      data={data}
      value={filter[name] ?? null}
      clearable
      clearButtonProps={{ 'aria-label': any }}
      onChange={(value) => setFilter(name, value)}
      w={{ base: 'calc(50% - var(--mantine-spacing-sm) / 2)', xs: 200 }}
    />
  ))
}
