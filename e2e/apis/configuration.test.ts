import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { expectAccessible, startJourney } from '../harness/journey.ts'
import { showScreen } from '../harness/open-as.ts'
import { openFromMenu } from '../harness/open-browser.ts'

// The configuration is exported, a changed file is compared with what is there, and applied.

const journey = startJourney()

it('a file is exported, compared, and applied with its secret', async () => {
  const { page } = journey
  await showScreen(page, '/dashboard')
  await openFromMenu(page, 'APIs')
  await page.getByRole('link', { name: 'Configuration' }).click()
  await page.getByRole('heading', { name: 'Configuration' }).waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ])
  const exported = readFileSync(await download.path(), 'utf8')
  expect(exported).toContain('gatehouse: 1')

  const apis = `apis:
  ERP:
    api_protocol: http
    api_url: https://erp.example.com
    gateway_status: active
    api_access: internally
    credential: {kind: bearer, token: "\${env:ERP_TOKEN}"}
  Broken:
    api_protocol: http
    api_url: nowhere
    gateway_status: active
    api_access: internally
`
  const file = (text: string) => ({
    name: 'gatehouse.yaml',
    mimeType: 'application/yaml',
    buffer: Buffer.from(text),
  })
  const choose = (text: string) =>
    page.getByLabel('File', { exact: true }).setInputFiles(file(text))
  await choose('gatehouse: 1\napi: {}\n')
  await page.getByText('Line 2, column 1 (/api): There is no such section.').waitFor()
  await expectAccessible(page)
  await choose(exported + apis)
  await page.getByLabel('Changes').getByText('ERP').waitFor()
  await page.getByLabel('env:ERP_TOKEN').fill('token-of-the-erp')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Apply', exact: true }).click()
  await page.getByText('1 of 2 done.').waitFor()
  await page.getByText(/\(\/apis\/Broken\/api_url\): The base URL must be/).waitFor()
  await expectAccessible(page)
  await choose(exported + apis.replace('nowhere', 'https://sound.example.com'))
  await page.getByLabel('Changes').getByText('Broken').waitFor()
  expect(await page.getByLabel('Changes').getByText('ERP', { exact: true }).count()).toBe(0)
  await page.getByRole('button', { name: 'Apply', exact: true }).click()
  await page.getByText('1 of 1 done.').waitFor()
  expect(journey.complaints).toEqual([])
})
