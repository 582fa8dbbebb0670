import { Paper } from '@mantine/core'
import type { UserRecord } from '@gatehouse/contract'
import { Facts } from '../../ui/facts.tsx'

/** A user as those see it who may look but not edit. */
export function UserDetails({ user }: { user: UserRecord }) {
  return (
    <Paper withBorder p="lg">
      <Facts
        facts={[
          ['User Name', user.name],
          ['User Email', user.email],
          ['Username', user.username],
          ['Roles', user.role],
          ['Sign-in', user.can_sign_in ? 'With a password' : 'This account can’t sign in'],
        ]}
      />
    </Paper>
  )
}
