import { signIn } from './run-product.ts'

/** Creates records by calls, as the administrator, with what every journey gives them. Each answers the new id. */
export async function creatorOf(url: string) {
  const call = await signIn(url)
  const create = async (path: string, body: object): Promise<number> => {
    const answer = await call('POST', path, body)
    if (answer.status !== 201) throw new Error(`${path}: ${JSON.stringify(answer)}`)
    return (answer.body as { id: number }).id
  }
  return {
    call,
    create,
    /** An HTTP API; its context is made of its name. */
    createApi: (name: string, api_url: string, more: object = {}) =>
      create('/api/apis', {
        name,
        api_protocol: 'http',
        gateway_status: 'active',
        api_access: 'internally',
        api_url,
        ...more,
      }),
    createEndpoint: (
      api_id: number,
      [method_type, path, summery]: readonly [method: string, path: string, summery: string],
      more: object = {},
    ) =>
      create('/api/endpoint', {
        api_id,
        method_type,
        status: 'active',
        path,
        summery,
        authentication: 0,
        description: summery,
        ...more,
      }),
  }
}
