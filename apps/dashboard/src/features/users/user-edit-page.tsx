import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { RoleOption, UserRecord } from '@gatehouse/contract'
import { Paper } from '@mantine/core'
import { useRefresh } from '../../lib/calls/define-resource.ts'
import { sessionKey } from '../../lib/session/session-key.ts'
import { useCan, useUser } from '../../lib/session/session.tsx'
import { gatewayClientId, useIsOutOfReach } from '../../entities/user/protected-users.ts'
import { useThingName } from '../../lib/page/thing-name.ts'
import { useRecordId } from '../../lib/page/use-record-id.ts'
import { FormLoader } from '../../ui/form/form-loader.tsx'
import { HistoryLink } from '../../entities/audit/history-link.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Facts } from '../../ui/text/facts.tsx'
import { AdminTokensCard } from './admin-tokens-card.tsx'
import { InvitationCard } from './invitation-card.tsx'
import { PasskeysCard } from './passkeys-card.tsx'
import { SecondFactorCard } from './second-factor-card.tsx'
import { UserForm } from './user-form.tsx'
import { toUserChangeInput, toUserValues, type UserFormValues } from './user-form-values.ts'
import { userQueries, useUpdateUser } from './user-queries.ts'
import { usersMessages } from './users-messages.ts'

/** `children` comes from other features. Users who can't edit see the details only. */
export function UserEditPage({ children }: { children?: ReactNode }) {
  const id = useRecordId()
  const query = useQuery(userQueries.edit(id))
  const mayEdit = useMayEdit()
  const ownId = useUser().id
  useThingName(query.data?.user.name, { part: 'Edit' })
  return (
    <Page
      title={query.data ? titleOf(query.data.user, mayEdit(query.data.user)) : 'Edit User'}
      actions={<HistoryLink thing="user" id={id} />}
    >
      <FormLoader query={query} failureText={usersMessages.notLoaded} thing={{ thing: 'user', id }}>
        {(data) =>
          mayEdit(data.user) ? <UserEditForm {...data} /> : <UserDetails user={data.user} />
        }
      </FormLoader>
      {query.data && !query.data.user.can_sign_in && mayEdit(query.data.user) && (
        <Invitation {...query.data} />
      )}
      {query.data?.second_factor_since && (
        <SecondFactorCard
          user={query.data.user}
          since={query.data.second_factor_since}
          mayReset={mayEdit(query.data.user) && query.data.user.id !== ownId}
        />
      )}
      {query.data && (query.data.passkeys_count ?? 0) > 0 && (
        <PasskeysCard
          user={query.data.user}
          count={query.data.passkeys_count ?? 0}
          mayReset={mayEdit(query.data.user) && query.data.user.id !== ownId}
        />
      )}
      {query.data && <ProgramTokens {...query.data} mayEdit={mayEdit(query.data.user)} />}
      {query.data && children}
    </Page>
  )
}

interface InvitationProps {
  user: UserRecord
  sends_invitations?: boolean | undefined
}

/** Of a user without a password. */
function Invitation({ user, sends_invitations = false }: InvitationProps) {
  if (user.id === gatewayClientId) return null
  return <InvitationCard user={user} isMailed={sends_invitations} />
}

interface ProgramTokensProps {
  user: UserRecord
  admin_tokens_count?: number | undefined
  mayEdit: boolean
}

/** One's own are on the page of one's account. */
function ProgramTokens({ user, admin_tokens_count = 0, mayEdit }: ProgramTokensProps) {
  const isOwn = useUser().id === user.id
  if (isOwn || !mayEdit || admin_tokens_count === 0) return null
  return <AdminTokensCard user={user} count={admin_tokens_count} />
}

function useMayEdit(): (user: UserRecord) => boolean {
  const can = useCan()
  const isOutOfReach = useIsOutOfReach()
  return ({ roles }) => can('user.edit') && !isOutOfReach(roles.map(({ name }) => name))
}

const titleOf = ({ name }: UserRecord, isEditing: boolean) =>
  isEditing ? `Edit User - ${name}` : name

interface UserEditFormProps {
  user: UserRecord
  roles: RoleOption[]
}

function UserEditForm({ user, roles }: UserEditFormProps) {
  const refreshSession = useRefresh(sessionKey)
  const update = useUpdateUser(user.id)
  const isOwn = useUser().id === user.id

  async function save(values: UserFormValues) {
    const answer = await update(toUserChangeInput(values, user.version))
    // The shell shows the user's own name.
    if (isOwn) await refreshSession()
    return answer
  }

  return (
    <UserForm
      initialValues={toUserValues(user)}
      roles={roles}
      rolesLocked={isOwn ? 'Users can’t change their own roles.' : undefined}
      isOwn={isOwn}
      save={save}
      texts={usersMessages.update}
    />
  )
}

/** What is shown to users who may view a user but not edit it. */
function UserDetails({ user }: { user: UserRecord }) {
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
