import { pageSizes, type PageSize } from '../../lib/page/list-settings.ts'
import { LateSelect } from '../filters/late-select.tsx'

interface PageSizeSelectProps {
  size: PageSize
  /** How many rows there are on all pages. */
  total: number
  onChange: (size: PageSize) => void
}

const choices = pageSizes.map((size) => ({ value: String(size), label: `${size} a page` }))

/** How many rows a page has; absent where the smallest page holds them all. */
export function PageSizeSelect({ size, total, onChange }: PageSizeSelectProps) {
  if (total <= pageSizes[0]) return null
  return (
    <LateSelect
      aria-label="Rows a page"
      size="xs"
      w={120}
      data={choices}
      value={String(size)}
      allowDeselect={false}
      onChange={(value) => {
        const chosen = pageSizes.find((each) => String(each) === value)
        if (chosen && chosen !== size) onChange(chosen)
      }}
    />
  )
}
