import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { expectAccessible, toast } from '../harness/journey.ts'
import { showScreen } from '../harness/open-as.ts'
import {
  card,
  fill,
  openAfresh,
  pressSend,
  shownRun,
  startTaxJourney,
} from '../harness/tax-journey.ts'

// A clerk's day: four steps in a chain, a reload in the middle, an answer that never came.

const journey = startTaxJourney()
const menu = (page: Page) => page.getByRole('navigation', { name: 'Main' })

describe('a clerk', () => {
  it('opens the screen from the menu', async () => {
    const { page } = journey
    await page.getByRole('link', { name: 'Tax workflow', exact: true }).click()
    await page.getByRole('heading', { name: 'Build Request with 4 endpoints' }).waitFor()
  })

  it('sees at the field what is missing, before anything is sent', async () => {
    const { page } = journey
    await fill(page, 2, 'File an invoice', '{"reference":"INV-1"}')
    await pressSend(page)
    await toast(page, 'Nothing was sent.')
    await card(page, 1)
      .getByText(/Choose an endpoint/)
      .last()
      .waitFor()
    expect(journey.authority.stored.size).toBe(0)
    await expectAccessible(page)
  })

  it('looks at what four steps would send, and nothing is sent', async () => {
    const { page } = journey
    await fill(page, 1, 'Read a post', '{"id": 1}')
    await card(page, 2).getByLabel('Dependent on the previous API').check()
    expect(await card(page, 2).getByLabel('Dependency field').inputValue()).toBe('id,title')
    await fill(page, 3, 'Slow approval', '{"reference":"INV-1-S","of":"{{steps.2.body.number}}"}')
    await fill(page, 4, 'File an invoice', '{"reference":"INV-1-F","total":0.10,"empty":""}')
    await page.getByRole('button', { name: 'Preview' }).click()
    const preview = page.getByRole('region', { name: 'Preview' })
    await preview.getByText(`${journey.source.url}/posts/1`).waitFor()
    await preview.getByText('has no value').waitFor()
    expect(journey.authority.stored.size).toBe(0)
    await expectAccessible(page)
  })

  it('sends them, reloads in the middle, and sees the run to its end; each went out once', async () => {
    const { page } = journey
    journey.authority.hold()
    await pressSend(page)
    const steps = shownRun(page).getByRole('list')
    await steps.getByText('Sending…').waitFor()
    await expectAccessible(page)
    await page.reload()
    await steps.getByText('Sending…').waitFor()
    await page.getByRole('button', { name: 'Send Request', disabled: true }).waitFor()
    journey.authority.release()
    await shownRun(page).getByText('Every step succeeded.').waitFor()
    const [first] = journey.authority.stored.get('/invoices') ?? []
    expect(JSON.parse(first ?? '')).toMatchObject({ id: 1, reference: 'INV-1' })
    expect(first).toContain('sunt aut facere')
    expect(journey.authority.stored.get('/slow')).toEqual(['{"reference":"INV-1-S","of":"A-1"}'])
    expect(journey.authority.stored.get('/invoices')?.[1]).toBe(
      '{"reference":"INV-1-F","total":0.10,"empty":""}',
    )
    await expectAccessible(page)
  })

  it('gets no answer: the outcome is unknown, also after a reload', async () => {
    const { page } = journey
    await openAfresh(page)
    await fill(page, 1, 'Authority that cuts', '{"reference":"INV-2"}')
    await fill(page, 2, 'File an invoice', '{"reference":"INV-2-F"}')
    await pressSend(page)
    await toast(page, 'Failed to send request.')
    await shownRun(page).getByRole('button', { name: 'It was received' }).waitFor()
    await page.reload()
    await shownRun(page).getByRole('button', { name: 'It was received' }).waitFor()
    await page.getByRole('button', { name: 'Send Request', disabled: true }).waitFor()
    await page.getByRole('link', { name: /^Unclear 1 unknown outcome/ }).waitFor()
    await expectAccessible(page)
    expect(journey.authority.stored.get('/cut')).toHaveLength(1)
  })

  it('finds it from the home screen, says that it was received, and resumes the rest', async () => {
    const { page } = journey
    await showScreen(page, '/dashboard')
    await page.getByRole('link', { name: /Outcome unknown/ }).click()
    await page.waitForURL('**/dashboard/admin/unclear?state=unknown')
    await page.getByRole('table', { name: 'Unclear' }).getByRole('link').first().click()
    await page.getByRole('button', { name: 'It was received' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Reference').fill('A-2026-77')
    await dialog.getByLabel('Note').fill('Seen in the portal')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'It was received' }).click()
    await page.getByText('reference A-2026-77').waitFor()
    await page.getByRole('button', { name: 'Resume from step 2' }).click()
    await dialog.getByText('Step 1 has succeeded and will not be sent again').waitFor()
    await dialog.getByRole('button', { name: 'Resume from step 2' }).click()
    await page.getByText('Every step succeeded.').first().waitFor()
    expect(journey.authority.stored.get('/cut')).toHaveLength(1)
    expect(journey.authority.stored.get('/invoices')).toContain('{"reference":"INV-2-F"}')
    await menu(page).getByRole('link', { name: 'Unclear', exact: true }).waitFor()
    await expectAccessible(page)
  })

  it('corrects what was rejected; the new run is linked to the old', async () => {
    const { page } = journey
    await openAfresh(page)
    await fill(page, 1, 'Strict authority', '{"reference":"INV-3","total":0.10}')
    await pressSend(page)
    await shownRun(page)
      .getByText(/The endpoint rejected it\./)
      .waitFor()
    await page.getByRole('button', { name: 'Retry with corrected bodies' }).click()
    const dialog = page.getByRole('dialog')
    await dialog
      .getByRole('textbox', { name: 'Body of step 1' })
      .fill('{"reference":"INV-3","total":0.10,"vat":"3000"}')
    await dialog.getByRole('button', { name: 'Review the changes' }).click()
    await dialog.locator('ins').getByText('"vat": "3000"').waitFor()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Send as a new run' }).click()
    await page.waitForURL('**/dashboard/admin/runs/*')
    await page.getByText('Every step succeeded.').first().waitFor()
    await page.getByText('Retry of').waitFor()
    expect(journey.authority.stored.get('/strict')).toEqual([
      '{"reference":"INV-3","total":0.10,"vat":"3000"}',
    ])
  })

  it('tries a test invoice, which is sent to no authority', async () => {
    const { page } = journey
    await openAfresh(page)
    const before = journey.authority.stored.get('/invoices')?.length
    await page.getByLabel('Test invoice').check()
    await fill(page, 1, 'File an invoice', '{"reference":"INV-4"}')
    await pressSend(page)
    await shownRun(page).getByText('Checked, not sent').waitFor()
    await shownRun(page).getByText('TEST', { exact: true }).waitFor()
    expect(journey.authority.stored.get('/invoices')).toHaveLength(before ?? 0)
    await expectAccessible(page)
  })
})

it('saw no error in the browser', () => {
  expect(journey.complaints).toEqual([])
})
