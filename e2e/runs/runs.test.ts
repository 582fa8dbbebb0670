import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible, toast } from '../harness/journey.ts'
import { showScreen } from '../harness/open-as.ts'
import { signIn } from '../harness/run-product.ts'
import {
  fill,
  openLackingWithAccess,
  pressSend,
  shownRun,
  startTaxJourney,
  taxScreen,
} from '../harness/tax-journey.ts'

// What runs leave behind, credits, and who may do what.

const creditScreen = '/dashboard/admin/tax/credit'
const runsScreen = '/dashboard/admin/runs'
const journey = startTaxJourney()
/** Runs, by how they ended. */
let rejected: number
let unknown: number

beforeAll(async () => {
  const call = await signIn(journey.url)
  const send = async (summery: string, reference: string, test_invoice = false) => {
    const body = JSON.stringify({ reference })
    const end_point = journey.endpoints[summery]
    const step = { end_point, body, test_invoice }
    const answer = await call('POST', '/api/tax', { endpoint_1: step })
    return (answer.body as { run: { id: number } }).run.id
  }
  await send('File an invoice', 'INV-1')
  rejected = await send('Strict authority', 'INV-3')
  await send('File an invoice', 'INV-3')
  unknown = await send('Authority that cuts', 'INV-2')
  await send('File an invoice', 'INV-4', true)
})

describe('the history', () => {
  it('is narrowed down by state, reference, test and person, and kept in the address', async () => {
    const { page } = journey
    await page.getByRole('link', { name: /^History/ }).click()
    const rows = page.getByRole('table', { name: 'History' }).getByRole('row')
    await rows.nth(4).waitFor()
    await page.getByRole('searchbox', { name: 'Search by reference' }).fill('INV-3')
    await page.waitForURL('**reference=INV-3')
    await expect.poll(() => rows.count()).toBe(3)
    await page.getByRole('combobox', { name: 'State' }).click()
    await page.getByRole('option', { name: 'Rejected' }).click()
    await expect.poll(() => rows.count()).toBe(2)
    await page.reload()
    await expect.poll(() => rows.count()).toBe(2)
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByRole('combobox', { name: 'Test' }).click()
    await page.getByRole('option', { name: 'Test only' }).click()
    await expect.poll(() => rows.count()).toBe(2)
    await page.getByRole('searchbox', { name: 'Who' }).fill('nobody')
    await page.getByText('Nothing matches these filters.').waitFor()
  })

  it('shows the whole of each row, its button too, in windows of any width', async () => {
    const { page } = journey
    await showScreen(page, runsScreen)
    for (const width of [320, 768, 1024, 1100, 1200]) {
      await page.setViewportSize({ width, height: 900 })
      const view = page.getByRole('link', { name: /^View/ }).first()
      const isShownWhole = async () => {
        const box = await view.boundingBox()
        const end = (box?.x ?? Infinity) + (box?.width ?? 0)
        const frame = await page.getByRole('table').boundingBox()
        return end <= Math.min(width, (frame?.x ?? 0) + (frame?.width ?? 0))
      }
      await expect.poll(isShownWhole, { message: String(width) }).toBe(true)
    }
    await page.setViewportSize({ width: 1440, height: 900 })
  })
})

describe('a credit', () => {
  it('goes out with its three endpoints', async () => {
    const { page } = journey
    await showScreen(page, '/dashboard')
    await page.getByRole('link', { name: 'Credit workflow', exact: true }).click()
    await fill(page, 1, 'File an invoice', '{"reference":"CN-1","credits":"INV-1"}')
    await fill(page, 2, 'Slow approval', '{"reference":"CN-1-S","of":"{{steps.1.body.number}}"}')
    await pressSend(page)
    await toast(page, 'Request sent successfully!')
    await shownRun(page).getByText('Every step succeeded.').waitFor()
    expect(journey.authority.stored.get('/invoices')).toContain(
      '{"reference":"CN-1","credits":"INV-1"}',
    )
  })
})

describe('an unknown outcome', () => {
  it('is settled beside what was sent: the reference and when', async () => {
    const { page } = journey
    await showScreen(page, `${runsScreen}/${unknown}`)
    await page.getByRole('button', { name: 'It was received', exact: true }).click()
    const sent = page.getByRole('dialog').getByRole('region', { name: 'What was sent' })
    await sent.getByText('INV-2').waitFor()
    expect(await sent.getByRole('time').count()).toBe(1)
    await expectAccessible(page)
    await page.keyboard.press('Escape')
  })
})

describe('run settings', () => {
  it('are tried on the last answer, and on one that is pasted', async () => {
    const { page } = journey
    await showScreen(
      page,
      `/dashboard/admin/endpoint/edit/${journey.endpoints['Strict authority']}`,
    )
    const open = page.getByRole('button', { name: /^(Change|Hide) these settings$/ })
    await open.waitFor()
    if ((await open.textContent()) === 'Change these settings') await open.click()
    await page.getByText('Try them on an answer').click()
    await page.getByRole('button', { name: 'Take the last answer' }).click()
    await page.getByText(new RegExp(`^From run ${rejected}, step 1`)).waitFor()
    const verdict = page.getByRole('region', { name: 'Verdict' })
    await verdict.getByText('Rejected', { exact: true }).waitFor()
    await page.getByLabel('Status of the answer').fill('503')
    await verdict.getByText('Unknown', { exact: true }).waitFor()
    await verdict.getByText('The status decides.').waitFor()
    await expectAccessible(page)
    await page.getByLabel('Status of the answer').fill('soon')
    await page.getByText('The status must be a number from 200 to 599.').waitFor()
    await page.getByLabel('Status of the answer').fill('200')
    await page.getByLabel('Body of the answer').fill('{"number":"A-1"}')
    await verdict.getByText('Accepted', { exact: true }).waitFor()
  })
})

describe('a user without', () => {
  it.each([
    ['tax.send', () => taxScreen, /^(Send Request|Preview)$/, 'Your roles do not let you send.'],
    [
      'credit.send',
      () => creditScreen,
      /^(Send Request|Preview)$/,
      'Your roles do not let you send.',
    ],
    ['tax.test', () => taxScreen, /^Test invoice$/, 'Endpoint 4'],
    ['run.resume', () => `${runsScreen}/${rejected}`, /^(Resume|Run again|Retry)/, 'Step 1'],
    [
      'run.resolve',
      () => `${runsScreen}/${unknown}`,
      /received|became/,
      'A user whose role can settle',
    ],
    ['run.view', () => taxScreen, /^History/, 'Endpoint 4'],
    ['tax.view', () => runsScreen, /^Tax workflow$/, 'INV-1'],
  ])('%s is not offered it, and nothing else is dead', async (lacking, path, offer, shown) => {
    const { page, refusals } = await openLackingWithAccess(journey, lacking)
    await showScreen(page, path())
    await page.getByText(shown).first().waitFor()
    expect(await offersOn(page, offer).count()).toBe(0)
    expect(refusals).toEqual([])

    // The administrator, who lacks nothing, is offered it there.
    await showScreen(journey.page, path())
    await offersOn(journey.page, offer).first().waitFor()
  })
})

const offersOn = (page: Page, name: RegExp) =>
  page
    .getByRole('link', { name })
    .or(page.getByRole('button', { name }))
    .or(page.getByRole('checkbox', { name }))

it('saw no error in the browser', () => {
  expect(journey.complaints).toEqual([])
})
