import { signIn } from '../run-product.ts'

/** One API with this many endpoints. A document was sent, so that no list shows the first steps. */
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
  const createEndpoint = (at: number) =>
    create('/api/endpoint', {
      api_id,
      method_type: 'post',
      status: 'active',
      path: `/documents/${at}`,
      summery: `Filled invoice ${at}`,
      description: `Sends the invoice ${at}`,
    })
  const end_point = await createEndpoint(1)
  for (let at = 2; at <= endpoints; at++) await createEndpoint(at)
  // Nobody answers it. What counts is that there is a run.
  await call('POST', '/api/prepare-data', {
    end_point,
    first_endpoint: '{}',
    second_endpoint: '{"invoice":1}',
  })
  const steps = await call('GET', '/api/first-steps')
  if ((steps.body as { is_new: boolean }).is_new) throw new Error('The first steps are not over.')
}
