import { randomUUID } from 'node:crypto'
import type { Call } from '../run-product.ts'
import { answerTimeoutMs, type HostileAuthority } from './authorities.ts'

const rule = (value: string) => ({
  statuses: '',
  join: 'all',
  conditions: [{ path: 'status', test: 'equals', value }],
})

/** A workflow as it was saved, to be saved again with other limits. */
interface SavedWorkflow {
  id: number
  definition: Record<string, unknown> & { lane: Record<string, unknown> }
}

type Create = (path: string, body: unknown) => Promise<Record<string, unknown>>

/** Makes calls that have to succeed. */
export const creating =
  (call: Call): Create =>
  async (path, body) => {
    const answer = await call('POST', path, body)
    if (answer.status !== 201) throw new Error(`${path}: ${JSON.stringify(answer)}`)
    return answer.body as Record<string, unknown>
  }

/** Registers an authority with its endpoints, and a workflow that sends documents there. */
export async function registerWorkflow(
  call: Call,
  authority: HostileAuthority,
  url: string,
): Promise<SavedWorkflow> {
  const create = creating(call)
  const { name, lane, isCareful } = authority
  const ids = await registerEndpoints(create, authority, url)
  const invoice = '{"reference":"{{input.no}}","total":"{{input.total}}"}'
  const template = (text: string) => ({ kind: 'template', text })
  const definition = {
    name: `Invoices of ${name}`,
    slug: name,
    kind: 'tax',
    status: 'active',
    reference_path: 'no',
    order_key_path: 'customer',
    lane: { name, ...lane },
    steps: [
      // One of them looks up the customer first.
      ...(isCareful
        ? [{ endpoint_id: ids.customer, body: template('{"id":"{{input.customer}}"}') }]
        : []),
      { endpoint_id: ids.invoices, body: template(invoice) },
    ],
  }
  const { id } = await create('/api/workflows', definition)
  return { id: Number(id), definition }
}

async function registerEndpoints(create: Create, authority: HostileAuthority, url: string) {
  const { name, isCareful, decidesAfterMs } = authority
  const api = await create('/api/apis', {
    name,
    api_protocol: 'http',
    gateway_status: 'active',
    api_access: 'internally',
    api_url: url,
    connect_timeout_ms: 1_000,
    answer_timeout_ms: answerTimeoutMs,
  })
  const endpoint = async (method_type: string, path: string, run_settings?: object) => {
    const summery = `${name}: ${method_type} ${path}`
    const about = {
      api_id: api['id'],
      method_type,
      path,
      summery,
      authentication: 0,
      description: summery,
    }
    const made = await create('/api/endpoint', { ...about, status: 'active', run_settings })
    return Number(made['id'])
  }
  const [customer, status] = await Promise.all([
    endpoint('get', '/customers/{id}'),
    endpoint('get', '/status/{reference}'),
  ])
  const invoices = await endpoint('post', '/invoices', {
    success_rule: rule('ACCEPTED'),
    status_query: statusQuery(status),
    idempotency_header: 'Idempotency-Key',
    reference_path: 'reference',
    authority_reference_path: 'number',
    ...(isCareful ? knowsDuplicates : {}),
    ...(decidesAfterMs > 0 ? decidesLater : {}),
  })
  return { customer, invoices }
}

const statusQuery = (endpoint_id: number) => ({
  endpoint_id,
  parameter: 'reference',
  received: rule('ACCEPTED'),
  not_received: rule('UNKNOWN'),
  pending: rule('DECIDING'),
  rejected: rule('REJECTED'),
  message_path: 'errors[*]',
  reference_path: 'number',
  // They store a document as soon as it arrives, or never.
  quiet_seconds: 1,
})

const knowsDuplicates = {
  is_duplicate_safe: true,
  duplicate_rule: { statuses: '409', join: 'all', conditions: [] },
}

const decidesLater = {
  pending: { rule: rule('TAKEN'), first_after_seconds: 1, factor: '1.5', max_every_seconds: 5 },
}

/** Users who can't do anything but run these workflows, and a personal token of each. */
export async function registerMachines(
  call: Call,
  workflows: readonly SavedWorkflow[],
  count: number,
): Promise<string[]> {
  const create = creating(call)
  const role = await create('/api/role', { name: 'Machines', permissions: [] })
  const access = { workflows: workflows.map(({ id }) => id) }
  await call('PUT', `/api/api-permission/${Number(role['id'])}/update`, access)
  const machine = async (_: unknown, number: number) => {
    const name = `machine-${number}`
    const password = randomUUID()
    const user = await create('/api/user', {
      name,
      username: name,
      email: `${name}@example.com`,
      password,
      password_confirmation: password,
      roles: [role['id']],
    })
    const made = await create('/admin/token/store', { user: user['id'], name })
    return (made['access_token'] as { token: string }).token
  }
  return Promise.all(Array.from({ length: count }, machine))
}

/** Saves the workflows again without limits, so that what is left is soon carried out. */
export async function liftLimits(call: Call, workflows: readonly SavedWorkflow[]): Promise<void> {
  const none = { per_second: null, per_minute: null, per_hour: null }
  for (const { id, definition } of workflows) {
    const lane = { ...definition.lane, ...none }
    const answer = await call('PUT', `/api/workflows/${id}`, { ...definition, lane })
    if (answer.status !== 200) throw new Error(`workflow ${id}: ${JSON.stringify(answer)}`)
  }
}
