import type { Page } from 'playwright-core'
import { settle } from './open-as.ts'
import { must, seedCompanies, type Made } from '../screenshots/seed-companies.ts'
import { signIn, type Call } from './run-product.ts'

const longName = 'An interface with a name that is as long as authorities like them to be'

interface Place {
  url: string
  gatewayUrl: string
  endpoints: Record<string, number>
}

/**
 * Something to show for every screen: names that are short and far too long, outcomes of each kind. Answers the
 * screens that are worth a look beside the first of their kind.
 */
export async function seedScreens(place: Place): Promise<string[]> {
  const call = await signIn(place.url)
  await seedEndpoints(call)
  await seedRuns(call, place.endpoints)
  const workflow = await must<Made>(call, '/api/workflows', salesWorkflow(place.endpoints))
  await must(call, '/api/workflows', { ...salesWorkflow(place.endpoints), ...otherWorkflow })
  await seedUnattended(call, workflow.id, place.endpoints)
  await seedPeople(call, place.endpoints)
  await seedTraffic(call, place)
  return seedCompanies(call, place.url)
}

const endpoint = {
  api_id: 1,
  status: 'active',
  enable_custom_output: 0,
  custom_output: '',
  authentication: 0,
}

async function seedEndpoints(call: Call): Promise<void> {
  await must(call, '/api/endpoint', {
    ...endpoint,
    method_type: 'delete',
    path: `/${'a-segment-without-an-end/'.repeat(5)}{reference}`,
    summery: longName,
    description: longName.repeat(2),
  })
  // Enough for lists that scroll.
  for (const [at, noun] of nouns.entries())
    await must(call, '/api/endpoint', {
      ...endpoint,
      method_type: 'get',
      path: `/${noun}`,
      summery: `List ${noun}`,
      description: `Reads the ${noun} of a day.`,
      status: at % 9 === 4 ? 'disabled' : 'active',
    })
}

const nouns = ['branch', 'till', 'customer', 'product', 'price', 'stock', 'order', 'receipt']
  .flatMap((noun) => [`${noun}-totals`, `${noun}-changes`, `${noun}-drafts`, `${noun}-errors`])
  .concat(['posts', 'comments', 'albums', 'photos', 'todos', 'users', 'taxes', 'rates'])

/** Accepted, rejected, and one whose outcome is unknown. */
async function seedRuns(call: Call, endpoints: Place['endpoints']): Promise<void> {
  // The answer of a run that fails is an error too.
  const send = (summery: string, body: object) =>
    call('POST', '/api/tax', {
      endpoint_1: { end_point: endpoints[summery], body: JSON.stringify(body) },
    })
  await send('File an invoice', { reference: 'INV-2026-0001'.repeat(5), total: '1250.00' })
  for (const at of [2, 3, 4, 5])
    await send('File an invoice', { reference: `INV-2026-000${at}`, total: `${at}99.90`, vat: '7' })
  await send('Strict authority', { reference: 'INV-2026-0006', total: '18.40' })
  await send('Authority that cuts', { reference: 'INV-2026-0007', total: '7310.00' })
}

const salesWorkflow = (endpoints: Place['endpoints']) => ({
  name: 'Sales invoices',
  slug: 'sales',
  kind: 'tax',
  status: 'active',
  description: 'Files each sale of the tills with the authority.',
  input_schema: { type: 'object', properties: { number: { type: 'string' } } },
  sample_input: { number: 'INV-1', total: '10.00' },
  reference_path: 'number',
  lane: { name: 'Authority' },
  steps: [
    {
      endpoint_id: endpoints['File an invoice'],
      body: {
        kind: 'template',
        text: '{"reference":"{{input.number}}","total":"{{input.total}}"}',
      },
    },
  ],
})

const otherWorkflow = { name: longName, slug: 'long-name', description: longName, kind: 'general' }

/** What happens without a person: a schedule, a comparison, a file, channels. */
async function seedUnattended(
  call: Call,
  workflow: number,
  endpoints: Place['endpoints'],
): Promise<void> {
  await must(call, '/api/schedules', {
    workflow_id: workflow,
    name: 'Every morning',
    cron: '0 6 * * 1-5',
    time_zone: 'Europe/Berlin',
    start: 'input',
    input: '{"number":"INV-7"}',
  })
  await must(call, '/api/reconciliations', {
    name: 'Sales of the day',
    time_zone: 'Europe/Berlin',
    erp: {
      endpoint_id: endpoints['Read a post'],
      request: '{"id":"1"}',
      items_path: 'items',
      reference_path: 'number',
    },
  })
  await must(call, '/api/alarm-channels', {
    name: 'Operations',
    kind: 'webhook',
    is_on: true,
    tells_end: true,
    url: 'https://alarms.example.com/gatehouse',
  })
}

async function seedPeople(call: Call, endpoints: Place['endpoints']): Promise<void> {
  const role = await must<Made>(call, '/api/role', {
    name: 'Billing',
    permissions: ['dashboard.view', 'run.view'],
  })
  const password = 'a long enough pass phrase'
  for (const name of ['Ines Moreau', 'Kofi Mensah', 'Yusuf Al-Haddad', 'Maria Świątek'])
    await must(call, '/api/user', {
      name,
      email: `${name.split(' ')[0]?.toLowerCase()}@example.com`,
      username: name.split(' ')[0]?.toLowerCase(),
      password,
      password_confirmation: password,
      roles: [role.id],
    })
  const access = `/api/api-permission/${role.id}/update`
  await call('PUT', access, { endpoints: [endpoints['Read a post']] })
  await must(call, '/admin/token/store', { name: longName })
}

/** Requests through the gateway that pass, that are refused, and that meet nothing. */
async function seedTraffic(call: Call, { gatewayUrl }: Place): Promise<void> {
  const { body } = await call('GET', '/api/context?limit=100')
  const [{ data }] = body as [{ data: { endpoints: { summery: string; url: string }[] }[] }]
  const served = data.flatMap((each) => each.endpoints).filter(({ url }) => !url.includes('{'))
  for (const [at, { url }] of served.entries())
    await fetch(at % 6 === 0 ? `${gatewayUrl}/nothing` : url).catch(() => null)
}

async function loadScreen(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await settle(page)
}

/**
 * Every screen that a link of the menu, or of one of its screens, leads to. Of records of one kind it is the first,
 * beside those that are named.
 */
export async function findScreens(
  page: Page,
  named: readonly string[],
  look: (screen: string) => Promise<void> = async () => {},
  show = loadScreen,
): Promise<string[]> {
  const kinds = new Map<string, string>()
  // Behind a menu, behind a key, and a role whose access can be changed: the first one's can't.
  const own = new Set([ownRole, ...named])
  const waiting = ['/dashboard', '/dashboard/account', '/dashboard/admin/search', ...rare, ...own]
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const kind = own.has(path) ? path : path.replaceAll(/\d+/g, '#')
    if (kinds.has(kind)) continue
    kinds.set(kind, path)
    await show(page, path)
    await look(path)
    const links = await page
      .locator('a[href^="/dashboard"]')
      .evaluateAll((found) => found.map((link) => link.getAttribute('href') ?? ''))
    waiting.push(...links.map((link) => link.replace(/[?#].*/, '')))
  }
  return [...kinds.values()]
}

/** Behind _Rarely used_ of the menu. */
const rare = ['lanes', 'reconciliation', 'deliveries'].map((name) => `/dashboard/admin/${name}`)
const ownRole = '/dashboard/admin/api-permission/edit/2'
