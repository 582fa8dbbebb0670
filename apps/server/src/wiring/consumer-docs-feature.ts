import { compileOutput } from '@gatehouse/contract/custom-output'
import { noTrafficPolicy, type EndpointParameter } from '@gatehouse/contract'
import type { AppCore, AppOptions } from '../app-core.ts'
import type { Row } from '../db/tables.ts'
import { fromColumns as fromApi } from '../features/apis/api-columns.ts'
import { createConsumerDocs } from '../features/consumer-docs/create-consumer-docs.ts'
import type { Described } from '../features/consumer-docs/served-docs.ts'
import { fromColumns, parametersOf } from '../features/endpoints/endpoint-columns.ts'
import type { SecretBox } from '../kernel/secret-box.ts'
import { faultOf } from '../publishing/snapshot-api.ts'
import { toSnapshotEndpoint } from '../publishing/snapshot-endpoint.ts'

/** Wires the docs of what the gateway serves: by what is published to it. */
export function createConsumerDocsFeature(core: AppCore, { secrets, settings }: AppOptions) {
  const { inTransaction, clock } = core.common
  const { gatewayUrl } = settings
  return createConsumerDocs({
    inTransaction,
    clock,
    gatewayUrl,
    described: describedBy(secrets),
  })
}

const describedBy = (secrets: SecretBox): Described => ({
  api: (row) => {
    if (faultOf(row, secrets) !== null) return undefined
    const { name, api_access, traffic_policy } = fromApi(row)
    const limit = traffic_policy?.rate_limit
    return {
      name,
      context: row.context,
      is_internal: api_access === 'internally',
      key_header: traffic_policy?.api_key?.header ?? null,
      is_signed: (traffic_policy?.signature ?? null) !== null,
      asks_certificate: (traffic_policy?.client_certificates ?? null) !== null,
      rate_limit: limit ? { requests: limit.requests, window_seconds: limit.window_seconds } : null,
    }
  },
  endpoint: (row, api) => {
    const served = toSnapshotEndpoint(row)
    if (!served) return undefined
    const { method_type, path, summery, description } = fromColumns(row)
    const requires_token = api.authentication === 1 || served.requires_token
    const parameters = parametersOf(row).filter(isTaken(row, api, requires_token))
    // Not of a mock: that is an example of the schema of answers, which the document has.
    const answers = row.custom_output === null ? null : mediaTypeOf(row.custom_output)
    const { validation } = served
    const checked = { requires_token, answers, validation }
    return { method_type, path, summery, description, parameters, ...checked }
  },
})

function mediaTypeOf(customOutput: string): string | null {
  const output = compileOutput(customOutput)
  return output.kind === 'broken' ? null : (output.contentType.split(';')[0] ?? null)
}

/** False for headers that the gateway sets itself: what a client sends there goes no further. */
function isTaken(row: Row<'endpoint'>, api: Row<'api'>, requiresToken: boolean) {
  const ofApi = fromApi(api)
  const headers = [
    ...(fromColumns(row).static_headers ?? []),
    ...('static_headers' in ofApi ? (ofApi.static_headers ?? []) : []),
  ]
  const names = new Set(headers.map(({ name }) => name.toLowerCase()))
  if (requiresToken) names.add('authorization')
  const { api_key } = ofApi.traffic_policy ?? noTrafficPolicy
  if (api_key) names.add(api_key.header.toLowerCase())
  return ({ in: place, name }: EndpointParameter) =>
    place !== 'header' || !names.has(name.toLowerCase())
}
