import { endpointDefinition, type TryApiInput } from '@gatehouse/contract'
import { toColumns } from './endpoint-columns.ts'
import type { EndpointRow } from './endpoint-store.ts'

/** Of no API yet; every id is checked. */
const anyId = 1

/** An endpoint with this method and path and nothing else, which is stored nowhere. With the id 0. */
export function bareEndpoint(route: NonNullable<TryApiInput['route']>): EndpointRow {
  const definition = endpointDefinition.parse({
    ...route,
    api_id: anyId,
    status: 'active',
    summery: route.path.slice(0, 200),
    description: route.path,
    // Whether callers need a token follows from the API alone.
    authentication: false,
  })
  return { ...toColumns(definition), id: 0, version: 1, created_at: '', updated_at: '' }
}
