import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useParams } from 'react-router'
import { call } from '../../lib/call.ts'
import { sessionKey } from '../../lib/session-key.ts'
import { useCan, useUser } from '../../lib/session.tsx'
import { FormLoader } from '../../ui/form-loader.tsx'
import { HistoryLink } from '../../ui/history-link.tsx'
import { Page } from '../../ui/page.tsx'
import { UserDetails } from './user-details.tsx'
import { UserForm } from './user-form.tsx'
import { toUserChangeInput, toUserValues, type UserFormValues } from './user-form-values.ts'
import { userQueries } from './user-queries.ts'
import { usersMessages } from './users-messages.ts'

/** `children` is what other features have to say about this user. Who may not edit may look. */
export function UserEditPage({ children }: { children?: ReactNode }) {
  const id = Number(useParams()['id'])
  const query = useQuery(userQueries.edit(id))
  const client = useQueryClient()
  const can = useCan()
  const isOwn = useUser().id === id

  async function save(values: UserFormValues, version: number) {
    await call('PUT /api/user/:id', { params: { id }, body: toUserChangeInput(values, version) })
    // One's own name stands in the shell.
    if (isOwn) await client.invalidateQueries({ queryKey: sessionKey })
  }

  return (
    <Page
      title={
        query.data
          ? `${can('user.edit') ? 'Edit User - ' : ''}${query.data.user.name}`
          : 'Edit User'
      }
      actions={<HistoryLink thing="user" id={id} />}
      isNarrow
    >
      <FormLoader query={query} failureText={usersMessages.notLoaded}>
        {({ user, roles }) =>
          can('user.edit') ? (
            <UserForm
              initialValues={toUserValues(user)}
              roles={roles}
              rolesLocked={isOwn ? 'Nobody changes their own roles.' : undefined}
              save={(values) => save(values, user.version)}
              texts={usersMessages.update}
              onReload={() => void query.refetch()}
            />
          ) : (
            <UserDetails user={user} />
          )
        }
      </FormLoader>
      {query.isSuccess && children}
    </Page>
  )
}
