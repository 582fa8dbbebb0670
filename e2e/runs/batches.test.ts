import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request, type IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { expectAccessible, rowOf, toast } from '../harness/journey.ts'
import { openAs, createPerson, allPermissions, showScreen } from '../harness/open-as.ts'
import { openSession, signIn, type Call } from '../harness/run-product.ts'
import { startTaxJourney } from '../harness/tax-journey.ts'
import { closePage } from '../harness/open-browser.ts'

// A file is checked, corrected, sent, followed to its end; its results are downloaded, and what was
// rejected is sent again.

const journey = startTaxJourney()
let call: Call
let workflowId: number

const workflow = (endpointId: number | undefined, more = '') => ({
  name: 'Sales invoices',
  slug: 'sales',
  kind: 'tax',
  status: 'active',
  input_schema: {
    type: 'object',
    required: ['number', 'total'],
    properties: { number: { type: 'string' }, total: { type: 'number' } },
  },
  reference_path: 'number',
  lane: { name: 'sales' },
  steps: [
    {
      endpoint_id: endpointId,
      body: {
        kind: 'template',
        text: `{"reference":"{{input.number}}","total":"{{input.total}}","kind":"{{input.kind}}"${more}}`,
      },
    },
  ],
})

beforeAll(async () => {
  call = await signIn(journey.url)
  const endpoint = journey.endpoints['Strict authority']
  const answer = await call('POST', '/api/workflows', workflow(endpoint))
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
  workflowId = (answer.body as { id: number }).id
})

const csv = (rows: string[]) => ({
  name: 'june.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(`number,total,kind\n${rows.join('\n')}\n`),
})
/** The authority takes "vat" alone. */
const rows = ['A-1,10.50,vat', 'A-2,20,vat', 'A-3,30,none', 'A-4,40,vat', 'A-5,50,none']
const withMistakes = [...rows.slice(0, 2), 'A-3,thirty,none', 'A-1,40,vat', ',50,none']

const chooseFile = (page: Page, file: ReturnType<typeof csv>) =>
  page.locator('input[type=file]').setInputFiles(file)

const lane = async () => {
  const { lanes } = (await call('GET', '/api/lanes')).body as { lanes: { id: number }[] }
  return `/api/lanes/${lanes[0]?.id}`
}
const runCount = async () => ((await call('GET', '/api/runs')).body as [{ total: number }])[0].total

it('a file with three bad rows is not sent, and each problem is named', async () => {
  const { page } = journey
  await showScreen(page, `/dashboard/admin/workflows/${workflowId}`)
  await page.getByText('No batches yet').waitFor()
  await page.getByRole('link', { name: 'Send a file' }).click()
  await chooseFile(page, csv(withMistakes))
  await page.getByText('3 rows of 5 can’t be sent').waitFor()
  const problems = page.getByRole('list', { name: 'Problems' }).getByRole('listitem')
  await problems.nth(2).waitFor()
  const texts = await problems.allInnerTexts()
  expect(texts.map((text) => /^Row \d/.exec(text)?.[0])).toEqual(['Row 3', 'Row 4', 'Row 5'])
  expect(texts[0]).toContain('thirty')
  expect(texts[2]).toMatch(/number\s+This is missing\./)
  expect(texts[1]).toContain('The reference A-1 is in line 1 and in line 4.')
  await page.getByRole('cell', { name: '10.50', exact: true }).waitFor()
  expect(await page.getByRole('button', { name: /^Send \d/ }).count()).toBe(0)
  expect(await runCount()).toBe(0)
  await expectAccessible(page)
})

it('five bad rows are mended on the page, in the file that is sent', async () => {
  const { page } = journey
  const bad = ['B-1,1,vat', ...['one', 'two', 'three'].map((word, at) => `B-${at + 2},${word},vat`)]
  await chooseFile(page, csv([...bad, ',5,vat', 'B-1,6,vat']))
  await page.getByText('5 rows of 6 can’t be sent').waitFor()
  const problems = page.getByRole('list', { name: 'Problems' }).getByRole('listitem')
  expect((await problems.allInnerTexts()).map((text) => text.split('\n')[0])).toEqual([
    '3 rows',
    'Row 5',
    'Row 6',
  ])
  await problems
    .getByText('line 3, B-2, "one" · line 4, B-3, "two" · line 5, B-4, "three"')
    .waitFor()
  await expectAccessible(page)
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download the bad rows' }).click()
  const file = await (await downloading).path()
  expect(readFileSync(file, 'utf8').split('\n').slice(0, 2)).toEqual([
    'number,total,kind',
    'B-2,one,vat',
  ])
  for (const line of [3, 4, 5]) await page.getByLabel(`total, line ${line}`).fill(`${line}`)
  await page.getByLabel('number, line 6').fill('B-5')
  await page.getByLabel('number, line 7').fill('B-6')
  await page.getByRole('button', { name: 'Check again' }).click()
  await page.getByRole('button', { name: 'Send 6 rows' }).waitFor()
  await page.getByRole('cell', { name: 'B-6', exact: true }).waitFor()
  await expectAccessible(page)
})

