import type { Call } from '../run-product.ts'
import { answerTimeoutMs } from './run-authority.ts'

const condition = (path: string, value: string) => ({ path, test: 'equals', value })
const rule = (value: string) => ({
  statuses: '',
  join: 'all',
  conditions: [condition('status', value)],
})

export interface AuthorityEndpoints {
  customer: number
  /** Takes a document as often as it is sent. */
  careless: number
  /** Knows a document by its key. */
  careful: number
}

/** Registers the authority and its endpoints, with the run settings that its answers call for. */
export async function registerEndpoints(call: Call, url: string): Promise<AuthorityEndpoints> {
  const create = async (path: string, body: unknown) => {
    const answer = await call('POST', path, body)
    if (answer.status !== 201) throw new Error(`${path}: ${JSON.stringify(answer)}`)
    return (answer.body as { id: number }).id
  }
  const api_id = await create('/api/apis', {
    name: 'Authority',
    api_protocol: 'http',
    gateway_status: 'active',
    api_access: 'internally',
    api_url: url,
    answer_timeout_ms: answerTimeoutMs,
  })
  const endpoint = (method_type: string, path: string, run_settings?: object) =>
    create('/api/endpoint', {
      api_id,
      method_type,
      status: 'active',
      path,
      authentication: 0,
      summery: `${method_type} ${path}`,
      description: `${method_type} ${path}`,
      ...(run_settings ? { run_settings } : {}),
    })
  const customer = await endpoint('get', '/customers/{id}')
  const status = await endpoint('get', '/status/{reference}')
  const submission = {
    success_rule: rule('ACCEPTED'),
    status_query: {
      endpoint_id: status,
      parameter: 'reference',
      received: rule('ACCEPTED'),
      not_received: rule('UNKNOWN'),
      reference_path: 'number',
      // It stores a document as soon as it arrives, or never.
      quiet_seconds: 1,
    },
    idempotency_header: 'Idempotency-Key',
    reference_path: 'reference',
    authority_reference_path: 'number',
  }
  return {
    customer,
    careless: await endpoint('post', '/invoices', submission),
    careful: await endpoint('post', '/careful/invoices', {
      ...submission,
      is_duplicate_safe: true,
      duplicate_rule: { statuses: '409', join: 'all', conditions: [] },
    }),
  }
}
