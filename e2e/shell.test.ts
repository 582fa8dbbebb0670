import { rmSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newDataDir } from './harness/data-dir.ts'
import { accessibilityProblems, newPage, signInOnPage } from './harness/open-browser.ts'
import { runProduct, signIn, type Product } from './harness/run-product.ts'
import { closePages, sharedBrowser } from './harness/shared-browser.ts'

const password = 'another long secret'

let folder: string
let product: Product
let browser: Browser
let page: Page
let complaints: string[]
beforeAll(async () => {
  folder = newDataDir()
  ;[product, browser] = await Promise.all([runProduct({ DATA_DIR: folder }), sharedBrowser()])
  ;({ page, complaints } = await newPage(browser, product.url))
  await signInOnPage(page)
})
afterAll(async () => {
  await closePages(browser)
  await product?.end('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

async function menuLinks(of: Page): Promise<(string | null)[]> {
  const menu = of.getByRole('navigation', { name: 'Main' })
  await menu.getByRole('link').first().waitFor()
  return menu
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')))
}

it('every link of the menu leads to its own screen', async () => {
  const links = await menuLinks(page)
  expect(links).toContain('/dashboard/admin/apis')
  for (const link of links) {
    await page.goto(link ?? '')
    await page.getByRole('heading', { level: 2 }).first().waitFor()
    expect(await page.getByText('This page does not exist').count(), link ?? '').toBe(0)
    expect(new URL(page.url()).pathname).toBe(link)
  }
})

it('an unknown path shows "not found" inside the shell', async () => {
  await page.goto('/dashboard/admin/nothing-here')
  await page.getByRole('heading', { name: /not found|does not exist|404/i }).waitFor()
  expect(await page.getByRole('navigation').count()).toBeGreaterThan(0)
})

it('the breadcrumb’s Home leads to the dashboard', async () => {
  await page.goto('/dashboard/admin/apis')
  await page.getByRole('link', { name: 'Home' }).click()
  await page.waitForURL('**/dashboard')
  // The screen of before stays until the next is loaded.
  const tile = page.getByRole('main').getByRole('link', { name: /APIs/ })
  const href = () => tile.first().getAttribute('href')
  await expect.poll(href).toBe('/dashboard/admin/apis')
})

it('screens fit a phone, in the dark, and stay accessible', async () => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.emulateMedia({ colorScheme: 'dark' })
  for (const path of [
    '/dashboard',
    '/dashboard/admin/apis',
    '/dashboard/admin/api/create',
    '/dashboard/admin/endpoint/create',
    '/dashboard/admin/context',
    '/dashboard/admin/build-request',
  ]) {
    await page.goto(path)
    await page.getByRole('heading', { level: 2 }).first().waitFor()
    expect(
      await page.evaluate<number>('document.documentElement.scrollWidth'),
      path,
    ).toBeLessThanOrEqual(390)
    expect(await accessibilityProblems(page), path).toEqual([])
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.emulateMedia({ colorScheme: 'light' })
})

it('the API reference opens for signed-in users only', async () => {
  await page.goto('/api/docs')
  await page.getByRole('heading', { name: 'Gatehouse admin API' }).waitFor()
  const anonymous = await newPage(browser, product.url)
  await anonymous.page.goto('/api/docs')
  await anonymous.page.waitForURL('**/api/login/react')
  expect(anonymous.complaints).toEqual([])
  await anonymous.page.context().close()
})

it('a user without a permission sees neither the menu entry nor the screen', async () => {
  const call = await signIn(product.url)
  const role = await call('POST', '/api/role', {
    name: 'Reader',
    permissions: ['dashboard.view', 'api.view'],
  })
  await call('POST', '/api/user', {
    name: 'Reader',
    email: 'reader@example.com',
    username: 'reader',
    password,
    password_confirmation: password,
    roles: [(role.body as { id: number }).id],
  })
  const reader = await newPage(browser, product.url)
  await signInOnPage(reader.page, 'reader@example.com', password)
  const links = await menuLinks(reader.page)
  expect(links.toSorted()).toEqual([
    '/dashboard',
    '/dashboard/admin/api-docs',
    '/dashboard/admin/apis',
  ])
  await reader.page.goto('/dashboard/admin/apis')
  await reader.page.getByRole('heading', { name: 'Apis List' }).waitFor()
  expect(await reader.page.getByRole('link', { name: 'Add Api' }).count()).toBe(0)
  await reader.page.goto('/dashboard/admin/endpoints')
  await reader.page.getByText('endpoint.view').waitFor()
  expect(reader.complaints).toEqual([])
  await reader.page.context().close()
})

it('after a sign-out, Back shows nothing, and no answer is left in the cache', async () => {
  const reader = await newPage(browser, product.url)
  const at = reader.page
  await signInOnPage(at, 'reader@example.com', password)
  const read: string[] = []
  at.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (request.method() === 'GET' && pathname.startsWith('/api/')) read.push(request.url())
  })
  await at.goto('/dashboard/admin/apis')
  await at.getByRole('heading', { name: 'Apis List' }).waitFor()
  await at.getByRole('button', { name: 'Reader' }).click()
  await at.getByRole('menuitem', { name: 'Logout' }).click()
  await at.getByRole('button', { name: 'Login' }).waitFor()
  at.removeAllListeners('request')
  await at.goBack()
  await at.getByRole('button', { name: 'Login' }).waitFor()
  expect(await at.getByText('Apis List').count()).toBe(0)
  const kept = (urls: string[]) =>
    at.evaluate(async (all) => {
      const answers = await Promise.all(all.map((url) => fetch(url, { cache: 'force-cache' })))
      return answers.map(({ status }) => status)
    }, urls)
  expect(read.length).toBeGreaterThan(1)
  expect(new Set(await kept(read))).toEqual(new Set([401]))
  expect(reader.complaints).toEqual([])
  await at.context().close()
})

it('the browser reported no error', () => {
  expect(complaints).toEqual([])
})
