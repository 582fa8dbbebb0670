import { signIn } from '../../e2e/harness/run-product.ts'
import type { Product } from '../../e2e/harness/run-product.ts'
import { cpuSeconds } from '../gateway/measure.ts'
import { median, quantile, rounded } from '../runs/figures.ts'

const timesEach = 20

/** Changes, one after the other. Each is in force at every worker when it is answered. */
export async function measureChanges(product: Product) {
  const call = await signIn(product.url)
  const pid = product.controlPid()
  const rows = []
  const first: number[] = []
  for (let at = 0; at < 4; at++) {
    const began = performance.now()
    const { status } = await call('POST', '/api/endpoint', endpointOf(`first-${Date.now()}-${at}`))
    first.push(status)
    rows.push({
      what: `change ${at + 1} after the start: ${status}`,
      figure: rounded(performance.now() - began),
      goal: 'ms until in force' as const,
    })
  }
  const changes: Record<string, (at: number) => Promise<{ status: number; body: unknown }>> = {
    'an endpoint is added': (at) =>
      call('POST', '/api/endpoint', endpointOf(`added-${Date.now()}-${at}`)),
    'an API is added': (at) => call('POST', '/api/apis', apiOf(`Added ${Date.now()} ${at}`)),
    'a role gets an endpoint': (at) =>
      call('POST', '/api/api-permission/bulk', { role_id: 20, endpoints: [9_000 + at] }),
    'the largest role loses and gets one': async (at) => {
      const role = await largestRole(call)
      return call('PUT', `/api/api-permission/${role}/update`, {
        difference: at % 2 === 0 ? { remove: [77] } : { add: [77] },
      })
    },
    'a role is added': (at) =>
      call('POST', '/api/role', { name: `Added ${Date.now()} ${at}`, permissions: [] }),
    'a user gets other roles': async () => {
      const { body } = await call('GET', '/api/user/1000/edit')
      const { user } = body as { user: { name: string; email: string; version: number } }
      return call('PUT', '/api/user/1000', { ...user, roles: [20, 21] })
    },
  }
  for (const [what, change] of Object.entries(changes)) {
    const times: number[] = []
    const before = cpuSeconds(pid)
    for (let at = 0; at < timesEach; at++) {
      const began = performance.now()
      const { status, body } = await change(at)
      times.push(performance.now() - began)
      if (status >= 300) console.error(`${what}: ${status} ${JSON.stringify(body).slice(0, 300)}`)
    }
    rows.push({
      what,
      figure: rounded(quantile(times, 0.95)),
      goal: 'ms until in force' as const,
      'p50, ms': rounded(median(times)),
      'CPU, ms': rounded(((cpuSeconds(pid) - before) * 1000) / timesEach),
    })
  }
  return rows
}

type Call = Awaited<ReturnType<typeof signIn>>

let largest: number | undefined

async function largestRole(call: Call): Promise<number> {
  if (largest !== undefined) return largest
  const { body } = await call('GET', '/api/role?limit=100&search=Branch')
  const [{ data }] = body as [{ data: { id: number }[] }]
  largest = Math.min(...data.map(({ id }) => id))
  return largest
}

const endpointOf = (name: string) => ({
  api_id: 1,
  method_type: 'post',
  status: 'active',
  path: `/created/${name}`,
  summery: `Created ${name}`,
  description: 'Sends one invoice',
  enable_custom_output: 0,
  custom_output: '',
  authentication: 0,
})

const apiOf = (name: string) => ({
  name,
  api_protocol: 'http',
  gateway_status: 'active',
  api_access: 'internally',
  authentication: false,
  api_url: 'http://127.0.0.1:9',
  func_name: '',
})
