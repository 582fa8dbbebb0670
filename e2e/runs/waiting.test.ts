import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectAccessible, startJourney } from '../harness/journey.ts'
import { showScreen } from '../harness/open-as.ts'
import {
  runPatientAuthority,
  type PatientAuthority,
} from '../harness/patient-authority/run-patient-authority.ts'
import { signIn, type Call } from '../harness/run-product.ts'

// What waits is shown as it changes: an authority that is away, and one that decides later.

const journey = startJourney()
let authority: PatientAuthority
let call: Call
let invoices: number
let submissions: number
let lists: number
beforeAll(async () => {
  authority = await runPatientAuthority()
  call = await signIn(journey.url)
  const apiId = await create('/api/apis', {
    name: 'Authority',
    api_protocol: 'http',
    gateway_status: 'active',
    api_access: 'internally',
    api_url: authority.url,
  })
  const endpoint = (method_type: string, path: string, run_settings: object) =>
    create('/api/endpoint', {
      api_id: apiId,
      method_type,
      path,
      status: 'active',
      authentication: 0,
      summery: path,
      description: path,
      run_settings,
    })
  const status = await endpoint('get', '/submissions/{uid}', {})
  invoices = await endpoint('post', '/invoices', { reference_path: 'reference' })
  // Its answer names none of them.
  lists = await endpoint('post', '/lists', {
    documents: {
      items_path: 'documents',
      reference_path: 'no',
      accepted_path: 'accepted',
      rejected_path: 'rejected',
      answer_reference_path: 'no',
    },
  })
  submissions = await endpoint('post', '/submissions', decidedLater(status))
})
afterAll(() => authority?.stop())

async function create(path: string, body: object): Promise<number> {
  const answer = await call('POST', path, body)
  if (answer.status !== 201) throw new Error(`${path}: ${JSON.stringify(answer)}`)
  return (answer.body as { id: number }).id
}

const says = (value: string) => ({
  statuses: '200',
  conditions: [{ path: 'status', test: 'equals', value }],
})
/** Run settings of an endpoint that takes a document and decides later. */
const decidedLater = (status: number) => ({
  reference_path: 'reference',
  authority_reference_path: 'number',
  status_query: {
    endpoint_id: status,
    parameter: 'uid',
    received: says('VALID'),
    not_received: { statuses: '404' },
    pending: says('IN_PROGRESS'),
    reference_path: 'number',
  },
  pending: {
    rule: { statuses: '202' },
    parameter_path: 'submissionUid',
    first_after_seconds: 1,
    factor: 1,
    max_every_seconds: 1,
    give_up_minutes: 60,
  },
})

const workflow = (name: string, slug: string, endpointId: number) =>
  create('/api/workflows', {
    name,
    slug,
    kind: 'general',
    status: 'active',
    description: '',
    input_schema: null,
    sample_input: null,
    reference_path: 'number',
    order_key_path: '',
    lane: {
      name: slug,
      concurrency: 4,
      per_second: null,
      per_minute: null,
      per_hour: null,
      max_age_minutes: null,
      is_strict_order: false,
    },
    steps: [
      {
        endpoint_id: endpointId,
        body: { kind: 'template', text: '{"reference":"{{input.number}}"}' },
        condition: null,
      },
    ],
    callback: null,
  })

/** Starts a run as an ERP would; its id. */
async function start(slug: string, number: string): Promise<number> {
  const path = `/api/workflows/${slug}/runs`
  const answer = await call('POST', path, { number }, { 'idempotency-key': `key-of-${number}` })
  expect(answer.status).toBe(202)
  return (answer.body as { run: { id: number } }).run.id
}

/** Marks the document in the browser: a reload would lose the mark. */
const mark = (page: Page) => page.evaluate('void (document.documentElement.title = "the same")')
const isMarked = (page: Page) => page.evaluate('document.documentElement.title === "the same"')

