import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  expectAccessible,
  expectNotOffered,
  rowOf,
  startOwnJourney,
  toast,
} from '../harness/journey.ts'
import { showScreen } from '../harness/open-as.ts'
import { openFromMenu } from '../harness/open-browser.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-archive-journey-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
const journey = startOwnJourney({ DATA_DIR: dataDir })
const screen = '/dashboard/admin/archive'
const file = 'runs-000001.ndjson.gz'
let runs: number[]

beforeAll(() => {
  // Runs of forty days ago: no product is that old in a test.
  const script = join(import.meta.dirname, '../../apps/server/test/rows/add-old-runs.ts')
  const ids = execFileSync(process.execPath, [script, dataDir, '300'], { encoding: 'utf8' })
  runs = JSON.parse(ids) as number[]
})

it('moves what is due into a file, shows it, and checks it', async () => {
  const { page } = journey
  await openFromMenu(page, 'Archive')
  await page.getByText('No files yet').waitFor()
  await page.getByRole('button', { name: 'Archive now' }).click()
  await toast(page, 'A round begins.')
  const row = rowOf(page, file)
  await row.getByText('300', { exact: true }).waitFor()
  await row.getByText('Intact when written').waitFor()
  await row.getByRole('button', { name: 'Check' }).click()
  await row.getByText('Intact', { exact: true }).waitFor()
  await expectAccessible(page)
  expect(readdirSync(join(dataDir, 'archive')).toSorted()).toEqual([
    'runs-000001.manifest.json',
    file,
  ])
})

it('finds a run by its reference, and by a text that it sent', async () => {
  const { page } = journey
  const hits = page.getByRole('list', { name: 'Runs found in the archive' })
  await page.getByRole('textbox', { name: 'Number or reference' }).fill('INV-17')
  await page.getByRole('button', { name: 'Find' }).click()
  await hits.getByText('INV-17', { exact: true }).waitFor()
  await page.getByText('Text in bodies').click()
  await page.getByRole('textbox', { name: 'Text in bodies' }).fill('blue bicycle 211“')
  await page.getByRole('button', { name: 'Find' }).click()
  await hits.getByText('INV-211', { exact: true }).waitFor()
  expect(await hits.getByRole('listitem').count()).toBe(1)
  await hits.getByRole('link').click()
})

it('reads a run back on its page', async () => {
  const { page } = journey
  await page.waitForURL(`**/dashboard/admin/runs/${runs[211]}`)
  await page.getByText(`What was sent and answered is in ${file}, line 212.`).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Read back' }).click()
  await page.getByText('Its hash is right.').waitFor()
  await page.getByText('Request', { exact: true }).first().click()
  await page.getByText('blue bicycle 211').first().waitFor()
})

it('keeps the days that a person sets, and refuses less than ten years for submits', async () => {
  const { page } = journey
  await showScreen(page, screen)
  await page.getByRole('textbox', { name: 'Submits' }).fill('3649')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('must be a whole number from 3650').waitFor()
  await page.getByRole('textbox', { name: 'Submits' }).fill('')
  await page.getByRole('button', { name: 'Save' }).click()
  await toast(page, 'Saved.')
  await page.reload()
  await page.getByRole('textbox', { name: 'Submits' }).waitFor()
  expect(await page.getByRole('textbox', { name: 'Submits' }).inputValue()).toBe('')
})

it('says that a file was changed, and shows nothing of it', async () => {
  const { page } = journey
  appendFileSync(join(dataDir, 'archive', file), 'x')
  await showScreen(page, screen)
  await rowOf(page, file).getByRole('button', { name: 'Check' }).click()
  await rowOf(page, file).getByText('Changed', { exact: true }).waitFor()
})

it('offers no changes to a user without the permission', async () => {
  await expectNotOffered(journey, {
    lacking: 'archive.edit',
    offer: /^(Archive now|Save)$/,
    area: screen,
  })
})
