import { Button, Group, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { IssuerRecord } from '@gatehouse/contract'
import { Link } from 'react-router'
import { paths } from '../../entities/paths.ts'
import { useCan } from '../../lib/session/session.tsx'
import type { Column } from '../../ui/table/data-table.tsx'
import { DeleteDialog } from '../../ui/dialog/delete-dialog.tsx'
import { ListPage } from '../../ui/table/list-page.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import { RowActions } from '../../ui/table/row-actions.tsx'
import { StatusWord } from '../../ui/text/status-word.tsx'
import { issuerQueries, useDeleteIssuer } from './issuer-queries.ts'

/** Whose JWTs callers of the gateway may show in place of a personal token. */
export function IssuerListPage() {
  const deletion = useDeleteIssuer()
  const mayEdit = useCan()('token.create_any')
  return (
    <ListPage
      id="token-issuers"
      title="Token issuers"
      subtitle="The gateway accepts their JWTs (JSON Web Tokens) where it asks for a token."
      actions={
        mayEdit && (
          <Button
            component={Link}
            to={paths.tokenIssuerCreate}
            size="xs"
            leftSection={<IconPlus size={16} />}
          >
            Add token issuer
          </Button>
        )
      }
      list={issuerQueries.list}
      searchLabel="Search token issuers"
      empty={{
        title: 'No token issuers yet',
        hint: 'Without one, callers show personal tokens alone.',
      }}
      columns={columns}
      renderActions={(row, ask) => (
        <RowActions
          name={row.name}
          editPath={mayEdit ? paths.tokenIssuerEdit(row.id) : undefined}
          onDelete={mayEdit ? ask : undefined}
        />
      )}
      renderDialog={(row, onClose) => (
        <DeleteDialog
          row={row}
          noun="token issuer"
          renderConsequences={(issuer) => (
            <Text size="sm">
              The tokens of <b>{issuer.name}</b> are refused from the next call on.
            </Text>
          )}
          remove={(issuer) => deletion.mutateAsync(issuer.id)}
          onClose={onClose}
        />
      )}
    />
  )
}

const columns: Column<IssuerRecord, 'id' | 'name' | 'updated_at'>[] = [
  {
    head: 'Issuer',
    isName: true,
    sort: 'name',
    cell: (row) => (
      <>
        <Group gap="sm">
          <Text span size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
            {row.name}
          </Text>
          <StatusWord color={row.is_active ? 'green' : 'gray'}>
            {row.is_active ? 'On' : 'Off'}
          </StatusWord>
        </Group>
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          <bdi>{row.issuer}</bdi>
        </Text>
      </>
    ),
  },
  {
    head: 'Roles',
    width: '26%',
    cell: (row) => (
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {[...new Set(row.roles.map(({ role }) => role))].join(', ') || 'none'}
      </Text>
    ),
  },
  { head: 'Keys', width: '22%', cell: (row) => <Keys issuer={row} /> },
]

function Keys({ issuer: { keys, keys_problem, keys_read_at } }: { issuer: IssuerRecord }) {
  return (
    <>
      <StatusWord color={keys.length === 0 ? 'red' : keys_problem === null ? 'green' : 'orange'}>
        {keys.length === 1 ? '1 key' : `${keys.length} keys`}
      </StatusWord>
      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {keys_problem ?? (keys_read_at && <Moment at={keys_read_at} isRelative />)}
      </Text>
    </>
  )
}
