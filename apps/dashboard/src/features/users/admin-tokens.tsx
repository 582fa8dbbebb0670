import { Badge, Button, Group, Stack, Text, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AdminTokenRecord } from '@gatehouse/contract'
import { messageOf } from '../../lib/call-error.ts'
import { lazyPart } from '../../lib/lazy-part.tsx'
import { ActionDialog } from '../../ui/action-dialog.tsx'
import { Fold } from '../../ui/fold.tsx'
import { FormCard } from '../../ui/form-card.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Moment } from '../../ui/moment.tsx'
import { RetryNotice } from '../../ui/notice.tsx'
import { accountQueries, useRevokeAdminToken } from './account-queries.ts'
import classes from './own-sessions.module.css'
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
      {query.isPending && <Loading />}
      {query.isError && (
        <RetryNotice
          title={usersMessages.tokensNotLoaded}
          reason={messageOf(query.error)}
          isRetrying={query.isFetching}
          onRetry={() => void query.refetch()}
        />
      )}
      {query.data?.length === 0 && <Text size="sm">You have none.</Text>}
      {query.data && query.data.length > 0 && (
        <Stack component="ul" gap={0} m={0} p={0} className={classes['list'] ?? ''}>
          {query.data.map((token) => (
            <TokenRow key={token.id} token={token} onRevoke={setAsked} />
          ))}
        </Stack>
      )}
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
    <li className={classes['row'] ?? ''}>
      <div className={classes['words'] ?? ''}>
        <Group gap="xs">
          <Text size="sm" fw={600}>
            {name}
          </Text>
          <Text size="xs" c="dimmed" ff="monospace">
            …{ending}
          </Text>
          {has_expired && <Badge color="orange">expired</Badge>}
        </Group>
        <Given permissions={permissions} />
        <Text size="xs" c="dimmed">
          Ends <Moment at={expires_at} isDay /> ·{' '}
          {last_used_at === null ? (
            'never used'
          ) : (
            <span className={classes['fact'] ?? ''}>
              last used <Moment at={last_used_at} isRelative />
            </span>
          )}
        </Text>
      </div>
      <Button
        className={classes['end'] ?? ''}
        variant="subtle"
        color="red"
        size="compact-sm"
        onClick={() => onRevoke(token)}
      >
        Revoke<VisuallyHidden> {name}</VisuallyHidden>
      </Button>
    </li>
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
