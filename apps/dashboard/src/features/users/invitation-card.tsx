import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import type { UserRecord } from '@gatehouse/contract'
import { ActionDialog } from '../../ui/action-dialog.tsx'
import { FormCard } from '../../ui/form-card.tsx'
import { Moment } from '../../ui/moment.tsx'
import { invitationOf } from './invitation-words.ts'
import { useInviteUser, useTakeInvitationBack } from './user-queries.ts'
import { usersMessages } from './users-messages.ts'

/** The invitation of a user who has no password yet, for those who may send or end it. */
export function InvitationCard({ user, mayInvite }: { user: UserRecord; mayInvite: boolean }) {
  const [invited, setInvited] = useState<UserRecord>()
  const [taken, setTaken] = useState<UserRecord>()
  const invitation = useInviteUser()
  const takeBack = useTakeInvitationBack()

  return (
    <FormCard title="Invitation" description="A link by which the user chooses a password.">
      <State user={user} />
      <Group>
        {mayInvite && (
          <Button variant="default" onClick={() => setInvited(user)}>
            {user.invited_until ? 'Send again' : 'Send an invitation'}
          </Button>
        )}
        {user.invited_until && (
          <Button variant="default" onClick={() => setTaken(user)}>
            Take back
          </Button>
        )}
      </Group>
      <ActionDialog
        row={invited}
        texts={usersMessages.invite}
        isHarmless
        renderConsequences={({ email }) => (
          <Text size="sm">
            A new link goes to {email}, and counts for 7 days. An earlier one ends.
          </Text>
        )}
        perform={({ id }) => invitation.mutateAsync(id)}
        onClose={() => setInvited(undefined)}
      />
      <ActionDialog
        row={taken}
        texts={usersMessages.takeInvitationBack}
        renderConsequences={({ name }) => (
          <Text size="sm">The link ends. {name} stays as a user without a password.</Text>
        )}
        perform={({ id }) => takeBack.mutateAsync(id)}
        onClose={() => setTaken(undefined)}
      />
    </FormCard>
  )
}

function State({ user }: { user: UserRecord }) {
  const invitation = invitationOf(user)
  if (!user.invited_until || !invitation)
    return <Text size="sm">This user has no password, and can’t sign in.</Text>
  return invitation === 'open' ? (
    <Text size="sm">
      It counts until <Moment at={user.invited_until} />.
    </Text>
  ) : (
    <Text size="sm">
      It has ended <Moment at={user.invited_until} />.
    </Text>
  )
}
