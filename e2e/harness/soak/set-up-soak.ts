import { creating } from '../hostile-workflows/register-workflows.ts'
import type { Call } from '../run-product.ts'
import { changed } from './changed.ts'

export interface SoakSetUp {
  /** Changes what `GET /soak/custom` answers. */
  change: (text: string) => Promise<void>
  workflow: string
}

const paths = [
  ['get', '/hello', 0],
  ['get', '/events', 0],
  ['get', '/large', 0],
  ['post', '/upload', 0],
  ['get', '/cut', 0],
  // Wants a token.
  ['get', '/guarded', 1],
] as const

/** The endpoints that the load calls, below `/soak` of the gateway, and a workflow that reports its results. */
export async function setUpSoak(call: Call, upstreamUrl: string): Promise<SoakSetUp> {
  const create = creating(call)
  const api = await create('/api/apis', {
    name: 'Soak',
    api_protocol: 'http',
    gateway_status: 'active',
    api_access: 'internally',
    api_url: upstreamUrl,
  })
  const about = (method_type: string, path: string, authentication: number) => ({
    api_id: api['id'],
    method_type,
    path,
    authentication,
    status: 'active',
    summery: path,
    description: path,
  })
  const answer = (text: string) => ({
    ...about('get', '/custom', 0),
    enable_custom_output: 1,
    custom_output: JSON.stringify(text),
  })
  for (const [method, path, authentication] of paths)
    await create('/api/endpoint', {
      ...about(method, path, authentication),
      ...(path === '/guarded' ? { enable_custom_output: 1, custom_output: '"in"' } : {}),
    })
  const { id } = await create('/api/endpoint', answer('first'))
  const documents = { ...about('post', '/documents', 0), run_settings: { reference_path: 'no' } }
  return {
    change: async (text) => {
      await changed(call('PUT', `/api/endpoint/${String(id)}`, answer(text)))
    },
    workflow: await setUpWorkflow(create, documents, upstreamUrl),
  }
}

async function setUpWorkflow(create: ReturnType<typeof creating>, documents: object, url: string) {
  const endpoint = await create('/api/endpoint', documents)
  await create('/api/workflows', {
    name: 'Soak',
    slug: 'soak',
    kind: 'general',
    status: 'active',
    reference_path: 'no',
    callback: { url: `${url}/receiver` },
    lane: { name: 'soak', concurrency: 4, is_strict_order: false },
    steps: [
      { endpoint_id: endpoint['id'], body: { kind: 'template', text: '{"no":"{{input.no}}"}' } },
    ],
  })
  return 'soak'
}
