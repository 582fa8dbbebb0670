import { useQuery } from '@tanstack/react-query'
import { FormLoader } from '../../ui/form/form-loader.tsx'
import { Page } from '../../ui/page/page.tsx'
import { RoleForm } from './role-form.tsx'
import { roleQueries, useCreateRole } from './role-queries.ts'
import { rolesMessages } from './roles-messages.ts'

export function RoleCreatePage() {
  const query = useQuery(roleQueries.create())
  const create = useCreateRole()
  return (
    <Page title="Create Role">
      <FormLoader query={query} failureText={rolesMessages.notLoaded}>
        {(data) => (
          <RoleForm
            data={data}
            name=""
            isNew
            submitLabel="Create Role"
            save={create}
            texts={rolesMessages.create}
          />
        )}
      </FormLoader>
    </Page>
  )
}
