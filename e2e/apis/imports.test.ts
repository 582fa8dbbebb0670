import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectAccessible, rowOf, startJourney } from '../harness/journey.ts'
import { showScreen } from '../harness/open-as.ts'
import { openFromMenu } from '../harness/open-browser.ts'

// A document of others is chosen, its preview is read, and what was chosen of it is there afterwards.

const journey = startJourney()
const fixture = (name: string) =>
  fileURLToPath(new URL(`../../apps/server/fixtures/openapi/${name}.json`, import.meta.url))

async function openImport(page: Page) {
  await openFromMenu(page, 'APIs')
  await page.getByRole('link', { name: 'Paste or import' }).click()
  await page.getByRole('heading', { name: 'New API', exact: true }).waitFor()
}

it('an OpenAPI document becomes an API and its endpoints', async () => {
  const { page } = journey
  await showScreen(page, '/dashboard')
  await openImport(page)
  await page.getByLabel('File', { exact: true }).setInputFiles(fixture('parameters-style'))
  await page.getByText('2 remarks').waitFor()
  await page.getByText('Line 143').waitFor()
  await expectAccessible(page)
  await page.getByLabel('API Name').fill('Echo')
  await page.getByRole('checkbox', { name: /\/cookies/ }).click()
  await page.getByRole('button', { name: 'Import 22 endpoints' }).click()
  await page.getByText('Endpoints: 22 made.').waitFor()
  await page.getByText('No role has access yet to 22 of them.').waitFor()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Access to Echo by role' }).click()
  await page.waitForURL('**/access?by=roles')
  await openFromMenu(page, 'Endpoints')
  await rowOf(page, '/anything/headers').first().waitFor()
  expect(journey.complaints).toEqual([])
})

it('a second import says what is there already', async () => {
  const { page } = journey
  await openImport(page)
  await page.getByLabel('File', { exact: true }).setInputFiles(fixture('parameters-style'))
  await page.getByRole('radio', { name: 'Echo', checked: true }).waitFor()
  expect(await page.getByText('there already').count()).toBe(22)
  await expectAccessible(page)
  await page.getByRole('radio', { name: 'A new API' }).click()
  await page.getByRole('button', { name: 'Import 23 endpoints' }).waitFor()
  await page.getByRole('radio', { name: 'Echo' }).click()
  await page.getByRole('button', { name: 'Import 1 endpoint', exact: true }).click()
  await page.getByText('Endpoints: 1 made.').waitFor()
})

it('a document that can’t be read is refused with the place', async () => {
  const { page } = journey
  await openImport(page)
  await page
    .getByRole('textbox', { name: 'URL, curl command or document' })
    .fill('openapi: 3.1.0\npaths: [')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText(/^Line 2, column \d+: /).waitFor()
  await expectAccessible(page)
  expect(journey.complaints).toEqual([])
})
