import { Badge, Button, Group, Text, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { PasskeyRecord } from '@gatehouse/contract'
import { lazyPart } from '../../lib/page/lazy-part.tsx'
import { passkeyTrouble } from '../../lib/session/passkeys.ts'
import { CardList, CardRow, Fact } from '../../ui/table/card-list.tsx'
import { FormCard } from '../../ui/form/form-card.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import { QueryLoader } from '../../ui/page/query-loader.tsx'
import { accountQueries } from './account-queries.ts'
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
      <QueryLoader query={query} failureText={usersMessages.passkeysNotLoaded} isInCard>
        {(found) => <List {...found} onTask={setTask} />}
      </QueryLoader>
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
      <CardList rows={passkeys} emptyText="You have none.">
        {(passkey) => <PasskeyRow key={passkey.id} passkey={passkey} onTask={onTask} />}
      </CardList>
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
    <CardRow
      name={name}
      marks={
        <>
          {is_synced && <Badge color="gray">synced</Badge>}
          {host !== location.host && <Badge color="orange">only at {host}</Badge>}
        </>
      }
      verbs={
        <>
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
        </>
      }
    >
      <Text size="xs" c="dimmed">
        <Fact>
          added <Moment at={created_at} isRelative /> ·
        </Fact>{' '}
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
