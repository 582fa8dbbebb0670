import { useQuery } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { FormLoader } from '../../ui/form-loader.tsx'
import { Page } from '../../ui/page.tsx'
import { UserForm } from './user-form.tsx'
import { newUserValues, toNewUserInput } from './user-form-values.ts'
import { userQueries } from './user-queries.ts'
import { usersMessages } from './users-messages.ts'

export function UserCreatePage() {
  const query = useQuery(userQueries.create())
  return (
    <Page title="Create New User" isNarrow>
      <FormLoader query={query} failureText={usersMessages.rolesNotLoaded}>
        {({ roles }) => (
          <UserForm
            initialValues={newUserValues}
            roles={roles}
            isNew
            save={(values) => call('POST /api/user', { body: toNewUserInput(values) })}
            texts={usersMessages.create}
          />
        )}
      </FormLoader>
    </Page>
  )
}
