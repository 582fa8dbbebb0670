import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import type { ListParams } from '../lib/list-params.ts'
import { DataTable, type Column } from './data-table.tsx'
import { ListView, type PageAnswer } from './list-view.tsx'
import { Page } from './page.tsx'

interface ListPageProps<Row, SortColumn extends string> {
  title: string
  subtitle?: string
  /** Names the table for screen readers; the title unless given. */
  caption?: string
  /** The button that leads to the create screen; absent for users who may not create. */
  add?: { label: string; to: string } | undefined
  list: UseQueryResult<PageAnswer<Row>>
  params: ListParams<SortColumn>
  searchLabel: string
  empty: ReactNode
  columns: readonly Column<Row, SortColumn>[]
  rowKey: (row: Row) => string | number
  /** What the Action column offers; `ask` opens the dialog for the row. */
  renderActions: (row: Row, ask: () => void) => ReactNode
  /** The confirmation for the row; undefined while the dialog is closed. */
  renderDialog: (row: Row | undefined, onClose: () => void) => ReactNode
}

/** The list screen of a kind of record (spec: screens): a table with Edit and Delete in each row. */
export function ListPage<Row, SortColumn extends string>(props: ListPageProps<Row, SortColumn>) {
  const { title, subtitle, add, list, params, renderActions } = props
  const [asked, setAsked] = useState<Row>()
  const actions: Column<Row, SortColumn> = {
    head: 'Action',
    width: '9rem',
    cell: (row) => renderActions(row, () => setAsked(row)),
  }
  const addButton = add && (
    <Button component={Link} to={add.to} leftSection={<IconPlus size={16} />}>
      {add.label}
    </Button>
  )
  return (
    <Page title={title} {...(subtitle ? { subtitle } : {})} actions={addButton}>
      <ListView query={list} params={params} searchLabel={props.searchLabel} empty={props.empty}>
        {(rows) => (
          <DataTable
            caption={props.caption ?? title}
            columns={[...props.columns, actions]}
            rows={rows}
            rowKey={props.rowKey}
            params={params}
          />
        )}
      </ListView>
      {props.renderDialog(asked, () => setAsked(undefined))}
    </Page>
  )
}
