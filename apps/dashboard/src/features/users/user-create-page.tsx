import { useQuery } from '@tanstack/react-query'
import { FormLoader } from '../../ui/form-loader.tsx'
import { Page } from '../../ui/page.tsx'
import { UserForm } from './user-form.tsx'
import { newUserValues, toNewUserInput } from './user-form-values.ts'
import { useCreateUser, userQueries } from './user-queries.ts'
import { usersMessages } from './users-messages.ts'

export function UserCreatePage() {
  const query = useQuery(userQueries.create())
  const create = useCreateUser()
  return (
    <Page title="Create New User">
      <FormLoader query={query} failureText={usersMessages.rolesNotLoaded}>
        {({ roles }) => (
          <UserForm
            initialValues={newUserValues}
            roles={roles}
            isNew
            save={(values) => create(toNewUserInput(values))}
            texts={usersMessages.create}
          />
        )}
      </FormLoader>
    </Page>
  )
}
