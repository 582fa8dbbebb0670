import { expect, it } from 'vitest'
import { expectAccessible, toast } from './harness/journey.ts'
import { openFromMenu } from './harness/open-browser.ts'
import { startTaxJourney } from './harness/tax-journey.ts'

// A workflow is written with its result in sight, and sent by hand.

const journey = startTaxJourney()

it('a workflow is written on its sample, saved, and sent by hand; its lane is paused and resumed', async () => {
  const { page, authority } = journey
  const menu = page.getByRole('navigation', { name: 'Main' })
  await openFromMenu(page, 'Workflows')
  await page.getByText('No workflows yet').waitFor()
  await page.getByRole('link', { name: 'Add workflow' }).click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Sales invoices')
  expect(await page.getByRole('textbox', { name: 'Slug' }).inputValue()).toBe('sales-invoices')
  await page
    .getByRole('textbox', { name: 'Sample input' })
    .fill('{"number": "INV-7", "total": 12345678901234567890.10}')
  await page.getByRole('textbox', { name: 'Reference path' }).fill('number')
  const rail = page.getByRole('list', { name: 'Steps' })
  await rail.getByRole('button', { name: /^Step 1/ }).click()
  const step = page.getByRole('region', { name: 'Step 1', exact: true })
  await step.getByRole('combobox', { name: 'Endpoint' }).click()
  await page.getByRole('option', { name: 'File an invoice' }).last().click()
  await step
    .getByRole('textbox', { name: 'Body of step 1 as typed' })
    .fill('{"reference": "{{input.number}}", "total": "{{input.total}}"}')
  const result = page.getByRole('region', { name: 'Result of step 1' })
  await result.getByText('Would be sent').waitFor()
  await result.getByText('12345678901234567890.10').waitFor()
  await expectAccessible(page)
  expect(authority.stored.size).toBe(0)
  await page.getByRole('button', { name: 'Create workflow' }).click()
  await toast(page, 'Workflow created successfully!')
  await page.waitForURL(/workflows\/\d+#call-it$/)
  await page.getByLabel('Call in curl').getByText('/api/workflows/sales-invoices/runs').waitFor()
  await page.getByText('Send by hand', { exact: true }).click()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByText('Every step succeeded.').waitFor()
  const [body] = authority.stored.get('/invoices') ?? []
  expect(JSON.parse(body ?? '')).toMatchObject({ reference: 'INV-7' })
  expect(body).toContain('12345678901234567890.10')
  await expectAccessible(page)

  await menu.getByRole('button', { name: 'Rarely used' }).click()
  await menu.getByRole('link', { name: 'Lanes' }).click()
  const lane = page.getByRole('region', { name: 'sales-invoices' })
  await lane.getByRole('link', { name: 'Sales invoices' }).waitFor()
  await lane.getByText('0 of 4').waitFor()
  await expectAccessible(page)
  await lane.getByRole('button', { name: 'Pause' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Stock-taking')
  await dialog.getByRole('button', { name: 'Pause lane' }).click()
  await lane.getByText('Stock-taking').waitFor()
  await expectAccessible(page)
  await lane.getByRole('button', { name: 'Resume' }).click()
  await lane.getByText('Idle').waitFor()
})

it('after an edit its page is shown at once, and Back leads to where that was opened', async () => {
  const { page } = journey
  await openFromMenu(page, 'Workflows')
  await page.getByRole('link', { name: 'Sales invoices', exact: true }).click()
  const heading = page.getByRole('heading', { level: 2, name: 'Sales invoices', exact: true })
  await heading.waitFor()
  await page.getByRole('link', { name: 'Edit workflow', exact: true }).click()
  await page.getByRole('textbox', { name: 'Description' }).fill('From the shop')
  await page.getByRole('button', { name: 'Save workflow' }).click()
  await toast(page, 'Workflow saved as a new version!')
  await page.waitForURL(/workflows\/\d+$/)
  await heading.waitFor()
  await page.goBack()
  await page.waitForURL('**/dashboard/admin/workflows')
  await page.getByRole('link', { name: 'Sales invoices', exact: true }).waitFor()
})
