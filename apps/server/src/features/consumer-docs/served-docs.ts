import { consumerDocsMax, superAdminRole, type ConsumerDocs } from '@gatehouse/contract'
import type { EndpointValidation, ServedApi, ServedEndpoint } from '@gatehouse/contract'
import type { Row } from '../../db/tables.ts'
import { AppError, fieldError } from '../../kernel/app-error.ts'
import type { Stores } from '../../stores.ts'

/** What the document of an endpoint is written from; the screens do not get its schemas. */
export type DocumentedEndpoint = ServedEndpoint & { validation: EndpointValidation | null }
export type DocumentedApi = Omit<ServedApi, 'endpoints'> & { endpoints: DocumentedEndpoint[] }
export type DocumentedApis = Omit<ConsumerDocs, 'apis'> & { apis: DocumentedApi[] }

/** What the docs say of an API and an endpoint; undefined where the gateway can't serve it. */
export interface Described {
  api: (row: Row<'api'>) => Omit<ServedApi, 'endpoints' | 'takes_jwts'> | undefined
  endpoint: (row: Row<'endpoint'>, api: Row<'api'>) => Omit<DocumentedEndpoint, 'url'> | undefined
}

export interface DocsScope {
  role: { id: number; name: string } | undefined
  apiId: number | undefined
}

/** Throws a 404 where there is no such API, and a 422 where there are too many endpoints. */
export async function readServed(
  { apis, consumerDocs, issuers }: Pick<Stores, 'apis' | 'consumerDocs' | 'issuers'>,
  { role, apiId }: DocsScope,
  described: Described,
  gatewayUrl: string,
): Promise<DocumentedApis> {
  const named = apiId === undefined ? undefined : await apis.find(apiId)
  if (apiId !== undefined && !named) throw new AppError('api.not_found')
  const roleId = role?.name === superAdminRole ? undefined : role?.id
  const rows = await consumerDocs.listServed({ roleId, apiId, limit: consumerDocsMax + 1 })
  if (rows.length > consumerDocsMax) {
    const message = `There are more than ${consumerDocsMax} endpoints. Choose a role or an API with fewer.`
    throw fieldError({ [apiId === undefined ? 'api_id' : 'role_id']: [message] })
  }
  const byApi = Map.groupBy(rows, ({ api_id }) => api_id)
  const found = await apis.findAll([...byApi.keys()])
  const isGivenByJwt = (await issuers.listServed()).some(({ roles }) =>
    roles.some(({ role_id }) => role === undefined || role_id === role.id),
  )
  const served = found.flatMap((api) => {
    const head = described.api(api)
    const base = `${gatewayUrl}/${api.context}`
    const endpoints = (byApi.get(api.id) ?? []).flatMap((row) => {
      const endpoint = described.endpoint(row, api)
      return endpoint ? [{ ...endpoint, url: base + endpoint.path }] : []
    })
    return head && endpoints.length > 0
      ? [
          {
            ...head,
            takes_jwts: isGivenByJwt && !head.is_signed,
            endpoints: endpoints.toSorted(byPathAndMethod),
          },
        ]
      : []
  })
  return {
    title: titleOf(named?.name, role?.name),
    gateway_url: gatewayUrl,
    apis: served.toSorted((one, other) => compare(one.context, other.context)),
  }
}

const titleOf = (api: string | undefined, role: string | undefined) =>
  [api ?? 'All APIs', role].filter((part) => part !== undefined).join(' for ')

const byPathAndMethod = (one: ServedEndpoint, other: ServedEndpoint) =>
  compare(one.path, other.path) || compare(one.method_type, other.method_type)

/** By code units: the same on every machine. */
const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)
