import { Badge, Button, Group, Stack, Text, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { PasskeyRecord } from '@gatehouse/contract'
import { messageOf } from '../../lib/call-error.ts'
import { lazyPart } from '../../lib/lazy-part.tsx'
import { passkeyTrouble } from '../../lib/passkeys.ts'
import { FormCard } from '../../ui/form-card.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Moment } from '../../ui/moment.tsx'
import { RetryNotice } from '../../ui/notice.tsx'
import { accountQueries } from './account-queries.ts'
import classes from './own-sessions.module.css'
import type { PasskeyTask } from './passkey-dialog.tsx'
import { usersMessages } from './users-messages.ts'

const PasskeyDialog = lazyPart(async () => (await import('./passkey-dialog.tsx')).PasskeyDialog)

/** The signed-in user's passkeys. */
export function OwnPasskeys() {
  const query = useQuery(accountQueries.passkeys())
  const [task, setTask] = useState<PasskeyTask>()
  return (
    <FormCard
      title="Passkeys"
      description="Sign in with a finger, a face or a PIN, in place of password and code."
    >
      {query.isPending && <Loading />}
      {query.isError && (
        <RetryNotice
          title={usersMessages.passkeysNotLoaded}
          reason={messageOf(query.error)}
          isRetrying={query.isFetching}
          onRetry={() => void query.refetch()}
        />
      )}
      {query.data && <List {...query.data} onTask={setTask} />}
      {task && <PasskeyDialog task={task} onClose={() => setTask(undefined)} />}
    </FormCard>
  )
}

interface ListProps {
  passkeys: PasskeyRecord[]
  origin: string | null
  onTask: (task: PasskeyTask) => void
}

function List({ passkeys, origin, onTask }: ListProps) {
  const trouble = passkeyTrouble(origin)
  return (
    <>
      {passkeys.length === 0 ? (
        <Text size="sm">You have none.</Text>
      ) : (
        <Stack component="ul" gap={0} m={0} p={0} className={classes['list'] ?? ''}>
          {passkeys.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} onTask={onTask} />
          ))}
        </Stack>
      )}
      {trouble ? (
        <Text size="sm" c="dimmed">
          {trouble}
        </Text>
      ) : (
        <Group>
          <Button variant="default" onClick={() => onTask({ to: 'add' })}>
            Add a passkey
          </Button>
        </Group>
      )}
    </>
  )
}

interface PasskeyRowProps {
  passkey: PasskeyRecord
  onTask: (task: PasskeyTask) => void
}

function PasskeyRow({ passkey, onTask }: PasskeyRowProps) {
  const { name, host, is_synced, created_at, last_used_at } = passkey
  return (
    <li className={classes['row'] ?? ''}>
      <div className={classes['words'] ?? ''}>
        <Group gap="xs">
          <Text size="sm" fw={600}>
            {name}
          </Text>
          {is_synced && <Badge color="gray">synced</Badge>}
          {host !== location.host && <Badge color="orange">only at {host}</Badge>}
        </Group>
        <Text size="xs" c="dimmed">
          <span className={classes['fact'] ?? ''}>
            added <Moment at={created_at} isRelative /> ·
          </span>{' '}
          {last_used_at === null ? (
            'never used'
          ) : (
            <span className={classes['fact'] ?? ''}>
              last used <Moment at={last_used_at} isRelative />
            </span>
          )}
        </Text>
      </div>
      <Group gap={4} className={classes['end'] ?? ''}>
        <Button
          variant="subtle"
          size="compact-sm"
          onClick={() => onTask({ to: 'rename', passkey })}
        >
          Rename<VisuallyHidden> {name}</VisuallyHidden>
        </Button>
        <Button
          variant="subtle"
          color="red"
          size="compact-sm"
          onClick={() => onTask({ to: 'remove', passkey })}
        >
          Remove<VisuallyHidden> {name}</VisuallyHidden>
        </Button>
      </Group>
    </li>
  )
}
