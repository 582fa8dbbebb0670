import type { Call } from '../run-product.ts'
import { creating } from '../hostile-workflows/register-workflows.ts'
import { companies, kinds, listWords, type Company, type Kind } from './kinds.ts'

const template = (text: string) => ({ kind: 'template', text })
const bodies: Record<Kind, string> = {
  zatca: '{"uuid":"{{input.no}}","total":"{{input.total}}"}',
  eta: '{"documents":[{"internalID":"{{input.no}}","total":"{{input.total}}"}]}',
  myinvois: '{"documents":"{{input.documents}}"}',
}

export const slugOf = (company: Company, kind: Kind) => `${company}-${kind}`

/** An API, two endpoints and a workflow for each company and kind. Each API has its own register. */
export async function registerCompanies(call: Call, url: string): Promise<void> {
  for (const company of companies)
    for (const kind of kinds) await registerOne(creating(call), url, company, kind)
}

async function registerOne(
  create: ReturnType<typeof creating>,
  url: string,
  company: Company,
  kind: Kind,
): Promise<void> {
  const name = slugOf(company, kind)
  const api = await create('/api/apis', {
    name,
    api_protocol: 'http',
    gateway_status: 'active',
    api_access: 'internally',
    api_url: `${url}/${company}/${kind}`,
    document_register: name,
    connect_timeout_ms: 1_000,
    answer_timeout_ms: 3_000,
    credential: {
      kind: 'oauth2_client_credentials',
      token_url: `${url}/${company}/token`,
      client_id: company,
      client_secret: `secret-of-${company}`,
    },
  })
  const endpoint = async (method_type: string, path: string, run_settings?: object) => {
    const text = `${name} ${path}`
    const about = { summery: text, description: text, authentication: 0, status: 'active' }
    const made = await create('/api/endpoint', {
      ...about,
      api_id: api['id'],
      method_type,
      path,
      run_settings,
    })
    return Number(made['id'])
  }
  const status = await endpoint('get', '/status')
  const submit = await endpoint('post', '/submit', settingsOf(kind, status))
  await create('/api/workflows', {
    name,
    slug: name,
    kind: 'tax',
    status: 'active',
    reference_path: 'no',
    order_key_path: 'customer',
    lane: { name, concurrency: 4, per_second: 40, is_strict_order: kind === 'zatca' },
    steps: [{ endpoint_id: submit, body: template(bodies[kind]) }],
  })
}

function settingsOf(kind: Kind, endpoint_id: number) {
  const healing = 'ask_and_send'
  const not_received = { statuses: '404', join: 'all', conditions: [] }
  if (kind === 'zatca')
    return {
      profile: 'zatca-clearance',
      healing,
      status_query: {
        endpoint_id,
        parameter: 'number',
        received: holds('clearanceStatus', 'equals', 'CLEARED'),
        not_received,
        quiet_seconds: 2,
      },
    }
  return {
    profile: kind,
    healing,
    status_query: {
      endpoint_id,
      parameter: 'submission',
      reference_parameter: 'number',
      received: holds('documentSummary', 'not_empty', ''),
      not_received,
      quiet_seconds: 2,
    },
    pending: {
      rule: { ...holds('acceptedDocuments', 'not_empty', ''), statuses: '200-299' },
      parameter_path: listWords[kind].submission,
      first_after_seconds: 2,
      factor: '1.5',
      max_every_seconds: 15,
    },
  }
}

const holds = (path: string, test: string, value: string) => ({
  statuses: '200',
  join: 'all',
  conditions: [{ path, test, value }],
})
