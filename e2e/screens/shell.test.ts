import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { startJourney } from '../harness/journey.ts'
import { createPerson, showScreen, type Person } from '../harness/open-as.ts'
import { closePage, newPage, signInOnPage } from '../harness/open-browser.ts'

// `every-screen` follows each link of the menu, and looks at each screen.

const journey = startJourney()
let page: Page
let reader: Person
beforeAll(async () => {
  ;({ page } = journey)
  reader = await createPerson(journey.url, 'Reader', ['dashboard.view', 'api.view'])
})

async function menuLinks(of: Page): Promise<(string | null)[]> {
  const menu = of.getByRole('navigation', { name: 'Main' })
  await menu.getByRole('link').first().waitFor()
  return menu
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')))
}

it('an unknown path shows "not found" inside the shell', async () => {
  await showScreen(page, '/dashboard/admin/nothing-here')
  await page.getByRole('heading', { name: /not found|does not exist|404/i }).waitFor()
  expect(await page.getByRole('navigation').count()).toBeGreaterThan(0)
})

it('the breadcrumb’s Home leads to the dashboard', async () => {
  await showScreen(page, '/dashboard/admin/apis')
  await page.getByRole('link', { name: 'Home' }).click()
  await page.waitForURL('**/dashboard')
  // The screen of before stays until the next is loaded.
  const tile = page.getByRole('main').getByRole('link', { name: /APIs/ })
  const href = () => tile.first().getAttribute('href')
  await expect.poll(href).toBe('/dashboard/admin/apis')
})

it('the API reference opens for signed-in users only', async () => {
  await page.goto('/api/docs')
  await page.getByRole('heading', { name: 'Gatehouse admin API' }).waitFor()
  const anonymous = await newPage(journey.browser, journey.url)
  await anonymous.page.goto('/api/docs')
  await anonymous.page.waitForURL('**/api/login/react')
  expect(anonymous.complaints).toEqual([])
  await closePage(anonymous.page)
})

it('a user without a permission sees neither the menu entry nor the screen', async () => {
  const theirs = await newPage(journey.browser, journey.url)
  await signInOnPage(theirs.page, reader.email, reader.password)
  const links = await menuLinks(theirs.page)
  expect(links.toSorted()).toEqual([
    '/dashboard',
    '/dashboard/admin/api-docs',
    '/dashboard/admin/apis',
    '/dashboard/admin/traffic',
  ])
  await showScreen(theirs.page, '/dashboard/admin/apis')
  await theirs.page.getByRole('heading', { name: 'Apis List' }).waitFor()
  expect(await theirs.page.getByRole('link', { name: 'Add Api' }).count()).toBe(0)
  await showScreen(theirs.page, '/dashboard/admin/endpoints')
  await theirs.page.getByText('endpoint.view').waitFor()
  expect(theirs.complaints).toEqual([])
  await closePage(theirs.page)
})

it('after a sign-out, Back shows nothing, and no answer is left in the cache', async () => {
  const { page: at, complaints } = await newPage(journey.browser, journey.url)
  await signInOnPage(at, reader.email, reader.password)
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
  expect(complaints).toEqual([])
  await closePage(at)
})

it('the browser reported no error', () => {
  expect(journey.complaints).toEqual([])
})

it('no entry of the menu grows to a second line when its pin is shown', async () => {
  const { page } = journey
  await page.setViewportSize({ width: 1440, height: 900 })
  await showScreen(page, '/dashboard')
  const menu = page.getByRole('navigation', { name: 'Main' })
  const more = menu.getByRole('button', { name: 'Rarely used' })
  if ((await more.getAttribute('aria-expanded')) === 'false') await more.click()
  const grown: string[] = []
  for (const link of await menu.getByRole('link').all()) {
    const height = async () => (await link.boundingBox())?.height
    const before = await height()
    await link.focus()
    // As bold as where one is.
    await link.evaluate((each) => (each.parentElement!.dataset['active'] = 'true'))
    if ((await height()) !== before) grown.push(await link.innerText())
  }
  expect(grown).toEqual([])
})
