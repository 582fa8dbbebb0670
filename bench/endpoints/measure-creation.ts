import { signIn } from '../../e2e/harness/run-product.ts'
import { median, quantile, rounded } from '../runs/figures.ts'

const warmUp = 30
const creations = 150

type Call = Awaited<ReturnType<typeof signIn>>

/** Makes the API that all endpoints belong to, with the first of them. */
export async function makeFirst(url: string): Promise<void> {
  const call = await signIn(url)
  const api = await made(call, '/api/apis', {
    name: 'Filled',
    api_protocol: 'http',
    gateway_status: 'active',
    api_access: 'internally',
    authentication: false,
    api_url: 'http://127.0.0.1:9',
    func_name: '',
  })
  await made(call, '/api/endpoint', endpointOf(api, 'first'))
}

/** Creates endpoints one after the other; each is in force when it is answered. In ms. */
export async function measureCreation(url: string, apiId = 1) {
  const call = await signIn(url)
  const own = `run-${Date.now()}`
  const times: number[] = []
  for (let at = 0; at < warmUp + creations; at++) {
    const began = performance.now()
    await made(call, '/api/endpoint', endpointOf(apiId, `${own}-${at}`))
    if (at >= warmUp) times.push(performance.now() - began)
  }
  return {
    'a creation, p50 ms': rounded(median(times)),
    'p90 ms': rounded(quantile(times, 0.9)),
    'mean ms': rounded(times.reduce((sum, each) => sum + each, 0) / times.length),
  }
}

async function made(call: Call, path: string, body: unknown): Promise<number> {
  const answer = await call('POST', path, body)
  if (answer.status !== 201)
    throw new Error(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return (answer.body as { id: number }).id
}

const endpointOf = (api_id: number, name: string) => ({
  api_id,
  method_type: 'post',
  status: 'active',
  path: `/created/${name}`,
  summery: `Created ${name}`,
  description: 'Sends one invoice',
  enable_custom_output: 0,
  custom_output: '',
  authentication: 0,
})
