import { Button, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './list-view.module.css'

interface SelectionBarProps {
  selected: number
  /** How many rows of the page can be selected. */
  shown: number
  onAll: () => void
  /** How many match on all pages, where they can be taken too. */
  total: number | undefined
  isAll: boolean
  onTotal: () => void
  onClear: () => void
  /** What can be done to the selected rows. */
  children: ReactNode
}

/** How many rows of a page are selected, and what can be done to them. */
export function SelectionBar(props: SelectionBarProps) {
  const { selected, shown, onAll, total, isAll, onTotal, onClear, children } = props
  return (
    <Group
      component="section"
      className={classes['selection'] ?? ''}
      gap="xs"
      aria-label="Selected rows"
    >
      <Text size="sm" fw={600} aria-live="polite">
        {isAll ? `All ${inWords(total)} selected` : `${selected} selected`}
      </Text>
      {children}
      <Group gap={0} ms="auto">
        {selected < shown && (
          <Button size="compact-sm" variant="subtle" onClick={onAll}>
            Select all {shown}
          </Button>
        )}
        {total !== undefined && !isAll && (
          <Button size="compact-sm" variant="subtle" onClick={onTotal}>
            Select all {inWords(total)} that match
          </Button>
        )}
        <Button size="compact-sm" variant="subtle" onClick={onClear}>
          Clear selection
        </Button>
      </Group>
    </Group>
  )
}

const inWords = (count = 0) => count.toLocaleString('en')
