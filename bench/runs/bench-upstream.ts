import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Call } from '../../e2e/harness/run-product.ts'

const script = fileURLToPath(new URL('upstream-process.ts', import.meta.url))

interface BenchUpstream {
  url: string
  stop(): Promise<void>
}

/** Starts the authority that all runs are sent to, as its own process. */
export async function startBenchUpstream(): Promise<BenchUpstream> {
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const [port] = (await once(createInterface(child.stdout), 'line')) as [string]
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** Registers the authority with four endpoints, of which the second takes documents. Returns their ids. */
export async function registerSteps(call: Call, url: string): Promise<number[]> {
  const create = async (path: string, body: unknown) => {
    const answer = await call('POST', path, body)
    if (answer.status !== 201) throw new Error(`${path}: ${JSON.stringify(answer)}`)
    return (answer.body as { id: number }).id
  }
  const api_id = await create('/api/apis', {
    name: 'Bench authority',
    api_protocol: 'http',
    gateway_status: 'active',
    api_access: 'internally',
    api_url: url,
  })
  const ids: number[] = []
  for (const name of ['customer', 'invoice', 'payment', 'receipt']) {
    ids.push(
      await create('/api/endpoint', {
        api_id,
        method_type: 'post',
        status: 'active',
        path: `/${name}`,
        authentication: 0,
        summery: `Report ${name}`,
        description: `Report ${name}`,
        ...(name === 'invoice' ? { run_settings: { reference_path: 'reference' } } : {}),
      }),
    )
  }
  return ids
}

/** The body of a step, a small invoice; `reference` makes it one of a kind. */
export const bodyOf = (reference: string, ofEarlier = ''): string =>
  JSON.stringify({
    reference,
    customer: ofEarlier || 'C-1',
    currency: 'SAR',
    lines: Array.from({ length: 10 }, (_, index) => ({
      sku: `SKU-${index}`,
      name: `Item number ${index} of the invoice`,
      quantity: index + 1,
      price: '19.90',
      tax: '15.00',
    })),
  })

/** Four steps; the second takes a value from the first answer. */
export function bundleOf(endpoints: readonly number[], reference: string) {
  const body = (position: number) => bodyOf(reference, position === 2 ? '{{steps.1.body.id}}' : '')
  return Object.fromEntries(
    endpoints.map((end_point, index) => [
      `endpoint_${index + 1}`,
      { end_point, body: body(index + 1) },
    ]),
  )
}
