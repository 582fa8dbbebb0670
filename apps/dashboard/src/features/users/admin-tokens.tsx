import { Badge, Button, Group, Text, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AdminTokenRecord } from '@gatehouse/contract'
import { lazyPart } from '../../lib/page/lazy-part.tsx'
import { ActionDialog } from '../../ui/dialog/action-dialog.tsx'
import { CardList, CardRow, Fact } from '../../ui/table/card-list.tsx'
import { Fold } from '../../ui/page/fold.tsx'
import { FormCard } from '../../ui/form/form-card.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import { QueryLoader } from '../../ui/page/query-loader.tsx'
import { accountQueries, useRevokeAdminToken } from './account-queries.ts'
import { usersMessages } from './users-messages.ts'

const AdminTokenDialog = lazyPart(
  async () => (await import('./admin-token-dialog.tsx')).AdminTokenDialog,
)

/** The signed-in user's tokens for programs that call the admin API. */
export function AdminTokens() {
  const query = useQuery(accountQueries.adminTokens())
  const [isMaking, setIsMaking] = useState(false)
  const [asked, setAsked] = useState<AdminTokenRecord>()
  const revocation = useRevokeAdminToken()
  return (
    <FormCard
      title="Tokens for programs"
      description="A program calls the admin API with one, within the permissions that you give it."
    >
      <QueryLoader query={query} failureText={usersMessages.tokensNotLoaded} isInCard>
        {(tokens) => (
          <CardList rows={tokens} emptyText="You have none.">
            {(token) => <TokenRow key={token.id} token={token} onRevoke={setAsked} />}
          </CardList>
        )}
      </QueryLoader>
      <Group>
        <Button variant="default" onClick={() => setIsMaking(true)}>
          New token
        </Button>
      </Group>
      {isMaking && <AdminTokenDialog onClose={() => setIsMaking(false)} />}
      <ActionDialog
        row={asked}
        texts={usersMessages.revokeToken}
        renderConsequences={({ name, ending }) => (
          <Text size="sm">
            The token <b>{name}</b> (…{ending}) is refused from the next call on. This cannot be
            undone.
          </Text>
        )}
        perform={({ id }) => revocation.mutateAsync(id)}
        onClose={() => setAsked(undefined)}
      />
    </FormCard>
  )
}

interface TokenRowProps {
  token: AdminTokenRecord
  onRevoke: (token: AdminTokenRecord) => void
}

function TokenRow({ token, onRevoke }: TokenRowProps) {
  const { name, ending, permissions, expires_at, last_used_at, has_expired } = token
  return (
    <CardRow
      name={name}
      marks={
        <>
          <Text size="xs" c="dimmed" ff="monospace">
            …{ending}
          </Text>
          {has_expired && <Badge color="orange">expired</Badge>}
        </>
      }
      verbs={
        <Button variant="subtle" color="red" size="compact-sm" onClick={() => onRevoke(token)}>
          Revoke<VisuallyHidden> {name}</VisuallyHidden>
        </Button>
      }
    >
      <Given permissions={permissions} />
      <Text size="xs" c="dimmed">
        Ends <Moment at={expires_at} isDay /> ·{' '}
        {last_used_at === null ? (
          'never used'
        ) : (
          <Fact>
            last used <Moment at={last_used_at} isRelative />
          </Fact>
        )}
      </Text>
    </CardRow>
  )
}

const permissionsMax = 8

/** What a token was given: a few in a line, many behind their number. */
function Given({ permissions }: { permissions: readonly string[] }) {
  const names = (
    <Text size="xs" c="dimmed">
      {permissions.join(', ')}
    </Text>
  )
  if (permissions.length <= permissionsMax) return names
  return <Fold title={`${permissions.length} permissions`}>{names}</Fold>
}
