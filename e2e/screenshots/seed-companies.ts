import type { Call } from '../harness/run-product.ts'

export interface Made {
  id: number
}

/** A refusal fails the caller. */
export async function must<Answer>(call: Call, path: string, body: object): Promise<Answer> {
  const answer = await call('POST', path, body)
  if (answer.status >= 400) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
  return answer.body as Answer
}

/**
 * A second company whose numbers are those of the first, in a register of its own, and a program of it whose runs a
 * person releases. The addresses of a run that waits for its release, and of one whose outcome is unknown.
 */
export async function seedCompanies(call: Call, url: string): Promise<string[]> {
  const endpoints = await seedSecondCompany(call)
  const waiting = await seedRelease(call, url, endpoints)
  const { body } = await call('GET', '/api/runs?state=unknown')
  const [{ data }] = body as [{ data: Made[] }]
  return [waiting, ...data.slice(0, 1).map(({ id }) => id)].map(
    (id) => `/dashboard/admin/runs/${id}`,
  )
}

async function seedSecondCompany(call: Call) {
  const { body } = await call('GET', '/api/apis?search=Authority')
  const [{ data }] = body as [{ data: { submitted_data: string }[] }]
  const { api_url } = JSON.parse(data[0]?.submitted_data ?? '{}') as { api_url: string }
  const api = await must<Made>(call, '/api/apis', {
    name: 'Authority, second company',
    api_protocol: 'http',
    gateway_status: 'active',
    api_access: 'internally',
    api_url,
    document_register: 'Second company',
  })
  const endpoint = (method_type: string, path: string, summery: string, run_settings: object) =>
    must<Made>(call, '/api/endpoint', {
      api_id: api.id,
      method_type,
      path,
      summery,
      description: summery,
      status: 'active',
      authentication: 0,
      run_settings,
    })
  const status = await endpoint('get', '/invoices/{number}', 'Status of an invoice', {})
  const file = await endpoint('post', '/invoices', 'File an invoice, second company', {
    reference_path: 'reference',
    status_query: {
      endpoint_id: status.id,
      parameter: 'number',
      received: { statuses: '200-299' },
      not_received: { statuses: '404' },
    },
    healing: 'ask_and_send',
  })
  for (const reference of ['INV-2026-0002', 'INV-2026-0003'])
    await must(call, '/api/tax', {
      endpoint_1: { end_point: file.id, body: JSON.stringify({ reference, total: '12.00' }) },
    })
  return { file }
}

async function seedRelease(call: Call, url: string, { file }: { file: Made }): Promise<number> {
  const flow = await must<Made>(call, '/api/workflows', {
    name: 'Invoices of the second company',
    slug: 'second-company',
    kind: 'tax',
    status: 'active',
    reference_path: 'number',
    lane: { name: 'Second company' },
    needs_release: 'tokens',
    steps: [
      {
        endpoint_id: file.id,
        body: {
          kind: 'template',
          text: '{"reference":"{{input.number}}","total":"{{input.total}}"}',
        },
      },
    ],
  })
  const role = await must<Made>(call, '/api/role', { name: 'ERP', permissions: [] })
  await call('PUT', `/api/api-permission/${role.id}/update`, {
    endpoints: [],
    workflows: [flow.id],
  })
  const password = 'a long enough pass phrase'
  const user = await must<Made>(call, '/api/user', {
    name: 'ERP of the second company',
    email: 'erp@example.com',
    username: 'erp',
    password,
    password_confirmation: password,
    roles: [role.id],
  })
  const { access_token } = await must<{ access_token: { token: string } }>(
    call,
    '/admin/token/store',
    { user: user.id, name: 'ERP' },
  )
  const start = async (headers: Record<string, string>, body: object) => {
    const answer = await fetch(`${url}/api/workflows/second-company/runs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    return (await answer.json()) as { run: Made }
  }
  // A person's needs no release, and is what the next one is compared with.
  await call('POST', '/api/workflows/second-company/runs', { number: 'S-1', total: '10.00' }, soon)
  const { run } = await start(
    { authorization: `Bearer ${access_token.token}`, 'idempotency-key': 'second-company-2' },
    { number: 'S-2', total: '99000.00' },
  )
  return run.id
}

const soon = { prefer: 'wait=30' }
