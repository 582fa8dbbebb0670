import { Group, Text } from '@mantine/core'
import { queryOptions } from '@tanstack/react-query'
import type { Permission } from '@gatehouse/contract'
import { readSubmittedApi } from '../../entities/api/submitted-api.ts'
import { paths } from '../../entities/paths.ts'
import { call } from '../../lib/calls/call.ts'
import type { PaletteItem, PaletteSection } from './palette-section.ts'

type Can = (permission: Permission) => boolean

interface Source {
  title: string
  permission: Permission
  find: (query: Query, signal: AbortSignal, can: Can) => Promise<PaletteItem[]>
}

const recordsMax = 3
const wordMin = 2
type Query = { search: string; limit: number }

/** Lists that are searched beside the texts of runs. A record leads to its form, for users who may open it. */
const sources: readonly Source[] = [
  {
    title: 'APIs',
    permission: 'api.view',
    find: async (query, signal, can) => {
      const [{ data }] = await call('GET /api/apis', { query, signal })
      return data.map((record) => {
        const { name, api_url, host } = readSubmittedApi(record)
        const address = can('api.edit') ? paths.apiEdit(record.id) : searchIn(paths.apis, name)
        return itemOf(`api ${record.id}`, name, api_url || host, address)
      })
    },
  },
  {
    title: 'Endpoints',
    permission: 'endpoint.view',
    find: async (query, signal, can) => {
      const [{ data }] = await call('GET /api/endpoint', { query, signal })
      return data.map(({ id, summery, path, api, method_type }) => {
        const address = can('endpoint.edit')
          ? paths.endpointEdit(id)
          : searchIn(paths.endpoints, path)
        const hint = `${method_type.toUpperCase()} ${path} · ${api.name}`
        return itemOf(`endpoint ${id}`, summery, hint, address)
      })
    },
  },
  {
    title: 'Users',
    permission: 'user.view',
    find: async (query, signal) => {
      const [{ data }] = await call('GET /api/user', { query, signal })
      return data.map(({ id, name, email }) =>
        itemOf(`user ${id}`, name, email, paths.userEdit(id)),
      )
    },
  },
  {
    title: 'Roles',
    permission: 'role.view',
    find: async (query, signal) => {
      const [{ data }] = await call('GET /api/role', { query, signal })
      return data.map(({ id, name }) => itemOf(`role ${id}`, name, '', paths.roleEdit(id)))
    },
  },
]

/** Records whose list finds what was typed. A list that fails is left out: its own screen says why. */
export const recordsQuery = (typed: string, can: Can) =>
  queryOptions({
    queryKey: ['search', 'records', typed],
    queryFn: async ({ signal }): Promise<PaletteSection[]> => {
      const query = { search: typed, limit: recordsMax }
      const open = sources.filter(({ permission }) => can(permission))
      const found = await Promise.allSettled(open.map(({ find }) => find(query, signal, can)))
      return open.flatMap(({ title }, at) => {
        const each = found[at]
        const items = each?.status === 'fulfilled' ? each.value : []
        return items.length > 0 ? [{ title, items }] : []
      })
    },
    enabled: typed.length >= wordMin,
  })

const searchIn = (list: string, text: string) => `${list}?search=${encodeURIComponent(text)}`

function itemOf(key: string, title: string, hint: string, address: string): PaletteItem {
  return {
    key,
    address,
    content: (
      <Group gap="xs" justify="space-between" wrap="nowrap">
        <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
          <bdi>{title}</bdi>
        </Text>
        <Text size="xs" ta="end" style={{ overflowWrap: 'anywhere' }}>
          <bdi>{hint}</bdi>
        </Text>
      </Group>
    ),
  }
}
