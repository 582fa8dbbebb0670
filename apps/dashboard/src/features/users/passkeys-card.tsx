import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import type { UserRecord } from '@gatehouse/contract'
import { ActionDialog } from '../../ui/dialog/action-dialog.tsx'
import { FormCard } from '../../ui/form/form-card.tsx'
import { useResetPasskeys } from './user-queries.ts'
import { usersMessages } from './users-messages.ts'

interface PasskeysCardProps {
  user: UserRecord
  count: number
  mayReset: boolean
}

/** The passkeys of another user, for those who have to lock lost devices out. */
export function PasskeysCard({ user, count, mayReset }: PasskeysCardProps) {
  const [asked, setAsked] = useState<UserRecord>()
  const reset = useResetPasskeys()
  return (
    <FormCard title="Passkeys" description="Each signs in without password and code.">
      <Text size="sm">{count === 1 ? 'There is 1 passkey.' : `There are ${count} passkeys.`}</Text>
      {mayReset && (
        <Group>
          <Button variant="default" onClick={() => setAsked(user)}>
            Remove all passkeys
          </Button>
        </Group>
      )}
      <ActionDialog
        row={asked}
        texts={usersMessages.resetPasskeys}
        renderConsequences={({ name }) => (
          <Text size="sm">
            {name} signs in with the password, until they add a passkey again. Their sessions end at
            once.
          </Text>
        )}
        perform={({ id }) => reset.mutateAsync(id)}
        onClose={() => setAsked(undefined)}
      />
    </FormCard>
  )
}
