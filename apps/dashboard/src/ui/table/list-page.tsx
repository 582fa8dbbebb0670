import { Button, Group } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { QueryKey } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Page } from '../page/page.tsx'
import { RecordList, type RecordListProps } from './record-list.tsx'

interface ListPageProps<
  Row extends { id: number },
  SortColumn extends string,
  Key extends QueryKey,
> extends Omit<RecordListProps<Row, SortColumn, Key>, 'caption'> {
  title: string
  subtitle?: string
  /** The title unless given. */
  caption?: string
  /** The button that leads to the create screen; absent for users who may not create. */
  add?: { label: string; to: string } | undefined
  /** Buttons that belong to the whole list. */
  actions?: ReactNode
}

/** The list screen of a kind of record (spec: screens). */
export function ListPage<
  Row extends { id: number },
  SortColumn extends string,
  Key extends QueryKey,
>(props: ListPageProps<Row, SortColumn, Key>) {
  const { title, subtitle, caption = title, add, actions, ...list } = props
  const addButton = add && (
    <Button component={Link} to={add.to} leftSection={<IconPlus size={16} />}>
      {add.label}
    </Button>
  )
  const buttons =
    addButton && actions ? (
      <Group gap="xs">
        {actions}
        {addButton}
      </Group>
    ) : (
      (addButton ?? actions)
    )
  return (
    <Page title={title} {...(subtitle ? { subtitle } : {})} actions={buttons}>
      <RecordList caption={caption} {...list} />
    </Page>
  )
}
