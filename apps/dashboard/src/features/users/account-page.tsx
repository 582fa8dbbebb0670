import { Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { paths } from '../../entities/paths.ts'
import { useUser } from '../../lib/session/session.tsx'
import { useSaveForm } from '../../lib/forms/use-save-form.ts'
import { FormCard } from '../../ui/form/form-card.tsx'
import { FormFrame } from '../../ui/form/form-frame.tsx'
import { Loading } from '../../ui/page/loading.tsx'
import { Page } from '../../ui/page/page.tsx'
import { PasswordField } from '../../ui/form/password-field.tsx'
import { AdminTokens } from './admin-tokens.tsx'
import { accountQueries, useChangePassword } from './account-queries.ts'
import { OwnPasskeys } from './own-passkeys.tsx'
import { OwnSecondFactor } from './own-second-factor.tsx'
import { OwnSessions } from './own-sessions.tsx'
import { usersMessages } from './users-messages.ts'

const blank = { current_password: '', password: '', password_confirmation: '' }

/** The password, second factor, passkeys, sessions and tokens of the signed-in user; needs no permission. */
export function AccountPage() {
  const user = useUser()
  const { data: hasPassword = true, isPending } = useQuery(accountQueries.hasPassword())
  return (
    <Page title="My account" subtitle={`${user.name} (${user.email})`}>
      {isPending ? <Loading /> : hasPassword ? <ChangePassword /> : <NoPassword />}
      {!isPending && hasPassword && (
        <>
          <OwnSecondFactor />
          <OwnPasskeys />
        </>
      )}
      <OwnSessions />
      {!isPending && hasPassword && <AdminTokens />}
    </Page>
  )
}

/** In place of what asks for the current password. */
function NoPassword() {
  return (
    <FormCard title="No password here">
      <Text size="sm">
        This account signs in with the sign-in provider and has no password of its own, which a
        second factor, passkeys and tokens for programs need: an administrator can set one on the
        page of your user.
      </Text>
    </FormCard>
  )
}

function ChangePassword() {
  const form = useForm({ mode: 'controlled', initialValues: blank })
  const change = useChangePassword()
  const saving = useSaveForm({
    form,
    initialValues: blank,
    save: change.mutateAsync,
    texts: usersMessages.password,
  })
  return (
    <FormFrame saving={saving} submitLabel="Change password" cancelPath={paths.home}>
      <FormCard
        title="Change password"
        description="A new password ends all your other sessions; this one stays."
      >
        <PasswordField
          label="Current Password"
          autoComplete="current-password"
          {...form.getInputProps('current_password')}
        />
        <PasswordField
          label="New Password"
          description="At least 12 characters."
          autoComplete="new-password"
          {...form.getInputProps('password')}
        />
        <PasswordField
          label="Confirm Password"
          autoComplete="new-password"
          {...form.getInputProps('password_confirmation')}
        />
      </FormCard>
    </FormFrame>
  )
}