it('an outage begins and ends in sight: the lane says when it tries, and what is queued is sent', async () => {
  const { page } = journey
  const id = await workflow('Sales invoices', 'sales', invoices)
  await showScreen(page, '/dashboard/admin/lanes')
  const lane = page.getByRole('region', { name: 'sales' })
  await lane.getByText('Idle', { exact: true }).waitFor()
  await mark(page)

  await authority.goAway()
  const numbers = ['INV-1', 'INV-2', 'INV-3']
  const runs = await Promise.all(numbers.map((number) => start('sales', number)))
  await lane.getByText('Outage', { exact: true }).waitFor()
  await lane.getByText(/tries in a row failed/).waitFor()
  await lane.getByText(/Next try:/).waitFor()
  await lane.getByText('Waiting').locator('xpath=following-sibling::dd').getByText('3').waitFor()
  await expectAccessible(page)
  expect(authority.accepted()).toEqual([])

  await authority.comeBack()
  // Its next try is seconds away: the pauses grow while it is away.
  await lane.getByText('Idle', { exact: true }).waitFor()
  await lane.getByText(/tries in a row failed/).waitFor({ state: 'detached' })
  expect(await isMarked(page)).toBe(true)
  await expect.poll(() => authority.accepted().toSorted()).toEqual(numbers)

  await showScreen(page, `/dashboard/admin/workflows/${id}`)
  await page.getByRole('link', { name: 'All 3 runs' }).click()
  await page.waitForURL(`**/dashboard/admin/runs?workflow=${id}`)
  const table = page.getByRole('table', { name: 'History' })
  for (const run of runs)
    await table
      .getByRole('row')
      .filter({ hasText: `View run ${run}` })
      .getByText('Succeeded')
      .first()
      .waitFor()
})

it('a run that the authority decides later becomes accepted while one looks at it', async () => {
  const { page } = journey
  await workflow('Submissions', 'submissions', submissions)
  const run = await start('submissions', 'SUB-1')
  await showScreen(page, `/dashboard/admin/runs/${run}`)
  await page.getByText(/has not decided yet/).waitFor()
  const step = page.getByRole('list', { name: 'Steps' })
  await step.getByText('S-1', { exact: true }).waitFor()
  await mark(page)
  // It is asked, and has not decided.
  await step.getByText(/times, last/).waitFor()
  await expectAccessible(page)

  await authority.decide()
  await page.getByText('Every step succeeded.').waitFor()
  await step.getByText('Next question').waitFor({ state: 'detached' })
  expect(await isMarked(page)).toBe(true)
  expect(authority.accepted()).toContain('SUB-1')
  await page.getByRole('link', { name: 'SUB-1' }).click()
  await page.getByRole('table').getByText('A-SUB-1').first().waitFor()
})

it('what became of each document is said in a table, and the run leaves the work list', async () => {
  const { page } = journey
  const documents = ['LIST-1', 'LIST-2', 'LIST-3']
  const body = JSON.stringify({ reference: 'LIST', documents: documents.map((no) => ({ no })) })
  const sent = await call('POST', '/api/tax', { endpoint_1: { end_point: lists, body } })
  expect(sent.status, JSON.stringify(sent.body)).toBe(504)
  await showScreen(page, '/dashboard/admin/unclear')
  const row = page.getByRole('row').filter({ hasText: 'LIST-1' })
  await row.getByText('Outcome unknown').waitFor()
  await row.getByRole('link', { name: 'LIST-1' }).click()
  await page.getByRole('button', { name: 'Say what became of each document' }).click()
  const dialog = page.getByRole('dialog')
  const say = async (name: string, verdict: string) => {
    await dialog.getByRole('combobox', { name }).click()
    await page.getByRole('option', { name: verdict, exact: true }).click()
  }
  await dialog.getByRole('checkbox', { name: 'All documents' }).check()
  await say('Verdict for the selected documents', 'Accepted')
  await say('Verdict for LIST-2', 'Rejected')
  await dialog.getByRole('textbox', { name: 'Authority reference of LIST-1' }).fill('A-1')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Keep these' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('Partly accepted').first().waitFor()
  await showScreen(page, '/dashboard/admin/unclear')
  await page.getByRole('heading', { name: 'Unclear' }).waitFor()
  await row.waitFor({ state: 'detached' })
  const found = await call('GET', '/api/documents?search=LIST-&sort=reference')
  const [{ data }] = found.body as [{ data: { state: string; authority_reference: string }[] }]
  expect(data.map(({ state }) => state)).toEqual(['accepted', 'not_accepted', 'accepted'])
  expect(data[0]?.authority_reference).toBe('A-1')
})
