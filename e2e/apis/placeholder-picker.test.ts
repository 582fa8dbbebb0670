import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectAccessible } from '../harness/journey.ts'
import { showScreen } from '../harness/open-as.ts'
import {
  card,
  fill,
  openAfresh,
  pressSend,
  shownRun,
  startTaxJourney,
} from '../harness/tax-journey.ts'

// Values of an earlier answer are put into a body by a click and by typing, and what can't be filled is shown.

const journey = startTaxJourney()
const body = (page: Page, position: number) =>
  card(page, position).getByRole('textbox', { name: 'Body' })
const doubts = (page: Page, position: number) =>
  card(page, position).getByRole('list', { name: 'Placeholders that can’t be filled' })

it('a pasted answer is shown, and a click puts its value where the cursor is', async () => {
  const { page } = journey
  await openAfresh(page)
  await fill(page, 1, 'Read a post', '{"id": 1}')
  await fill(page, 2, 'File an invoice', '{"reference":"INV-1","total": ')
  await card(page, 2).getByRole('button', { name: 'Insert a value' }).click()
  await card(page, 2)
    .getByLabel('Sample of the answer of step 1')
    .fill('{"id": 7, "amount": 0.10, "buyer": {"name": "Ada"}}')
  await card(page, 2).getByRole('button', { name: 'Use it' }).click()
  await expectAccessible(page)
  await body(page, 2).press('Control+End')
  await card(page, 2).getByLabel('Find a value').fill('amount')
  await card(page, 2).getByRole('button', { name: 'Insert {{steps.1.body.amount}}' }).click()
  await body(page, 2).press('Control+End')
  await page.keyboard.type('}')
  await expect
    .poll(() => body(page, 2).innerText())
    .toBe('{"reference":"INV-1","total": "{{steps.1.body.amount}}"}')
})

it('two braces offer values, and Enter takes one', async () => {
  const { page } = journey
  await body(page, 2).fill('{"reference":"')
  await body(page, 2).press('Control+End')
  await page.keyboard.type('{{name')
  const offers = page.getByRole('listbox', { name: 'Values that can be inserted' })
  await offers.getByRole('option', { name: /steps\.1\.body\.buyer\.name/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.keyboard.type('"}')
  await expect.poll(() => body(page, 2).innerText()).toContain('{{steps.1.body.buyer.name}}"}')
})

it('what the sample does not have is underlined, with what was probably meant', async () => {
  const { page } = journey
  await body(page, 2).fill('{"reference":"{{steps.1.body.buyer.nam}}"}')
  await doubts(page, 2).getByText('Did you mean {{steps.1.body.buyer.name}}?').waitFor()
  expect(await card(page, 2).locator('.json-doubt').innerText()).toBe('{{steps.1.body.buyer.nam}}')
  await expectAccessible(page)
})

it('the text areas of a credit request offer them too', async () => {
  const { page } = journey
  await openAfresh(page)
  await showScreen(page, '/dashboard/admin/tax/credit')
  await fill(page, 1, 'Read a post', '')
  await card(page, 2).getByRole('button', { name: 'Insert a value' }).click()
  await card(page, 2).getByLabel('Sample of the answer of step 1').fill('{"id": 7}')
  await card(page, 2).getByRole('button', { name: 'Use it' }).click()
  await body(page, 2).fill('{"invoice_id": ')
  await body(page, 2).press('Control+End')
  await page.keyboard.type('{{i')
  const offers = page.getByRole('listbox', { name: 'Values that can be inserted' })
  await offers.getByRole('option', { name: /steps\.1\.body\.id/ }).waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await page.keyboard.type('}')
  await expect.poll(() => body(page, 2).inputValue()).toBe('{"invoice_id": "{{steps.1.body.id}}"}')
})

it('the last real answer is there without pasting, in a narrow window too', async () => {
  const { page } = journey
  await openAfresh(page)
  await fill(page, 1, 'Read a post', '{"id": 1}')
  await pressSend(page)
  await shownRun(page).getByText('Every step succeeded.').waitFor()
  await openAfresh(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await fill(page, 1, 'Read a post', '{"id": 1}')
  await fill(page, 2, 'File an invoice', '{"reference":"')
  await card(page, 2).getByRole('button', { name: 'Insert a value' }).click()
  await card(page, 2)
    .getByText(/Answer of run \d+/)
    .waitFor()
  await body(page, 2).press('Control+End')
  await card(page, 2).getByRole('button', { name: 'Insert {{steps.1.body.title}}' }).click()
  await expect.poll(() => body(page, 2).innerText()).toContain('"{{steps.1.body.title}}')
  await expectAccessible(page)
  expect(journey.complaints).toEqual([])
})
