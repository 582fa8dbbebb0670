import type { Locator, Page } from 'playwright-core'
import { settle } from '../harness/open-as.ts'
import { openFromMenu, openNewEndpoint } from '../harness/open-browser.ts'
import { tutorialTexts } from './tutorial-page.ts'

/** Called where the page has a picture: its name, and what has to be seen. */
export type Look = (picture: string, seen?: Locator) => Promise<void>

/**
 * Does in the dashboard of the demo what docs/tutorial.md says, as an administrator who has just signed in. Returns the
 * token that the ERP gets.
 */
export async function walkTutorial(
  page: Page,
  authorityUrl: string,
  look: Look = async () => {},
): Promise<string> {
  await openFromMenu(page, 'History')
  await page.getByRole('cell', { name: 'SALE-112' }).waitFor()
  await look('history')
  await registerAuthority(page, authorityUrl, look)
  await createWorkflow(page, look)
  return giveToken(page, look)
}

/** What docs/tutorial.md says about the invoice whose answer was lost: it is looked up, and settled. */
export async function settleLostInvoice(page: Page, look: Look = async () => {}): Promise<void> {
  // Its name has the number of unclear runs too.
  await page.getByRole('link', { name: /^Unclear/ }).click()
  await page.getByRole('link', { name: /SHOP-3-LOST/ }).waitFor()
  await settle(page)
  await look('unclear')
  await page.getByRole('link', { name: /SHOP-3-LOST/ }).click()
  await page.getByRole('button', { name: 'It was received' }).click()
  const dialog = page.getByRole('dialog', { name: 'Step 1: It was received?' })
  await dialog.getByRole('textbox', { name: 'Note' }).fill('It is in the list of the authority.')
  await dialog.getByRole('button', { name: 'It was received' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('Every step succeeded.').first().waitFor()
}

async function registerAuthority(page: Page, authorityUrl: string, look: Look): Promise<void> {
  await openFromMenu(page, 'APIs')
  await page.getByRole('link', { name: 'Add API' }).click()
  await page.getByRole('textbox', { name: 'API Name' }).fill('My authority')
  await page.getByRole('textbox', { name: 'Base URL', exact: true }).fill(authorityUrl)
  await page.getByRole('button', { name: 'Check', exact: true }).click()
  await page.getByText(/^Reached 127\.0\.0\.1 in/).waitFor()
  await look('api')
  await page.getByRole('button', { name: 'Create API' }).click()
  await page.waitForURL(/apis/)
  await openFromMenu(page, 'Endpoints')
  await openNewEndpoint(page)
  await choose(page, 'Method', 'POST')
  await choose(page, 'Api', 'My authority')
  await page.getByRole('textbox', { name: 'Path' }).fill('/invoices')
  await page.getByRole('textbox', { name: 'Summary' }).fill('File an invoice')
  await page.getByRole('textbox', { name: 'Description' }).fill('Files an invoice.')
  await page.getByRole('button', { name: 'Change these settings' }).click()
  const reference = page.getByRole('textbox', { name: 'Document reference path' })
  await reference.fill('number')
  await look('endpoint', reference)
  await page.getByRole('button', { name: 'Create endpoint' }).click()
  await page.waitForURL(/endpoint\/edit\/\d+$/)
}

async function createWorkflow(page: Page, look: Look): Promise<void> {
  await openFromMenu(page, 'Workflows')
  await page.getByRole('link', { name: 'Add workflow' }).click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Shop invoices')
  await page.getByRole('textbox', { name: 'Sample input' }).fill(tutorialTexts.input)
  await page.getByRole('textbox', { name: 'Reference path' }).fill('number')
  await page.getByRole('button', { name: /^Step 1/ }).click()
  await choose(page, 'Endpoint', /File an invoice/)
  await page.getByRole('textbox', { name: 'Body of step 1 as typed' }).fill(tutorialTexts.body)
  const result = page.getByRole('region', { name: 'Result of step 1' }).getByText('Would be sent')
  await result.waitFor()
  await look('workflow', result)
  await page.getByRole('button', { name: 'Create workflow' }).click()
  await page.waitForURL(/workflows\/\d+#call-it$/)
}

async function giveToken(page: Page, look: Look): Promise<string> {
  await openFromMenu(page, 'Users Have API access')
  await page.getByRole('link', { name: 'Edit ERP, ERP' }).click()
  await page.getByRole('combobox', { name: 'Assign Workflows' }).fill('shop')
  await page.getByRole('option', { name: /Shop invoices/ }).click()
  const opened = page.getByText('Saving opens 1 workflow for 1 user.')
  await opened.waitFor()
  await page.getByRole('heading', { name: 'Workflows', exact: true }).click()
  await look('access', opened)
  await page.getByRole('button', { name: 'Update Access' }).click()
  await page.getByText('Access updated successfully!').first().waitFor()
  await openFromMenu(page, 'Personal Access Token')
  await choose(page, 'For whom', /ERP/)
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Shop')
  await page.getByRole('button', { name: 'Generate' }).click()
  const token = page.getByRole('textbox', { name: 'Token', exact: true })
  await page.getByRole('button', { name: 'Revoke Shop' }).waitFor()
  await settle(page)
  return token.inputValue()
}

async function choose(page: Page, field: string, option: string | RegExp): Promise<void> {
  await page.getByRole('combobox', { name: field, exact: true }).click()
  await page.getByRole('option', { name: option }).last().click()
}
