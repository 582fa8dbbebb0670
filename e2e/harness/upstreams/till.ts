import type { Call } from '../run-product.ts'

/** `GET /till/hello`, which the gateway answers itself. */
export interface Till {
  apiId: number
  endpointId: number
  /** Changes what it answers, by this caller or by the one that made it. */
  change(text: string, by?: Call): ReturnType<Call>
  /** Stores a secret for its upstream. */
  changeSecret(token: string, by?: Call): ReturnType<Call>
}

const apiOf = (name: string, changes: object) => ({
  name,
  api_protocol: 'http',
  gateway_status: 'active',
  api_access: 'internally',
  api_url: 'http://127.0.0.1:9',
  ...changes,
})

const endpointOf = (api_id: number, text: string, changes: object) => ({
  api_id,
  method_type: 'get',
  status: 'active',
  path: '/hello',
  authentication: 0,
  summery: 'Hello',
  description: 'Says hello',
  enable_custom_output: 1,
  custom_output: JSON.stringify(text),
  ...changes,
})

interface TillOptions {
  /** Its path is made of it. */
  name?: string
  text?: string
  /** Further fields of the API. */
  api?: object
  /** Further fields of the endpoint, as that it needs a token. */
  endpoint?: object
}

/** Registers it. Throws where that is refused. */
export async function makeTill(call: Call, options: TillOptions = {}): Promise<Till> {
  const { name = 'Till', text = 'first', api = {}, endpoint = {} } = options
  const create = async (path: string, body: object) => {
    const answer = await call('POST', path, body)
    if (answer.status !== 201) throw new Error(`${path}: ${JSON.stringify(answer)}`)
    return (answer.body as { id: number }).id
  }
  const apiId = await create('/api/apis', apiOf(name, api))
  const endpointId = await create('/api/endpoint', endpointOf(apiId, text, endpoint))
  return {
    apiId,
    endpointId,
    change: (next, by = call) =>
      by('PUT', `/api/endpoint/${endpointId}`, endpointOf(apiId, next, endpoint)),
    changeSecret: (token, by = call) => {
      const credential = { kind: 'bearer', token }
      const secret = { authentication: 1, auth_type: 'bearer_token', credential }
      return by('PUT', `/api/apis/${apiId}`, apiOf(name, { ...api, ...secret }))
    },
  }
}
