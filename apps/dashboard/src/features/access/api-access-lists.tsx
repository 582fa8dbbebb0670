import { Button, VisuallyHidden } from '@mantine/core'
import { BulkBar } from '../../entities/bulk/bulk-bar.tsx'
import { verbsFor } from '../../entities/bulk/bulk-words.ts'
import { RoleSelect } from '../../entities/bulk/role-select.tsx'
import type { ListQuery } from '../../lib/list-params.ts'
import { useCan } from '../../lib/session.tsx'
import { useAddressFilter } from '../../lib/use-address-filter.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { filterWidth } from '../../ui/filter-selects.tsx'
import { LinkedFilter } from '../../ui/linked-filter.tsx'
import { RecordList } from '../../ui/record-list.tsx'
import { callableColumns, callingRoleColumns, callingTokenColumns } from './api-access-columns.tsx'
import { endpointName } from './access-choices.ts'
import { Callers } from './access-panels.tsx'
import { accessQueries } from './access-queries.ts'

interface ListProps {
  apiId: number
}

const filterNames = ['role', 'token'] as const
const readId = (address: URLSearchParams, name: string) =>
  /^[1-9]\d{0,8}$/.exec(address.get(name) ?? '')?.[0]
const readFilter = (address: URLSearchParams) => ({
  role: readId(address, 'role'),
  token: readId(address, 'token'),
})

/** Each endpoint with the roles that hold it. Access is granted from here. */
export function CallableList({ apiId }: ListProps) {
  const can = useCan()
  const { filter, setFilter } = useAddressFilter(filterNames, readFilter)
  const { role, token } = filter
  const mayGrant = verbsFor('endpoints', can).some(({ verb }) => verb === 'grant')
  return (
    <RecordList
      caption="Endpoints and who may call them"
      list={(query: ListQuery<'id' | 'path'>) =>
        accessQueries.callableOfApi(apiId, {
          ...query,
          ...(role && { role_id: Number(role) }),
          ...(token && { token_id: Number(token) }),
        })
      }
      searchLabel="Search endpoints"
      filters={{
        fields: (
          <>
            <RoleFilter id={role} onChange={(id) => setFilter({ role: id })} />
            {token && (
              <LinkedFilter noun="token" onRemove={() => setFilter({ token: null })}>
                Token #{token}
              </LinkedFilter>
            )}
          </>
        ),
        areSet: role !== undefined || token !== undefined,
      }}
      empty={{ title: 'This API has no endpoints yet' }}
      columns={callableColumns}
      bulk={
        mayGrant
          ? {
              nameOf: endpointName,
              renderBar: (rows, show) => (
                <BulkBar
                  kind="endpoints"
                  only="grant"
                  show={show}
                  rows={rows.map((row) => ({ id: row.id, name: endpointName(row) }))}
                />
              ),
            }
          : undefined
      }
      actionColumn={{ head: 'Callers', width: '11rem' }}
      renderActions={(row, ask) => (
        <Button variant="default" size="compact-sm" onClick={ask}>
          Who can call this?<VisuallyHidden> {endpointName(row)}</VisuallyHidden>
        </Button>
      )}
      renderDialog={(row, onClose) =>
        row && (
          <Dialog isOpen title={`Who can call ${endpointName(row)}?`} onClose={onClose}>
            <Callers endpointId={row.id} />
          </Dialog>
        )
      }
    />
  )
}

interface RoleFilterProps {
  id: string | undefined
  onChange: (id: string | null) => void
}

/** Users who may not view roles can only take the filter of a link away. */
function RoleFilter({ id, onChange }: RoleFilterProps) {
  const can = useCan()
  if (can('role.view'))
    return (
      <RoleSelect
        aria-label="Role"
        placeholder="Any role"
        clearable
        clearButtonProps={{ 'aria-label': 'Any role' }}
        w={filterWidth(200)}
        value={id ?? ''}
        onChange={onChange}
      />
    )
  if (id === undefined) return null
  return (
    <LinkedFilter noun="role" onRemove={() => onChange(null)}>
      Role #{id}
    </LinkedFilter>
  )
}

/** The roles that may call the API. */
export function CallingRoles({ apiId }: ListProps) {
  return (
    <RecordList
      caption="Roles that may call this API"
      list={(query: ListQuery<'name'>) => accessQueries.rolesOfApi(apiId, query)}
      searchLabel="Search roles"
      empty={{ title: 'No role may call this API' }}
      columns={callingRoleColumns(apiId)}
    />
  )
}

/** The personal tokens that may call the API, and through which roles. */
export function CallingTokens({ apiId }: ListProps) {
  return (
    <RecordList
      caption="Tokens that may call this API"
      list={(query: ListQuery<'name' | 'last_used_at'>) => accessQueries.tokensOfApi(apiId, query)}
      searchLabel="Search tokens"
      empty={{
        title: 'No token may call this API',
        hint: 'A personal token may call what the roles of its user may call.',
      }}
      columns={callingTokenColumns(apiId)}
    />
  )
}
