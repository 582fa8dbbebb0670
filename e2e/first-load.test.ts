import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newPage, openBrowser, signInByCall } from './harness/open-browser.ts'
import { runProduct, type Product } from './harness/run-product.ts'

let folder: string
let product: Product
let browser: Browser
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-first-load-'))
  ;[product, browser] = await Promise.all([runProduct({ DATA_DIR: folder }), openBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await product?.end('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

interface Loaded {
  name: string
  bytes: number
}

/** The scripts and styles that a page has loaded so far, with their bytes on the wire. */
async function loadedBy(page: Page): Promise<Loaded[]> {
  const loaded = await page.evaluate(() =>
    (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
      .filter(({ name }) => /\.(js|css)$/.test(name))
      .map(({ name, encodedBodySize }) => ({ name, bytes: encodedBodySize })),
  )
  // A style sheet that is asked for early has an entry for that, and one for its use.
  return [...new Map(loaded.map((each) => [each.name, each])).values()]
}

const bytesOf = (loaded: Loaded[]) => loaded.reduce((sum, { bytes }) => sum + bytes, 0)

it('the login page loads at most 130 kB in eight files, packed and for good', async () => {
  const { page, complaints } = await newPage(browser, product.url)
  const answers: [string, Record<string, string>][] = []
  page.on('response', (response) => {
    if (response.url().includes('/assets/')) answers.push([response.url(), response.headers()])
  })
  await page.goto('/api/login/react', { waitUntil: 'networkidle' })
  await page.getByRole('button', { name: 'Login' }).waitFor()
  const loaded = await loadedBy(page)
  expect(bytesOf(loaded)).toBeLessThanOrEqual(130_000)
  expect(bytesOf(loaded)).toBeGreaterThan(50_000)
  expect(loaded.length).toBeLessThanOrEqual(8)
  for (const [url, headers] of answers.filter(([url]) => /\/(vendor|index)-/.test(url))) {
    expect(headers['cache-control'], url).toContain('immutable')
    expect(headers['content-security-policy'], url).toBeUndefined()
  }
  expect(answers.find(([url]) => url.includes('/vendor-'))?.[1]['content-encoding']).toBe('br')
  expect(complaints).toEqual([])
  await page.context().close()
})

const budgets: [path: string, kB: number][] = [
  ['/dashboard', 210],
  ['/dashboard/admin/apis', 200],
  ['/dashboard/admin/endpoints', 200],
  ['/dashboard/admin/user', 200],
  ['/dashboard/admin/role', 200],
  ['/dashboard/admin/runs', 200],
  ['/dashboard/admin/documents', 200],
  ['/dashboard/admin/workflows', 200],
  ['/dashboard/admin/alarms', 200],
  ['/dashboard/admin/audit', 200],
  ['/dashboard/admin/logs', 200],
]

it.each(budgets)('%s loads at most %i kB of scripts and styles', async (path, kB) => {
  const { page, complaints } = await newPage(browser, product.url)
  // The first steps of a new installation come with forms.
  await page.addInitScript(() => localStorage.setItem('gatehouse-first-steps', 'over'))
  await signInByCall(page)
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.goto(path, { waitUntil: 'networkidle' })
  await page.getByRole('heading', { level: 2 }).first().waitFor()
  expect(bytesOf(await loadedBy(page)) / 1000).toBeLessThanOrEqual(kB)
  // The page asks who it is for before its code is there; the code asks no second time.
  expect(asked.filter((each) => each === '/api/auth')).toHaveLength(1)
  expect(complaints).toEqual([])
  await page.context().close()
})
