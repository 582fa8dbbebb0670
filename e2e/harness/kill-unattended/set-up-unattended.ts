import type { Call } from '../run-product.ts'
import { creating } from '../hostile-workflows/register-workflows.ts'

/** References of the schedules with a fixed input: each firing sends the same one again. */
const fixedReferences = ['DAY-1', 'DAY-2', 'DAY-3']

/** Schedules never fire by this expression while a proof runs; the proof brings their moments. */
const yearly = '0 0 1 1 *'

export interface SetUp {
  workflowId: number
  /** Ids of the schedules with a fixed input, by reference. */
  fixed: ReadonlyMap<string, number>
  list: number
  /** Signs the messages. */
  secret: string
}

/** A workflow that reports to the receiver, three schedules with a fixed input and one with a list. */
export async function setUpUnattended(call: Call, url: string): Promise<SetUp> {
  const create = creating(call)
  const endpoints = await setUpEndpoints(create, url)
  const workflow = await create('/api/workflows', {
    name: 'Reports',
    slug: 'reports',
    kind: 'general',
    status: 'active',
    reference_path: 'customer',
    callback: { url: `${url}/receiver` },
    lane: { name: 'reports', concurrency: 4, is_strict_order: false },
    steps: [
      {
        endpoint_id: endpoints.documents,
        body: { kind: 'template', text: '{"reference":"{{input.customer}}"}' },
      },
    ],
  })
  const workflowId = Number(workflow['id'])
  const common = { workflow_id: workflowId, cron: yearly, time_zone: 'UTC' }
  const schedule = async (name: string, start: object) => {
    const made = await create('/api/schedules', { ...common, name, ...start })
    return (made['schedule'] as { id: number }).id
  }
  const fixed = new Map<string, number>()
  for (const customer of fixedReferences) {
    const input = JSON.stringify({ customer })
    fixed.set(customer, await schedule(customer, { start: 'input', input }))
  }
  const list = await schedule('List', {
    start: 'list',
    input: '',
    list: {
      endpoint_id: endpoints.list,
      request: '{"since":"{{watermark}}"}',
      items_path: 'items',
      reference_path: 'no',
      watermark: { path: 'at', type: 'number', value: '0' },
    },
  })
  const { secret } = workflow['callback'] as { secret: string }
  return { workflowId, fixed, list, secret }
}

async function setUpEndpoints(create: ReturnType<typeof creating>, url: string) {
  const api = await create('/api/apis', {
    name: 'Outside',
    api_protocol: 'http',
    gateway_status: 'active',
    api_access: 'internally',
    api_url: url,
  })
  const endpoint = async (method_type: string, path: string, run_settings?: object) => {
    const about = {
      api_id: api['id'],
      method_type,
      path,
      authentication: 0,
      summery: path,
      description: path,
    }
    return Number(
      (await create('/api/endpoint', { ...about, status: 'active', run_settings }))['id'],
    )
  }
  return {
    list: await endpoint('get', '/list'),
    // What is proved is what comes before and after the call; others prove that a submit is sent once.
    documents: await endpoint('post', '/documents', { effect: 'idempotent' }),
  }
}
