import { expect, it } from 'vitest'
import { expectAccessible, rowOf, toast } from '../harness/journey.ts'
import { showScreen } from '../harness/open-as.ts'
import { startTaxJourney } from '../harness/tax-journey.ts'

// A comparison is made, compares the days of today by hand, and shows what differs.

const journey = startTaxJourney()

it('a comparison names what the ERP has and our ledger has not', async () => {
  const { page } = journey
  await showScreen(page, '/dashboard/admin/reconciliation')
  await page.getByText('No comparisons yet').waitFor()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'New comparison' }).click()
  await page.getByRole('heading', { name: 'New comparison' }).waitFor()
  await page.getByLabel('Name', { exact: true }).fill('Day by day')
  await page.getByLabel('Endpoint of the ERP').fill('Read a post')
  await page.getByRole('option', { name: /Read a post/ }).click()
  await page.getByLabel('Request to the ERP').fill('{"id": 1}')
  await page.getByLabel('List path').fill('tags')
  await page.getByLabel('Reference path').fill('name')
  await page.getByRole('button', { name: 'Try the list of yesterday' }).click()
  await page.getByText('There is no list at tags.').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create comparison' }).click()
  await toast(page, 'Comparison created successfully!')
  await page.getByText('Nothing was compared yet').waitFor()
  await page.getByRole('button', { name: 'Compare', exact: true }).click()
  await rowOf(page, 'Failed').getByText('There is no list at tags.').waitFor()
  await rowOf(page, 'Failed').getByRole('link').click()
  await page.getByText('The list of the ERP: There is no list at tags.').waitFor()
  await expectAccessible(page)
  expect(journey.complaints).toEqual([])
})
