import { Button, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './list-view.module.css'

interface SelectionBarProps {
  selected: number
  /** How many rows of the page can be selected. */
  shown: number
  onAll: () => void
  onClear: () => void
  /** What can be done to the selected rows. */
  children: ReactNode
}

/** How many rows of a page are selected, and what can be done to them. */
export function SelectionBar({ selected, shown, onAll, onClear, children }: SelectionBarProps) {
  return (
    <Group
      component="section"
      className={classes['selection'] ?? ''}
      gap="xs"
      aria-label="Selected rows"
    >
      <Text size="sm" fw={600} aria-live="polite">
        {selected} selected
      </Text>
      {children}
      <Group gap={0} ms="auto">
        {selected < shown && (
          <Button size="compact-sm" variant="subtle" onClick={onAll}>
            Select all {shown}
          </Button>
        )}
        <Button size="compact-sm" variant="subtle" onClick={onClear}>
          Clear selection
        </Button>
      </Group>
    </Group>
  )
}
