import { endpointDefinition, newApiDefinition } from '@gatehouse/contract'

/** The sample service as an administrator would register it. Only internal networks may call it. */
export const sampleApi = (name: string, url: string) =>
  newApiDefinition.parse({
    name,
    api_protocol: 'http',
    authentication: false,
    auth_type: '',
    gateway_status: 'active',
    api_access: 'internally',
    api_url: url,
  })

const described = [
  ['get', '/invoices', 'List sample invoices', 'Three invented invoices.'],
  ['get', '/invoices/{number}', 'One sample invoice', 'For example INV-1001.'],
  ['post', '/echo', 'Echo', 'Answers with what reached the upstream: path, headers and body.'],
] as const

/** The gateway asks for a token at each. */
export const sampleEndpoints = (apiId: number) =>
  described.map(([method_type, path, summery, description]) =>
    endpointDefinition.parse({
      api_id: apiId,
      method_type,
      status: 'active',
      path,
      summery,
      description,
      enable_custom_output: false,
      custom_output: '',
      authentication: true,
    }),
  )
