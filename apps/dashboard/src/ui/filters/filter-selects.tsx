import { Button } from '@mantine/core'
import { LateSelect } from './late-select.tsx'
import type { Term } from '../terms/term.ts'

interface FilterSelectsProps<Name extends string> {
  selects: readonly {
    name: Name
    label: string
    /** Shown while nothing is chosen. */
    all: string
    data: readonly { value: string; label: string }[]
  }[]
  filter: Partial<Record<Name, string>>
  onChange: (name: Name, value: string | null) => void
  /** Pixels of each, where two do not have to share a line. */
  width: number
}

/** The selects as the search understands them. */
export const termsOf = (
  selects: readonly { name: string; label: string; data: Term['choices'] }[],
): Term[] =>
  selects.map(({ name, label, data }) => ({ name, label, ...(data ? { choices: data } : {}) }))

/** Two abreast in a narrow window, else of `width` pixels. */
export const filterWidth = (width: number) => ({
  base: 'calc(50% - var(--mantine-spacing-sm) / 2)',
  xs: width,
})

/** A select of one filter, which can be cleared. `all` stands there while nothing is chosen. */
export const filterProps = (label: string, all: string, width: number) => ({
  'aria-label': label,
  placeholder: all,
  clearable: true,
  clearButtonProps: { 'aria-label': all },
  w: filterWidth(width),
})

/** One choice for each filter of a list; each can be cleared. */
export function FilterSelects<Name extends string>(props: FilterSelectsProps<Name>) {
  const { selects, filter, onChange, width } = props
  return selects.map(({ name, label, all, data }) => (
    <LateSelect
      key={name}
      {...filterProps(label, all, width)}
      data={[...data]}
      value={filter[name] ?? null}
      onChange={(value) => onChange(name, value)}
    />
  ))
}

export function ClearFilters({ onClear }: { onClear: () => void }) {
  return (
    <Button variant="subtle" size="compact-sm" onClick={onClear}>
      Clear filters
    </Button>
  )
}
