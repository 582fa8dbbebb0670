import { Badge, Button, Group, Text, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { TokenRecord } from '@gatehouse/contract'
import { toListQuery, useListParams } from '../../lib/list-params.ts'
import { useCan } from '../../lib/session.tsx'
import { DataTable, type Column } from '../../ui/data-table.tsx'
import { ActionDialog } from '../../ui/action-dialog.tsx'
import { ListView } from '../../ui/list-view.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Notice } from '../../ui/notice.tsx'
import { tokenQueries, useRevokeToken } from './token-queries.ts'
import { expiryWarning, stateColor } from './token-state.ts'

const sortColumns = ['id', 'name', 'created_at', 'expires_at', 'last_used_at'] as const
type SortColumn = (typeof sortColumns)[number]

const revokeTexts = {
  title: 'Revoke this token?',
  confirm: 'Revoke token',
  done: 'Token revoked successfully!',
}

/** Tokens with their last use; `onExplain` opens what one of them can call. */
export function TokenList({
  onExplain,
}: {
  onExplain?: ((token: TokenRecord) => void) | undefined
}) {
  const params = useListParams(sortColumns)
  const list = useQuery(tokenQueries.list(toListQuery(params)))
  const revocation = useRevokeToken()
  const [doomed, setDoomed] = useState<TokenRecord>()
  const canRevoke = useCan()('token.revoke')
  const onRevoke = canRevoke ? setDoomed : undefined
  const hasActions = onRevoke !== undefined || onExplain !== undefined
  return (
    <>
      <ListView
        query={list}
        params={params}
        searchLabel="Search tokens"
        empty={<Notice title="No tokens yet" />}
      >
        {(rows) => (
          <DataTable
            caption="Tokens"
            columns={hasActions ? [...columns, actionColumn(onExplain, onRevoke)] : columns}
            rows={rows}
            rowKey={(row) => row.id}
            params={params}
          />
        )}
      </ListView>
      <ActionDialog
        row={doomed}
        texts={revokeTexts}
        renderConsequences={(token) => <WhatStops token={token} />}
        perform={(token) => revocation.mutateAsync(token.id)}
        onClose={() => setDoomed(undefined)}
      />
    </>
  )
}

const columns: Column<TokenRecord, SortColumn>[] = [
  { head: '#', sort: 'id', width: '4rem', cell: (row) => row.id },
  {
    head: 'Name',
    sort: 'name',
    cell: (row) => (
      <>
        <Text size="sm" fw={600}>
          {row.name}
        </Text>
        <Text size="xs" c="dimmed" ff="monospace">
          …{row.ending}
        </Text>
      </>
    ),
  },
  { head: 'For whom', cell: (row) => row.user.name },
  {
    head: 'Created',
    sort: 'created_at',
    cell: (row) => (
      <>
        <Moment at={row.created_at} isDay />
        <Text size="xs" c="dimmed">
          by {row.created_by}
        </Text>
      </>
    ),
  },
  { head: 'Expires', sort: 'expires_at', cell: (row) => <Moment at={row.expires_at} isDay /> },
  {
    head: 'Last use',
    sort: 'last_used_at',
    cell: (row) => (row.last_used_at === null ? 'never' : <Moment at={row.last_used_at} />),
  },
  {
    head: 'State',
    cell: (row) => {
      const warning = expiryWarning(row, new Date())
      return (
        <>
          <Badge color={stateColor[row.state]}>{row.state}</Badge>
          {warning !== undefined && (
            <Text size="xs" c="dimmed">
              {warning}
            </Text>
          )}
        </>
      )
    },
  },
]

type OnToken = ((token: TokenRecord) => void) | undefined

function actionColumn(onExplain: OnToken, onRevoke: OnToken): Column<TokenRecord, SortColumn> {
  return {
    head: 'Action',
    width: '10rem',
    cell: (row) => (
      <Group gap={6} wrap="nowrap">
        {onExplain && (
          <Button variant="default" size="compact-sm" onClick={() => onExplain(row)}>
            Access<VisuallyHidden> of {row.name}</VisuallyHidden>
          </Button>
        )}
        {onRevoke && row.revoked_at === null && (
          <Button variant="subtle" color="red" size="compact-sm" onClick={() => onRevoke(row)}>
            Revoke<VisuallyHidden> {row.name}</VisuallyHidden>
          </Button>
        )}
      </Group>
    ),
  }
}

function WhatStops({ token }: { token: TokenRecord }) {
  return (
    <Text size="sm">
      The token <b>{token.name}</b> (…{token.ending}) for {token.user.name} is refused from the next
      call on. Whoever uses it needs a new one. This cannot be undone.
    </Text>
  )
}
