import { signIn } from '../run-product.ts'

/** One API with this many endpoints. */
export async function sampleProduct(url: string, endpoints: number): Promise<void> {
  const call = await signIn(url)
  const create = async (path: string, body: object) => {
    const answer = await call('POST', path, body)
    if (answer.status !== 201) throw new Error(`${path}: ${JSON.stringify(answer)}`)
    return (answer.body as { id: number }).id
  }
  const api_id = await create('/api/apis', {
    name: 'Ledger',
    api_protocol: 'http',
    gateway_status: 'active',
    api_access: 'internally',
    api_url: 'http://127.0.0.1:9',
  })
  for (let at = 1; at <= endpoints; at++)
    await create('/api/endpoint', {
      api_id,
      method_type: 'post',
      status: 'active',
      path: `/documents/${at}`,
      summery: `Filled invoice ${at}`,
      description: `Sends the invoice ${at}`,
    })
}
