import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import type { UserRecord } from '@gatehouse/contract'
import { ActionDialog } from '../../ui/dialog/action-dialog.tsx'
import { DialogFrame } from '../../ui/dialog/dialog-frame.tsx'
import { FormCard } from '../../ui/form/form-card.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import { InvitationLink } from './invitation-link.tsx'
import { invitationOf } from './invitation-words.ts'
import { useInviteUser, useTakeInvitationBack } from './user-queries.ts'
import { usersMessages } from './users-messages.ts'

/** The invitation of a user who has no password yet, for those who may send or end it. */
export function InvitationCard({ user, isMailed }: { user: UserRecord; isMailed: boolean }) {
  const [invited, setInvited] = useState<UserRecord>()
  const [taken, setTaken] = useState<UserRecord>()
  const [link, setLink] = useState<string>()
  const invitation = useInviteUser()
  const takeBack = useTakeInvitationBack()

  return (
    <FormCard title="Invitation" description="A link by which the user chooses a password.">
      <State user={user} />
      <Group>
        <Button variant="default" onClick={() => setInvited(user)}>
          {isMailed
            ? user.invited_until
              ? 'Send again'
              : 'Send an invitation'
            : user.invited_until
              ? 'New link'
              : 'Make a link'}
        </Button>
        {user.invited_until && (
          <Button variant="default" onClick={() => setTaken(user)}>
            Take back
          </Button>
        )}
      </Group>
      <ActionDialog
        row={invited}
        texts={isMailed ? usersMessages.invite : usersMessages.inviteByLink}
        isHarmless
        renderConsequences={({ email }) => (
          <Text size="sm">
            {isMailed
              ? `A new link goes to ${email}, and counts for 7 days. An earlier one ends.`
              : 'A new link is shown to you, this once, and counts for 7 days. An earlier one ends.'}
          </Text>
        )}
        perform={async ({ id }) => setLink((await invitation.mutateAsync(id)).link ?? undefined)}
        onClose={() => setInvited(undefined)}
      />
      {link !== undefined && (
        <DialogFrame isOpen title="Invitation" onClose={() => setLink(undefined)}>
          <InvitationLink link={link} email={user.email} onClose={() => setLink(undefined)} />
        </DialogFrame>
      )}
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
