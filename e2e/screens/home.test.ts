import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible, startOwnJourney } from '../harness/journey.ts'
import { createPerson, openAs, showScreen } from '../harness/open-as.ts'
import { signIn, type Call } from '../harness/run-product.ts'
import { startTaxJourney } from '../harness/tax-journey.ts'

// The home screen shows the state of everything, and each number leads to the list that it counts.

const journey = startTaxJourney(startOwnJourney())
let call: Call
let unknownRun: number
const send = async (summery: string, reference: string) => {
  const end_point = journey.endpoints[summery]
  const body = JSON.stringify({ reference })
  const answer = await call('POST', '/api/tax', { endpoint_1: { end_point, body } })
  return (answer.body as { run: { id: number } }).run.id
}
beforeAll(async () => {
  call = await signIn(journey.url)
})

const part = (page: Page, name: string) => page.getByRole('region', { name })
const rowsOf = (page: Page, name: string) =>
  page
    .getByRole('table', { name })
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })

describe('the home screen', () => {
  it('shows the first steps of a new installation alone, until they are closed', async () => {
    const { page } = journey
    await showScreen(page, '/dashboard')
    await page.getByRole('main').getByRole('link', { name: /^APIs/ }).waitFor()
    expect(await part(page, 'What needs you').count()).toBe(0)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Close the first steps' }).click()
    await page.getByText('Nothing needs you now.').waitFor()
    await page.getByText('names a document reference path').waitFor()
    expect(await part(page, 'Documents today').count()).toBe(0)
    await expectAccessible(page)
  })

  it('counts a run that ends unknown, until somebody says what became of it', async () => {
    const { page } = journey
    await send('File an invoice', 'INV-1')
    await send('File an invoice', 'INV-2')
    unknownRun = await send('Authority that cuts', 'INV-3')
    await send('Strict authority', 'INV-4')
    await showScreen(page, '/dashboard')
    const waiting = part(page, 'What needs you')
    await waiting.getByRole('link', { name: 'Resolve INV-3' }).waitFor()
    await waiting.getByRole('link', { name: '1 Outcome unknown' }).click()
    await page.waitForURL('**/unclear?state=unknown')
    await expect.poll(() => rowsOf(page, 'Unclear').count()).toBe(1)
    await page.goBack()
    await waiting.getByRole('link', { name: '1 Rejected' }).click()
    await page.waitForURL('**/runs?state=rejected&work=open')
    await expect.poll(() => rowsOf(page, 'History').count()).toBe(1)
    const verdict = { step: 1, verdict: 'received', reference: 'A-3', note: '' }
    expect((await call('POST', `/api/runs/${unknownRun}/resolve`, verdict)).status).toBe(200)
    await showScreen(page, '/dashboard')
    await waiting.getByRole('link', { name: '1 Rejected' }).waitFor()
    await waiting.getByRole('link', { name: /Outcome unknown/ }).waitFor({ state: 'detached' })
  })

  it('shows the documents of today by authority, and the list shows as many', async () => {
    const { page } = journey
    const documents = part(page, 'Documents today')
    await documents.getByText('4 documents today').waitFor()
    await documents.getByRole('img', { name: /Last 14 days: 3 accepted, 1 not accepted/ }).waitFor()
    await documents.getByRole('link', { name: '3 accepted' }).click()
    await page.waitForURL('**/documents?state=accepted&api=*')
    await expect.poll(() => rowsOf(page, 'Documents').count()).toBe(3)
    await page.getByRole('button', { name: 'Any API' }).click()
    await page.waitForURL((url) => !url.searchParams.has('api'))
  })

  it('leads to the figures of the gateway and to the audit trail', async () => {
    const { page } = journey
    await showScreen(page, '/dashboard')
    await part(page, 'Changed last').getByText('Authority', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'All figures' }).click()
    await page.waitForURL('**/traffic')
    await page.goBack()
    await page.getByRole('link', { name: 'Audit trail', exact: true }).click()
    await page.waitForURL('**/audit')
  })

  it('shows a user only what the user may see', async () => {
    const person = await createPerson(journey.url, 'Looker', ['dashboard.view', 'workflow.view'])
    const { page } = await openAs(journey.browser, journey.url, person)
    await showScreen(page, '/dashboard')
    await page.getByText('Nothing needs you now.').waitFor()
    await part(page, 'Gateway traffic').waitFor()
    for (const name of ['Documents today', 'Changed last', 'Sign-ins that need you'])
      expect(await part(page, name).count(), name).toBe(0)
    expect(await page.getByRole('link', { name: /^APIs/ }).count()).toBe(0)
  })
})
