import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import type { UserRecord } from '@gatehouse/contract'
import { ActionDialog } from '../../ui/dialog/action-dialog.tsx'
import { FormCard } from '../../ui/form/form-card.tsx'
import { useRevokeAdminTokensOf } from './user-queries.ts'
import { usersMessages } from './users-messages.ts'

/** The tokens for programs of another user, who alone can make them. */
export function AdminTokensCard({ user, count }: { user: UserRecord; count: number }) {
  const [asked, setAsked] = useState<UserRecord>()
  const revocation = useRevokeAdminTokensOf()
  return (
    <FormCard
      title="Tokens for programs"
      description="Programs call the admin API with them, as this user."
    >
      <Text size="sm">{count === 1 ? 'There is 1 token.' : `There are ${count} tokens.`}</Text>
      <Group>
        <Button variant="default" onClick={() => setAsked(user)}>
          Revoke all tokens
        </Button>
      </Group>
      <ActionDialog
        row={asked}
        texts={usersMessages.revokeAllTokens}
        renderConsequences={({ name }) => (
          <Text size="sm">
            Every program that calls with a token of {name} is refused from the next call on. This
            cannot be undone.
          </Text>
        )}
        perform={({ id }) => revocation.mutateAsync(id)}
        onClose={() => setAsked(undefined)}
      />
    </FormCard>
  )
}