it('the corrected file is sent, and followed to its end', async () => {
  const { page, authority } = journey
  await call('POST', `${await lane()}/pause`, { reason: 'The file is watched.' })
  await chooseFile(page, csv(rows))
  await page.getByRole('button', { name: 'Send 5 rows' }).click()
  await page.getByRole('heading', { name: 'june.csv' }).waitFor()
  const legend = page.getByRole('list', { name: 'Rows by state' })
  await legend.getByRole('button', { name: 'Queued 5' }).waitFor()
  await page.getByText('No row has failed').waitFor()
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click()
  await toast(page, 'Batch paused.')
  await call('POST', `${await lane()}/resume`)
  await page.getByRole('button', { name: 'Resume' }).click()

  // Nothing is loaded again: the events say it.
  await legend.getByRole('button', { name: 'Succeeded 3' }).waitFor()
  await page.getByText('Every row has ended, or waits for a person.').waitFor()
  await rowOf(page, 'A-3').getByText('Rejected', { exact: true }).waitFor()
  await rowOf(page, 'A-5').getByText(/422/).waitFor()
  expect(await page.getByRole('row').filter({ hasText: 'A-1' }).count()).toBe(0)
  expect(authority.stored.get('/strict')).toHaveLength(3)
  await expectAccessible(page)
})

it('its results are downloaded, one line for each row in the order of the file', async () => {
  const { page } = journey
  await page.getByRole('button', { name: 'Results' }).click()
  const downloading = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: /CSV/ }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toMatch(/^batch-\d+\.csv$/)
  const lines = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\r\n')
    .slice(1)
  expect(lines.map((line) => line.split(',').filter((_, at) => [0, 2, 3].includes(at)))).toEqual([
    ['1', 'A-1', 'succeeded'],
    ['2', 'A-2', 'succeeded'],
    ['3', 'A-3', 'rejected'],
    ['4', 'A-4', 'succeeded'],
    ['5', 'A-5', 'rejected'],
  ])
})

it('the rejected rows are sent again once the workflow is right, and lead to their runs', async () => {
  const { page, authority, endpoints } = journey
  const saved = (await call('GET', `/api/workflows/${workflowId}`)).body as { version: number }
  const corrected = workflow(endpoints['Strict authority'], ',"scheme":"vat"')
  const answer = await call('PUT', `/api/workflows/${workflowId}`, {
    ...corrected,
    version: saved.version,
  })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  await page.getByRole('button', { name: 'Retry 2 rejected' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click()
  await page.getByText('Every row succeeded.').waitFor()
  expect(authority.stored.get('/strict')).toHaveLength(5)
  await page.getByRole('button', { name: 'Succeeded 5' }).click()
  await rowOf(page, 'A-5')
    .getByRole('link', { name: /^run \d+$/ })
    .click()
  await page.getByText('Retry of').waitFor()
  await page.getByRole('link', { name: /^batch \d+$/ }).click()
  await page.getByRole('heading', { name: 'june.csv' }).waitFor()
  await page.locator('#main').getByRole('link', { name: 'Sales invoices' }).click()
  await rowOf(page, 'june.csv').getByText('Finished').waitFor()
  await page.getByRole('searchbox', { name: 'Search by file or person' }).fill('july')
  await page.getByText('Nothing matches “july”.').waitFor()
})

it('a person who may only look sees the batch and none of what can be done with it', async () => {
  const { url, browser } = journey
  const denied = new Set(['workflow.run', 'workflow.operate'])
  const held = (await allPermissions(url)).filter((name) => !denied.has(name))
  const { page, refusals } = await openAs(browser, url, await createPerson(url, 'Looker', held))
  await showScreen(page, `/dashboard/admin/workflows/${workflowId}`)
  await rowOf(page, 'june.csv').getByRole('link').click()
  await page.getByText('Every row succeeded.').waitFor()
  await page.getByRole('button', { name: 'Results' }).waitFor()
  for (const name of [/Retry/, /Pause/, /Cancel/, /Send a file/])
    expect(
      await page.getByRole('button', { name }).or(page.getByRole('link', { name })).count(),
    ).toBe(0)
  expect(refusals).toEqual([])
  await closePage(page)
})

it('control plane and gateway outlive an upload that is refused before its end', async () => {
  const { url, gatewayUrl } = journey
  const upload = request(`${url}/api/workflows/sales/batches/check`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await openSession(url)}`,
      'content-type': 'text/csv',
      'content-length': 1_000_000,
    },
  })
  upload.on('error', () => {})
  upload.write('number,number\nA-1,A-2\n')
  const [answer] = (await once(upload, 'response')) as [IncomingMessage]
  expect(answer.statusCode).toBe(422)
  // The server looks at bodies that still arrive once a second.
  await pause(2_200)
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  expect((await fetch(`${gatewayUrl}/healthz`)).status).toBe(200)
  upload.destroy()
})
