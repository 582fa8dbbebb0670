import { setTimeout as delay } from 'node:timers/promises'
import { creating } from '../hostile-workflows/register-workflows.ts'
import type { Call } from '../run-product.ts'
import { changed } from '../soak/changed.ts'

interface Server {
  call: Call
  gatewayUrl: string
}

/** A change that one server makes reaches the gateway of the other within this time. */
const reachesMs = 10_000
const pauseMs = 1_000

/** Changes an endpoint through one server after the other; each change has to be what all gateways answer. */
export async function changeInTurn(
  servers: readonly Server[],
  durationMs: number,
): Promise<{ count: number; faults: string[] }> {
  const faults: string[] = []
  const create = creating(servers[0]!.call)
  const about = { api_protocol: 'http', gateway_status: 'active', api_access: 'internally' }
  const api_url = 'http://127.0.0.1:9'
  const { id: api_id } = await create('/api/apis', { ...about, name: 'Turns', api_url })
  const definition = (text: string) => ({
    api_id,
    method_type: 'get',
    status: 'active',
    path: '/turn',
    authentication: 0,
    summery: 'Turn',
    description: 'Turn',
    enable_custom_output: 1,
    custom_output: JSON.stringify(text),
  })
  const { id } = await create('/api/endpoint', definition('first'))
  let count = 0
  for (const endsAt = performance.now() + durationMs; performance.now() < endsAt; count++) {
    const text = `change ${count}`
    const { call } = servers[count % servers.length]!
    await changed(call('PUT', `/api/endpoint/${String(id)}`, definition(text)))
    for (const { gatewayUrl } of servers)
      if (!(await answers(`${gatewayUrl}/turns/turn`, JSON.stringify(text))))
        faults.push(`${text} is not what ${gatewayUrl} answers`)
    await delay(pauseMs)
  }
  return { count, faults }
}

async function answers(url: string, text: string): Promise<boolean> {
  for (const endsAt = performance.now() + reachesMs; performance.now() < endsAt; await delay(20)) {
    const answer = await fetch(url).catch(() => undefined)
    if ((await answer?.text()) === text) return true
  }
  return false
}
