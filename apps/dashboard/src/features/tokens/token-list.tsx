import { Badge, Button, Group, Text, VisuallyHidden } from '@mantine/core'
import type { TokenRecord } from '@gatehouse/contract'
import { Link } from 'react-router'
import { paths } from '../../entities/paths.ts'
import { useCan } from '../../lib/session/session.tsx'
import type { Column } from '../../ui/table/data-table.tsx'
import { ActionDialog } from '../../ui/dialog/action-dialog.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import { RecordList } from '../../ui/table/record-list.tsx'
import { tokenQueries, useRevokeToken } from './token-queries.ts'

type SortColumn = 'id' | 'name' | 'created_at' | 'expires_at' | 'last_used_at'

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
  const revocation = useRevokeToken()
  const canRevoke = useCan()('token.revoke')
  return (
    <RecordList
      id="tokens"
      caption="Tokens"
      list={tokenQueries.list}
      searchLabel="Search tokens"
      empty={{ title: 'No tokens yet' }}
      columns={columns}
      actionColumn={{ width: '14rem' }}
      renderActions={(row, ask) => (
        <TokenActions token={row} onExplain={onExplain} onRevoke={canRevoke && ask} />
      )}
      renderDialog={(row, onClose) => (
        <ActionDialog
          row={row}
          texts={revokeTexts}
          renderConsequences={(token) => <WhatStops token={token} />}
          perform={(token) => revocation.mutateAsync(token.id)}
          onClose={onClose}
        />
      )}
    />
  )
}

const columns: Column<TokenRecord, SortColumn>[] = [
  { head: '#', sort: 'id', width: '4rem', isMinor: true, cell: (row) => row.id },
  {
    head: 'Name',
    isName: true,
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
  { head: 'For whom', width: '10rem', cell: (row) => row.user.name },
  {
    head: 'Created',
    sort: 'created_at',
    width: '9rem',
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
    cell: (row) =>
      row.last_used_at === null ? <>never</> : <Moment at={row.last_used_at} isRelative />,
  },
  {
    head: 'State',
    width: '7rem',
    cell: (row) => {
      const warning = expiryWarning(row, new Date())
      return (
        <>
          <Badge color={stateColor[row.state]}>{row.state}</Badge>
          {row.is_limited && (
            <Text size="xs" c="dimmed">
              limited
            </Text>
          )}
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

interface TokenActionsProps {
  token: TokenRecord
  onExplain: ((token: TokenRecord) => void) | undefined
  onRevoke: (() => void) | false
}

function TokenActions({ token, onExplain, onRevoke }: TokenActionsProps) {
  return (
    <Group gap={6} wrap="nowrap">
      {onExplain && (
        <Button variant="default" size="compact-sm" onClick={() => onExplain(token)}>
          Access<VisuallyHidden> of {token.name}</VisuallyHidden>
        </Button>
      )}
      <Button component={Link} to={paths.tokenLimits(token.id)} variant="default" size="compact-sm">
        Limits<VisuallyHidden> of {token.name}</VisuallyHidden>
      </Button>
      {onRevoke && token.revoked_at === null && (
        <Button variant="subtle" color="red" size="compact-sm" onClick={onRevoke}>
          Revoke<VisuallyHidden> {token.name}</VisuallyHidden>
        </Button>
      )}
    </Group>
  )
}

function WhatStops({ token }: { token: TokenRecord }) {
  return (
    <Text size="sm">
      The token <b>{token.name}</b> (…{token.ending}) for {token.user.name} is refused from the next
      call on. Anyone who uses it needs a new one. This cannot be undone.
    </Text>
  )
}

/** Colour of the state's badge. */
const stateColor: Record<TokenRecord['state'], string> = {
  active: 'green',
  expired: 'orange',
  revoked: 'gray',
}

const dayMs = 86_400_000
const soonDays = 14

/** A word of warning about an active token that expires within two weeks; undefined otherwise. */
export function expiryWarning(token: TokenRecord, now: Date): string | undefined {
  const left = Date.parse(token.expires_at) - now.getTime()
  if (token.state !== 'active' || left > soonDays * dayMs) return undefined
  const days = Math.floor(left / dayMs)
  if (days < 1) return 'expires today'
  return days === 1 ? 'expires in 1 day' : `expires in ${days} days`
}
