import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  accessibilityProblems,
  closePages,
  newPage,
  signInOnPage,
} from '../harness/open-browser.ts'
import { runProduct, type Product } from '../harness/run-product.ts'
import { sharedBrowser } from '../harness/shared/browser.ts'

// The logs of the product itself and of a Laravel application beside it, as an administrator reads them.

const fixture = fileURLToPath(
  new URL('../../apps/server/fixtures/logs/lnav-logfile_laravel.0', import.meta.url),
)
let folder: string
let laravel: string
let live: string
let product: Product
let browser: Browser
let page: Page
let complaints: string[]
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-logs-'))
  const others = join(folder, 'laravel')
  mkdirSync(others)
  laravel = join(others, 'laravel.log')
  live = join(others, 'live.log')
  copyFileSync(fixture, laravel)
  writeFileSync(live, '[2026-11-21 10:00:00] local.INFO: The first <b>entry</b>\n')
  const environment = { DATA_DIR: join(folder, 'data'), LOG_DIRS: others }
  ;[product, browser] = await Promise.all([runProduct(environment), sharedBrowser()])
  ;({ page, complaints } = await newPage(browser, product.url))
  await signInOnPage(page)
})
afterAll(async () => {
  await closePages(browser)
  await product?.end('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

const rows = () => page.getByRole('row').filter({ has: page.getByRole('cell') })

it('opens on the product’s own log, where a request id leads to the lines of one request', async () => {
  await page.getByRole('link', { name: 'Log Viewer' }).click()
  await page.getByRole('heading', { name: 'Log Viewer' }).waitFor()
  const entry = rows().filter({ hasText: '/api/login' }).first()
  await entry.waitFor()
  await entry.getByRole('link', { name: /Show entries of request/ }).click()
  await expect.poll(() => rows().count()).toBe(1)
  await rows()
    .first()
    .getByRole('button', { name: /^POST · \/api\/login · \d+ · \d+ ms$/ })
    .click()
  await page.getByLabel('The whole entry').getByText('"path": "/api/login"').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
})

it('reads a Laravel log: pages, levels, stacks, and a link to one entry', async () => {
  await page.getByRole('button', { name: /laravel\.log/ }).click()
  await page.getByText('1–30 of 82').waitFor()
  expect(await page.getByRole('columnheader').allTextContents()).toEqual([
    'Level',
    'Context',
    'Date',
    'Content',
  ])
  expect(await rows().filter({ hasText: 'error' }).count()).toBe(30)
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByText('31–60 of 82').waitFor()
  const entry = rows().nth(10)
  await entry.getByRole('button', { name: 'View Stack' }).click()
  await entry.getByText(/\[stacktrace\]\n#0/).waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  const content = await entry.getByRole('cell').last().textContent()
  const address = await entry.getByRole('link', { name: /link to this/ }).getAttribute('href')
  await page.goto(address ?? '')
  const linked = page.locator('[aria-current=true]').filter({ has: page.getByRole('cell') })
  await linked.waitFor()
  await expect.poll(() => linked.boundingBox().then((box) => (box?.y ?? 0) > 0)).toBe(true)
  expect(content).toContain(
    await linked.getByRole('cell').last().locator('div').first().textContent(),
  )
})

it('shows a line for each entry, 25 on a screen, counts levels, and goes by keys', async () => {
  await page.getByRole('button', { name: /laravel\.log/ }).click()
  await page.getByText('1–30 of 82').waitFor()
  const seen = () =>
    rows().evaluateAll((found) => {
      const boxes = found.map((row) => row.getBoundingClientRect())
      return boxes.filter(({ height, bottom }) => height === 28 && bottom <= 900).length
    })
  await expect.poll(seen).toBeGreaterThanOrEqual(25)
  const levels = page.getByRole('group', { name: 'Levels' })
  await levels.getByRole('button', { name: 'error 82', pressed: false }).click()
  await levels.getByRole('button', { name: 'error 82', pressed: true }).click()
  await page.getByText('1–30 of 82').waitFor()
  await page.locator('h2').focus()
  await page.keyboard.press('j')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  const opened = page.getByRole('cell').getByRole('button', { expanded: true })
  await expect.poll(() => opened.count()).toBe(1)
  expect(await opened.evaluate((button) => button.closest('tr')?.rowIndex)).toBeGreaterThan(1)
  expect(await accessibilityProblems(page)).toEqual([])
})

it('the browser downloads the file as it is, without a header', async () => {
  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download File' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe('laravel.log')
  expect(readFileSync(await download.path())).toEqual(readFileSync(laravel))
  const cookies = await page.context().cookies(`${product.url}/api/logs/download`)
  expect(cookies).toMatchObject([
    { name: 'gatehouse_download', httpOnly: true, sameSite: 'Strict', path: '/api/logs/download' },
  ])
  expect(await page.context().cookies(`${product.url}/api/logs`)).toEqual([])
})

it('follows a file: new entries appear without a reload, as text', async () => {
  await page.getByRole('button', { name: /live\.log/ }).click()
  await page.getByText('The first <b>entry</b>').waitFor()
  await page.getByRole('checkbox', { name: 'Follow' }).click()
  appendFileSync(live, '[2026-11-21 10:00:01] local.CRITICAL: <img src=x onerror=alert(1)>\n')
  await page.getByText('<img src=x onerror=alert(1)>').waitFor()
  await page.getByText('1 new entry').waitFor()
  expect(await page.locator('main img').count()).toBe(0)
  await page.getByRole('checkbox', { name: 'Follow' }).click()
})

it('fits a narrow window, and dark colours', async () => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.evaluate(() => localStorage.setItem('mantine-color-scheme-value', 'dark'))
  await page.reload()
  await page.getByText('The first <b>entry</b>').waitFor()
  const isWide = await page.evaluate<boolean>(
    'document.documentElement.scrollWidth > document.documentElement.clientWidth',
  )
  expect(isWide).toBe(false)
  expect(await accessibilityProblems(page)).toEqual([])
  await page.setViewportSize({ width: 1440, height: 900 })
})

it('after the logout the download is closed', async () => {
  // The browser sends this header for a link of the dashboard; this client does not.
  const options = { headers: { 'sec-fetch-site': 'same-origin' } }
  const before = await page.request.get('/api/logs/download?file=x', options)
  expect(before.status()).toBe(404)
  await page
    .getByRole('button', { name: /Administrator|account/i })
    .first()
    .click()
  await page.getByRole('menuitem', { name: /log ?out/i }).click()
  await page.waitForURL('**/api/login/react')
  const after = await page.request.get('/api/logs/download?file=x', options)
  expect(after.status()).toBe(401)
  expect(complaints).toEqual([])
})
