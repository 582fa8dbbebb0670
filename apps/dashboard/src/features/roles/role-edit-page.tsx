import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { RoleEditForm } from '@gatehouse/contract'
import { useCan } from '../../lib/session/session.tsx'
import { useThingName } from '../../lib/page/thing-name.ts'
import { useRecordId } from '../../lib/page/use-record-id.ts'
import { FormLoader } from '../../ui/form/form-loader.tsx'
import { HistoryLink } from '../../entities/audit/history-link.tsx'
import { Page } from '../../ui/page/page.tsx'
import { RoleForm } from './role-form.tsx'
import { roleQueries, useUpdateRole } from './role-queries.ts'
import { rolesMessages } from './roles-messages.ts'

/** `children` comes from other features. Users who can't edit see the role locked. */
export function RoleEditPage({ children }: { children?: ReactNode }) {
  const id = useRecordId()
  const query = useQuery(roleQueries.edit(id))
  useThingName(query.data?.role.name, { part: 'Edit' })
  const update = useUpdateRole(id)
  const can = useCan()
  return (
    <Page
      title={can('role.edit') ? 'Edit Role' : 'Role'}
      subtitle={query.data && subtitleOf(query.data)}
      actions={<HistoryLink thing="role" id={id} />}
    >
      <FormLoader query={query} failureText={rolesMessages.notLoaded} thing={{ thing: 'role', id }}>
        {(data) => (
          <RoleForm
            data={data}
            name={data.role.name}
            needsSecondFactor={data.role.needs_second_factor}
            allowedAddresses={data.role.allowed_addresses}
            mayRequireSecondFactor={can('role.edit') && data.may_require_second_factor}
            locked={
              can('role.edit')
                ? (data.locked ?? undefined)
                : 'You may look at roles, not edit them.'
            }
            submitLabel="Update Role"
            save={(values) => update({ ...values, version: data.role.version })}
            texts={rolesMessages.update}
          />
        )}
      </FormLoader>
      {query.data && children}
    </Page>
  )
}

function subtitleOf({ role }: RoleEditForm): string {
  const users = role.users_count === 1 ? '1 user has' : `${role.users_count} users have`
  return `${role.name}: ${users} this role. A change bites on their next call.`
}
