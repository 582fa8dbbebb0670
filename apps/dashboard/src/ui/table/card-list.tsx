import { Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './card-list.module.css'

interface CardListProps<Row> {
  rows: readonly Row[]
  emptyText: string
  children: (row: Row) => ReactNode
}

/** The rows of a card, or a sentence where there are none. */
export function CardList<Row extends { id: number }>(props: CardListProps<Row>) {
  const { rows, emptyText, children } = props
  if (rows.length === 0) return <Text size="sm">{emptyText}</Text>
  return (
    <Stack component="ul" gap={0} m={0} p={0} className={classes['list'] ?? ''}>
      {rows.map(children)}
    </Stack>
  )
}

interface CardRowProps {
  name: string
  /** The name in full, where it was shortened. */
  title?: string
  /** Beside the name. */
  marks?: ReactNode
  /** What can be done to it. */
  verbs?: ReactNode
  children: ReactNode
}

/** A row of such a list: its name, what is known of it, and its buttons. */
export function CardRow({ name, title, marks, verbs, children }: CardRowProps) {
  return (
    <li className={classes['row']}>
      <div className={classes['words']}>
        <Group gap="xs">
          <Text size="sm" fw={600} title={title}>
            {name}
          </Text>
          {marks}
        </Group>
        {children}
      </div>
      <div className={classes['verbs']}>{verbs}</div>
    </li>
  )
}

/** A part of a line that does not break, and goes to the next one where it has no place. */
export function Fact({ children }: { children: ReactNode }) {
  return <span className={classes['fact']}>{children}</span>
}
