import { Button, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { superAdminRole } from '@gatehouse/contract/permissions'
import { BulkBar } from '../../entities/bulk/bulk-bar.tsx'
import { verbsFor } from '../../entities/bulk/bulk-words.ts'
import { RoleSelect } from '../../entities/bulk/role-select.tsx'
import type { ListQuery } from '../../lib/page/list-params.ts'
import { useCan } from '../../lib/session/session.tsx'
import { useAddressFilter } from '../../lib/page/use-address-filter.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { filterProps } from '../../ui/filters/filter-selects.tsx'
import { LinkedFilter } from '../../ui/filters/linked-filter.tsx'
import { RecordList } from '../../ui/table/record-list.tsx'
import { callableColumns, callingRoleColumns, callingTokenColumns } from './api-access-columns.tsx'
import { endpointName } from './access-choices.ts'
import { Callers } from './access-panels.tsx'
import { accessQueries } from './access-queries.ts'
import { WholeApiDialog } from './whole-api-dialog.tsx'

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
      id="api-access-endpoints"
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
              <TokenFilter apiId={apiId} id={token} onRemove={() => setFilter({ token: null })} />
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
                  target={{ rows: rows.map((row) => ({ id: row.id, name: endpointName(row) })) }}
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

interface TokenFilterProps extends ListProps {
  id: string
  onRemove: () => void
}

/** By its name as soon as that is known: a token that no longer counts has none here. */
function TokenFilter({ apiId, id, onRemove }: TokenFilterProps) {
  const query = { page: 1, limit: 1, token_id: Number(id) } as const
  const { data } = useQuery(accessQueries.tokensOfApi(apiId, query))
  const [token] = data?.[0].data ?? []
  return (
    <LinkedFilter removeLabel="Any token" onRemove={onRemove}>
      {token ? `Token ${token.name}, ${token.user.name}` : `Token #${id}`}
    </LinkedFilter>
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
      <RoleSelect {...filterProps('Role', 'Any role', 200)} value={id ?? ''} onChange={onChange} />
    )
  if (id === undefined) return null
  return (
    <LinkedFilter removeLabel="Any role" onRemove={() => onChange(null)}>
      Role #{id}
    </LinkedFilter>
  )
}

/** The roles that may call the API. All of it is taken from here. */
export function CallingRoles({ apiId }: ListProps) {
  const can = useCan()
  return (
    <RecordList
      id="api-access-roles"
      caption="Roles that may call this API"
      list={(query: ListQuery<'name'>) => accessQueries.rolesOfApi(apiId, query)}
      searchLabel="Search roles"
      empty={{ title: 'No role may call this API' }}
      columns={callingRoleColumns(apiId)}
      renderActions={
        can('api-permission.edit')
          ? (row, ask) =>
              // It may call every endpoint, whatever it was given.
              row.name !== superAdminRole && (
                <Button variant="default" size="compact-sm" onClick={ask}>
                  Take away<VisuallyHidden> the whole API from {row.name}</VisuallyHidden>
                </Button>
              )
          : undefined
      }
      renderDialog={(row, onClose) =>
        row && <WholeApiDialog apiId={apiId} from={row} onClose={onClose} />
      }
    />
  )
}

/** The personal tokens that may call the API, and through which roles. */
export function CallingTokens({ apiId }: ListProps) {
  return (
    <RecordList
      id="api-access-tokens"
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
