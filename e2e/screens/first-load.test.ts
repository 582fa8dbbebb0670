import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newPage, openBrowser, signInByCall } from '../harness/open-browser.ts'
import { runProduct, type Product } from '../harness/run-product.ts'

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

/** What the page has asked for before any module ran, in that order. As text: its types are those of a browser. */
const askedBeforeCode = (page: Page) =>
  page.evaluate<string[]>(`(() => {
    const [{ domInteractive }] = performance.getEntriesByType('navigation')
    return performance
      .getEntriesByType('resource')
      .filter(({ startTime }) => startTime < domInteractive)
      .toSorted((one, other) => one.startTime - other.startTime)
      .map(({ name }) => name.slice(location.origin.length))
  })()`)

const budgets: [path: string, kB: number, rows?: string][] = [
  ['/dashboard', 210],
  ['/dashboard/admin/apis', 204, '/api/apis'],
  ['/dashboard/admin/endpoints', 204, '/api/endpoint'],
  ['/dashboard/admin/user', 204, '/api/user'],
  ['/dashboard/admin/role', 204, '/api/role'],
  ['/dashboard/admin/runs', 204, '/api/runs'],
  ['/dashboard/admin/documents', 204, '/api/documents'],
  ['/dashboard/admin/workflows', 204, '/api/workflows'],
  // With what every kind of alarm means, and what to do about it.
  ['/dashboard/admin/alarms', 206],
  // With the words of every action.
  ['/dashboard/admin/audit', 207, '/api/audit'],
  ['/dashboard/admin/logs', 204],
  ['/dashboard/admin/api-permission', 204, '/api/api-permission'],
]

it.each(budgets)('%s loads at most %i kB of scripts and styles', async (path, kB, rows) => {
  const { page, complaints } = await newPage(browser, product.url)
  // The first steps of a new installation come with forms.
  await page.addInitScript(() => localStorage.setItem('gatehouse-first-steps', 'over'))
  await signInByCall(page)
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url().slice(product.url.length)))
  await page.goto(path, { waitUntil: 'networkidle' })
  await page.getByRole('heading', { level: 2 }).first().waitFor()
  expect(bytesOf(await loadedBy(page)) / 1000).toBeLessThanOrEqual(kB)
  // The page asks who it is for, and for the rows, before its code is there; the code asks no second time.
  const askedFirst = await askedBeforeCode(page)
  const early = askedFirst.filter((each) => each.startsWith('/api/'))
  expect(early).toEqual(['/api/auth', ...(rows === undefined ? [] : [`${rows}?page=1&limit=10`])])
  expect(asked.filter((each) => early.includes(each))).toHaveLength(early.length)
  // What places dropdowns is loaded once the list is drawn.
  expect(askedFirst).toContainEqual(expect.stringContaining('/shell-'))
  expect(askedFirst).not.toContainEqual(expect.stringContaining('/selects-'))
  expect(complaints).toEqual([])
  await page.context().close()
})

const forms: [path: string, kB: number][] = [
  ['/dashboard/admin/role/create', 233],
  ['/dashboard/admin/user/create', 235],
  ['/dashboard/account', 234],
  ['/dashboard/admin/build-request', 283],
  ['/dashboard/admin/tax', 298],
  ['/dashboard/admin/api/create', 282],
  ['/dashboard/admin/endpoint/create', 271],
]

it.each(forms)(
  '%s loads at most %i kB, and the editor of JSON once it is used',
  async (path, kB) => {
    const { page, complaints } = await newPage(browser, product.url)
    await signInByCall(page)
    await page.goto(path, { waitUntil: 'networkidle' })
    await page.getByRole('heading', { level: 2 }).first().waitFor()
    const loaded = await loadedBy(page)
    expect(bytesOf(loaded) / 1000).toBeLessThanOrEqual(kB)
    expect(loaded.filter(({ name }) => name.includes('/editor-'))).toEqual([])
    expect(complaints).toEqual([])
    await page.context().close()
  },
)

it('a list of a new product loads no forms for its next step', async () => {
  const { page } = await newPage(browser, product.url)
  await signInByCall(page)
  await page.goto('/dashboard/admin/apis', { waitUntil: 'networkidle' })
  await page.getByRole('heading', { level: 2 }).first().waitFor()
  expect(bytesOf(await loadedBy(page)) / 1000).toBeLessThanOrEqual(204)
  await page.context().close()
})

const arabicOf = (loaded: Loaded[]) => loaded.filter(({ name }) => /-ar-[^/]*\.js$/.test(name))

it('an Arabic list loads 73 kB of texts, and what the server says once a screen shows it', async () => {
  const { page, complaints } = await newPage(browser, product.url)
  await page.addInitScript(() => localStorage.setItem('gatehouse-language', 'ar'))
  await signInByCall(page)
  await page.goto('/dashboard/admin/apis', { waitUntil: 'networkidle' })
  await page.getByRole('heading', { level: 2 }).first().waitFor()
  const texts = arabicOf(await loadedBy(page))
  expect(bytesOf(texts) / 1000).toBeLessThanOrEqual(73)
  expect(texts.filter(({ name }) => name.includes('/sentences-'))).toEqual([])
  await page.goto('/dashboard/admin/alarm-rules/create', { waitUntil: 'networkidle' })
  // What the kind of alarm means comes from the server's sentences.
  await page.getByText('أُرسل المستند ولم يصل رد واضح. ربما قبلته الجهة.').first().waitFor()
  const later = arabicOf(await loadedBy(page))
  expect(later.filter(({ name }) => name.includes('/sentences-'))).toHaveLength(1)
  expect(complaints).toEqual([])
  await page.context().close()
})

/** Rules that give the root or the body variables, which all elements inherit. As text, as above. */
const inheritedVariables = (page: Page) =>
  page.evaluate<string[]>(`
    [...document.styleSheets]
      .flatMap(({ cssRules }) => [...cssRules])
      .filter((rule) => rule instanceof CSSStyleRule)
      .filter(({ selectorText }) => /(?:^|,)\\s*(?::root|html|body)/.test(selectorText))
      .filter(({ style }) => [...style].some((name) => name.startsWith('--')))
      .map(({ selectorText }) => selectorText)`)

it('toasts and dialogs that come late leave the styles of the page as they are', async () => {
  const { page } = await newPage(browser, product.url)
  await signInByCall(page)
  await page.goto('/dashboard/admin/context', { waitUntil: 'networkidle' })
  const before = await inheritedVariables(page)
  expect(before.length).toBeGreaterThan(0)
  await page.keyboard.press('Shift+?')
  await page.getByRole('dialog').waitFor()
  await page.locator('.Toastify').waitFor({ state: 'attached' })
  expect(await inheritedVariables(page)).toEqual(before)
  await page.context().close()
})
