import { Badge, Button, Group, Text } from '@mantine/core'
import { IconMailPlus } from '@tabler/icons-react'
import { useState } from 'react'
import type { UserRecord } from '@gatehouse/contract'
import { Link } from 'react-router'
import { paths } from '../../entities/paths.ts'
import { lazyPart } from '../../lib/page/lazy-part.tsx'
import { useCan, useUser } from '../../lib/session/session.tsx'
import { useIsOutOfReach, gatewayClientId } from '../../entities/user/protected-users.ts'
import type { Column } from '../../ui/table/data-table.tsx'
import { DeleteDialog } from '../../ui/dialog/delete-dialog.tsx'
import { ListPage } from '../../ui/table/list-page.tsx'
import { RowActions } from '../../ui/table/row-actions.tsx'
import { invitationOf } from './invitation-words.ts'
import { useDeleteUser, userQueries } from './user-queries.ts'
import { NameLink } from '../../ui/text/name-link.tsx'

const InviteDialog = lazyPart(async () => (await import('./invite-dialog.tsx')).InviteDialog)

type SortColumn = 'id' | 'name' | 'email' | 'username'

/** spec: user-list. */
export function UserListPage() {
  const deletion = useDeleteUser()
  const can = useCan()
  const ownId = useUser().id
  const isOutOfReach = useIsOutOfReach()
  const isFixed = (row: UserRecord) => isOutOfReach(row.roles.map(({ name }) => name))
  // The server refuses to delete oneself and the gateway client.
  const isKept = ({ id }: UserRecord) => id === ownId || id === gatewayClientId
  return (
    <ListPage
      id="users"
      title="All Users"
      add={can('user.create') ? { label: 'Add User', to: paths.userCreate } : undefined}
      actions={
        <>
          <Button component={Link} to={paths.signOn} variant="default">
            Sign-in provider
          </Button>
          {can('user.create') && <InviteButton />}
        </>
      }
      list={userQueries.list}
      searchLabel="Search users"
      empty={{ title: 'No users yet' }}
      columns={columns}
      renderActions={(row, ask) => (
        <RowActions
          hasDelete
          name={row.name}
          editPath={can('user.edit') && !isFixed(row) ? paths.userEdit(row.id) : undefined}
          viewPath={paths.userEdit(row.id)}
          onDelete={can('user.delete') && !isFixed(row) && !isKept(row) ? ask : undefined}
        />
      )}
      renderDialog={(row, onClose) => (
        <DeleteDialog
          row={row}
          noun="user"
          renderConsequences={(user) => <WhatGoes user={user} />}
          remove={(user) => deletion.mutateAsync(user.id)}
          onClose={onClose}
        />
      )}
    />
  )
}

function InviteButton() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconMailPlus size={16} aria-hidden />}
        onClick={() => setIsOpen(true)}
      >
        Invite
      </Button>
      {isOpen && <InviteDialog onClose={() => setIsOpen(false)} />}
    </>
  )
}

const columns: Column<UserRecord, SortColumn>[] = [
  { head: '#', sort: 'id', width: '4rem', isMinor: true, cell: (row) => row.id },
  {
    head: 'Name',
    isName: true,
    sort: 'name',
    cell: (row) => (
      <Group gap="xs">
        <NameLink to={paths.userEdit(row.id)}>{row.name}</NameLink>
        <Text span size="xs" c="dimmed">
          {row.username}
        </Text>
        {!row.can_sign_in && <WhyNot user={row} />}
      </Group>
    ),
  },
  { head: 'Email', sort: 'email', cell: (row) => row.email },
  { head: 'Role', cell: (row) => row.role },
]

/** Why a user can’t sign in. */
function WhyNot({ user }: { user: UserRecord }) {
  const invitation = invitationOf(user)
  if (invitation === 'open') return <Badge color="blue">invited</Badge>
  if (invitation === 'over') return <Badge color="orange">invitation has ended</Badge>
  return <Badge color="gray">can’t sign in</Badge>
}

function WhatGoes({ user }: { user: UserRecord }) {
  return (
    <Text size="sm">
      <b>{user.name}</b> ({user.email}) will be deleted. Their sessions end at once, and their
      personal tokens go with them: the gateway refuses every later call with one. This cannot be
      undone.
    </Text>
  )
}
