import { useQuery } from '@tanstack/react-query'
import { notifyWarning } from '../../lib/page/notify.tsx'
import { FormLoader } from '../../ui/form/form-loader.tsx'
import { Page } from '../../ui/page/page.tsx'
import { UserForm } from './user-form.tsx'
import { newUserValues, toNewUserInput, type UserFormValues } from './user-form-values.ts'
import { useCreateUser, userQueries } from './user-queries.ts'
import { usersMessages } from './users-messages.ts'

export function UserCreatePage() {
  const query = useQuery(userQueries.create())
  const create = useCreateUser()

  async function save(values: UserFormValues) {
    const user = await create(toNewUserInput(values))
    if (user.mail_problem) notifyWarning(usersMessages.notInvited, user.mail_problem)
    return user
  }

  return (
    <Page title="Create New User">
      <FormLoader query={query} failureText={usersMessages.rolesNotLoaded}>
        {({ roles, sends_invitations = false }) => (
          <UserForm
            initialValues={newUserValues}
            roles={roles}
            isNew
            mayInvite={sends_invitations}
            save={save}
            texts={usersMessages.create}
          />
        )}
      </FormLoader>
    </Page>
  )
}
