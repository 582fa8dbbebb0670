import type { Call } from '../../e2e/harness/run-product.ts'
import type { Place } from './plan-run.ts'

type Workflow = NonNullable<Place['workflow']>

const apis = [
  { name: 'Authority of invoices', endpoints: ['Report invoice', 'Clear invoice'] },
  { name: 'Authority of notes', endpoints: ['Report credit note', 'Register customer'] },
]

const workflows = [
  { slug: 'report-invoices', name: 'Report invoices', kind: 'tax', endpoint: 1 },
  { slug: 'clear-invoices', name: 'Clear invoices', kind: 'tax', endpoint: 2 },
  { slug: 'credit-notes', name: 'Report credit notes', kind: 'credit', endpoint: 3 },
  { slug: 'branch-invoices', name: 'Invoices of branches', kind: 'tax', endpoint: 1 },
  { slug: 'customers', name: 'Register customers', kind: 'general', endpoint: 4 },
] as const

/** Registers APIs, endpoints and workflows in an empty product. Nothing is sent: all lanes are paused. */
export async function registerWorkflows(call: Call): Promise<Workflow[]> {
  const create = async (path: string, body: unknown) => {
    const answer = await call('POST', path, body)
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer)}`)
    return (answer.body as { id: number }).id
  }
  const endpoints: number[] = []
  for (const api of apis) endpoints.push(...(await registerApi(create, api)))
  const made: Workflow[] = []
  for (const each of workflows) {
    const { slug, name, kind } = each
    const endpoint = endpoints[each.endpoint - 1] ?? 0
    const body = { kind: 'template', text: '{"invoiceNumber":"{{input.number}}"}' }
    const id = await create('/api/workflows', {
      name,
      slug,
      kind,
      status: 'active',
      lane: { name: slug },
      reference_path: kind === 'general' ? '' : 'number',
      steps: [{ endpoint_id: endpoint, body }],
    })
    made.push({ id, slug, kind, endpoint, lane: 0, takesXml: slug === 'clear-invoices' })
  }
  const { lanes } = (await call('GET', '/api/lanes')).body as {
    lanes: { id: number; name: string }[]
  }
  for (const { id } of lanes) await create(`/api/lanes/${id}/pause`, { reason: 'It is measured.' })
  return made.map((each) => ({
    ...each,
    lane: lanes.find(({ name }) => name === each.slug)?.id ?? 0,
  }))
}

async function registerApi(
  create: (path: string, body: unknown) => Promise<number>,
  { name, endpoints }: (typeof apis)[number],
): Promise<number[]> {
  const api_id = await create('/api/apis', {
    name,
    api_protocol: 'http',
    gateway_status: 'active',
    api_access: 'internally',
    api_url: 'http://127.0.0.1:9',
  })
  const ids: number[] = []
  for (const summery of endpoints)
    ids.push(
      await create('/api/endpoint', {
        api_id,
        method_type: 'post',
        status: 'active',
        path: `/${summery.toLowerCase().replaceAll(' ', '-')}`,
        summery,
        authentication: 0,
        description: summery,
        run_settings: { reference_path: 'invoiceNumber' },
      }),
    )
  return ids
}
