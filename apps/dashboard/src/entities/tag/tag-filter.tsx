import { useQuery } from '@tanstack/react-query'
import { filterProps } from '../../ui/filters/filter-selects.tsx'
import { LateSelect } from '../../ui/filters/late-select.tsx'
import { tagsOf, type Tagged } from './tag-queries.ts'

interface TagFilterProps {
  of: Tagged
  value: string | undefined
  onChange: (tag: string | null) => void
}

/** One of the tags in use; absent while there are none. */
export function TagFilter({ of, value, onChange }: TagFilterProps) {
  const { data: inUse = [] } = useQuery(tagsOf(of))
  const tags = inUse.map(({ tag, count }) => ({ value: tag, label: `${tag} (${count})` }))
  // A link may name one that nothing has any more.
  if (value !== undefined && !inUse.some(({ tag }) => tag === value))
    tags.push({ value, label: value })
  if (tags.length === 0) return null
  return (
    <LateSelect
      {...filterProps('Tag', 'Any tag', 170)}
      data={tags}
      value={value ?? null}
      searchable
      nothingFoundMessage="No such tag"
      onChange={onChange}
    />
  )
}

/** The tag that an address names. */
export const readTag = (address: URLSearchParams) =>
  (address.get('tag') ?? '').trim().toLowerCase().slice(0, 200) || undefined
