import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import type { UserRecord } from '@gatehouse/contract'
import { ActionDialog } from '../../ui/dialog/action-dialog.tsx'
import { FormCard } from '../../ui/form/form-card.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import { useResetSecondFactor } from './user-queries.ts'
import { usersMessages } from './users-messages.ts'

interface SecondFactorCardProps {
  user: UserRecord
  since: string
  mayReset: boolean
}

/** The second factor of another user, for those who help them to sign in again. */
export function SecondFactorCard({ user, since, mayReset }: SecondFactorCardProps) {
  const [asked, setAsked] = useState<UserRecord>()
  const reset = useResetSecondFactor()
  return (
    <FormCard title="Second factor" description="A code of an authenticator app, at each login.">
      <Text size="sm">
        It is on since <Moment at={since} />.
      </Text>
      {mayReset && (
        <Group>
          <Button variant="default" onClick={() => setAsked(user)}>
            Reset second factor
          </Button>
        </Group>
      )}
      <ActionDialog
        row={asked}
        texts={usersMessages.resetSecondFactor}
        renderConsequences={({ name }) => (
          <Text size="sm">
            {name} signs in with the password alone, until it is set up again. Their sessions end at
            once. Do this only for a person whom you have recognised.
          </Text>
        )}
        perform={({ id }) => reset.mutateAsync(id)}
        onClose={() => setAsked(undefined)}
      />
    </FormCard>
  )
}
