import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { expectAccessible, rowOf, startJourney } from '../harness/journey.ts'
import { showScreen } from '../harness/open-as.ts'
import { closePage, newPage, openFromMenu } from '../harness/open-browser.ts'

// A document is imported, what the gateway serves of it is read and downloaded, and a role's docs are
// shared with somebody who has no account.

const journey = startJourney()
const petstore = fileURLToPath(
  new URL('../../apps/server/fixtures/openapi/petstore.json', import.meta.url),
)

async function importPetstore(page: Page) {
  await openFromMenu(page, 'APIs')
  await page.getByRole('link', { name: 'Paste or import' }).click()
  await page.getByLabel('File', { exact: true }).setInputFiles(petstore)
  await page.getByRole('button', { name: /^Import 20 endpoints/ }).click()
  await page.getByText('Endpoints: 20 made.').waitFor()
}

async function download(page: Page, item: string): Promise<string> {
  await page.getByRole('button', { name: 'OpenAPI' }).click()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: item }).click(),
  ])
  return readFile(await file.path(), 'utf8')
}

it('what is served is shown, found, and downloaded in both formats', async () => {
  const { page } = journey
  await showScreen(page, '/dashboard')
  await importPetstore(page)
  await openFromMenu(page, 'API docs')
  await page.getByText(/· 20 endpoints$/).waitFor()
  const yaml = parse(await download(page, 'Download YAML')) as { paths: object }
  const json = JSON.parse(await download(page, 'Download JSON')) as { paths: object }
  expect(json).toEqual(yaml)
  const given = JSON.parse(await readFile(petstore, 'utf8')) as { paths: object }
  expect(
    Object.keys(json.paths)
      .map((path) => path.replace(/^\/[^/]+/, ''))
      .toSorted(),
  ).toEqual(Object.keys(given.paths).toSorted())
  await page.getByLabel('Find an endpoint').fill('inventories')
  await page.getByText(/· 1 endpoint found for “inventories”$/).waitFor()
  await page.getByText('C#', { exact: true }).click()
  await page.getByText('using System.Net.Http.Headers;').waitFor()
  expect(journey.complaints).toEqual([])
})

it('parameters that were imported are on the page of their endpoint', async () => {
  const { page } = journey
  await openFromMenu(page, 'Endpoints')
  await page.getByLabel('Search endpoints').fill('pet by ID')
  await rowOf(page, '/pet/{petId}').getByRole('link', { name: /^Edit/ }).first().click()
  const row = page.getByRole('table', { name: 'Parameters' }).getByRole('row', { name: /petId/ })
  await row.getByText('integer (int64)').waitFor()
  await expectAccessible(page)
})

it('a role’s docs are shared by a link, without an account, until the link is ended', async () => {
  const { page } = journey
  await openFromMenu(page, 'API docs')
  await page.getByRole('combobox', { name: 'Role' }).click()
  await page.getByRole('option', { name: /^Super Admin/ }).click()
  await page.getByRole('button', { name: 'Share' }).click()
  await page.getByRole('button', { name: 'Make a link' }).click()
  await page.getByText('The link is shown this once').waitFor()
  await expectAccessible(page)
  const address = await page.getByRole('dialog').locator('code').innerText()

  const outside = await newPage(page.context().browser()!, new URL(page.url()).origin)
  await outside.page.goto(address)
  await outside.page.getByText(/· 20 endpoints$/).waitFor()
  await expectAccessible(outside.page)
  expect(await outside.page.locator('meta[name=robots]').getAttribute('content')).toContain(
    'noindex',
  )
  expect(await download(outside.page, 'Download YAML')).toContain('openapi: 3.1.0')

  await page.getByRole('button', { name: 'End link' }).click()
  await page.getByText('There is no link now.').waitFor()
  await outside.page.reload()
  await outside.page.getByText('This link has ended, or was never given.').waitFor()
  expect(outside.complaints).toEqual([expect.stringContaining('This link has ended')])
  expect(journey.complaints).toEqual([])
  await closePage(outside.page)
})
