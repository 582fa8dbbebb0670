import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible, rowOf } from '../harness/journey.ts'
import { createPerson, openAs, showScreen } from '../harness/open-as.ts'
import { signIn } from '../harness/run-product.ts'
import { startTaxJourney } from '../harness/tax-journey.ts'

// One field finds everything: by customer, amount or reference, in any script.

const journey = startTaxJourney()
const references = ['INV-2026-0001', 'INV-2026-0002', 'INV-2026-0003']
const customers = ['مؤسسة النور للتجارة', 'Société Générale', 'Al Watan Printing']

const field = (page: Page) => page.getByRole('combobox', { name: 'Search everything' })
const options = (page: Page) => page.getByRole('option')

beforeAll(async () => {
  const call = await signIn(journey.url)
  const end_point = journey.endpoints['File an invoice']
  for (const [index, reference] of references.entries()) {
    const customer = { name: customers[index] }
    const body = JSON.stringify({ reference, customer, total: '1250.00' })
    await call('POST', '/api/tax', { endpoint_1: { end_point, body } })
  }
})

it('a second after a run is stored, it is found by its texts', async () => {
  const call = await signIn(journey.url)
  const totals = async () => {
    const { body } = await call('GET', '/api/search?q=1250&kinds=run')
    return (body as { groups: { total: number }[] }).groups[0]?.total
  }
  await expect.poll(totals).toBe(references.length)
})

describe('the search', () => {
  it('opens by key, finds while one types, and leads to a run by keys alone', async () => {
    const { page } = journey
    await showScreen(page, '/dashboard/admin/runs')
    await page.keyboard.press('/')
    const ofList = page.getByRole('searchbox', { name: /^Search/ }).first()
    await expect.poll(() => ofList.evaluate((node) => node.matches(':focus'))).toBe(true)
    await page.keyboard.press('Control+k')
    await field(page).waitFor()
    await page.keyboard.type('societe')
    // The first letters may have found the same two already.
    await expect.poll(() => options(page).locator('mark').first().textContent()).toBe('Société')
    await expect.poll(() => options(page).count()).toBe(2)
    await expectAccessible(page)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/documents\/\d+$/)
    await page.getByText('INV-2026-0002').first().waitFor()
  })

  it('offers what was searched for before, and says when nothing is found', async () => {
    const { page } = journey
    await page.keyboard.press('Control+k')
    await page.getByRole('option', { name: 'societe' }).click()
    await expect.poll(() => options(page).count()).toBe(2)
    await field(page).fill('nothing like this')
    await page.getByText('Nothing found').waitFor()
    await page.getByText('headers and answers of authorities are not searched').waitFor()
    await field(page).fill('?')
    await page.getByText('Type two letters or digits').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => field(page).count()).toBe(0)
  })

  it('shows all results with filters, which the address keeps', async () => {
    const { page } = journey
    await page.getByRole('button', { name: 'Search everything' }).click()
    await field(page).fill('1,250.00')
    await page.getByRole('link', { name: 'All results and filters' }).click()
    await page.waitForURL('**/search?q=1%2C250.00')
    const runs = page.getByRole('region', { name: 'Runs' }).getByRole('link')
    await expect.poll(() => runs.count()).toBe(3)
    await page.getByRole('tab', { name: 'Documents' }).click()
    await expect.poll(() => runs.count()).toBe(0)
    await page.getByRole('combobox', { name: 'State' }).click()
    await page.getByRole('option', { name: 'Not accepted' }).click()
    await page.getByText('Nothing found').waitFor()
    await page.reload()
    await page.getByText('Nothing found').waitFor()
    await showScreen(page, `/dashboard/admin/search?q=${encodeURIComponent('النور')}&kind=document`)
    const documents = page.getByRole('region', { name: 'Documents' }).getByRole('link')
    await expect.poll(() => documents.allTextContents()).toEqual(['INV-2026-0001'])
  })

  it('tells what happened about a reference, and leads to the line of the log', async () => {
    const { page } = journey
    await showScreen(page, '/dashboard/admin/search?q=INV-2026-0001')
    const trail = page.getByRole('region', { name: 'What happened' })
    const log = trail.getByRole('listitem').filter({ hasText: 'Log of the server' })
    await log.first().waitFor()
    await trail.getByRole('listitem').filter({ hasText: 'Document' }).first().waitFor()
    await expectAccessible(page)
    await log.first().getByRole('link').click()
    await page.waitForURL(/\/logs\?l=admin.*entry=\d+/)
  })

  it('fits into 390 pixels, in the dark too', async () => {
    const { page } = journey
    await page.setViewportSize({ width: 390, height: 844 })
    await page.emulateMedia({ colorScheme: 'dark' })
    await showScreen(page, '/dashboard/admin/search?q=1250')
    await page.getByRole('region', { name: 'Documents' }).waitFor()
    const overflow = () =>
      page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
    await expect.poll(overflow).toBeLessThanOrEqual(0)
    await showScreen(page, '/dashboard/admin/search?q=INV-2026-0001')
    await page.getByRole('region', { name: 'What happened' }).waitFor()
    await expect.poll(overflow).toBeLessThanOrEqual(0)
    await page.getByRole('button', { name: 'Search everything' }).click()
    await field(page).fill('inv-2026')
    await options(page).first().waitFor()
    await expect.poll(overflow).toBeLessThanOrEqual(0)
    await expectAccessible(page)
  })
})

it('shows users only the screens and records that they may see', async () => {
  const person = await createPerson(journey.url, 'Sees APIs', ['api.view'])
  const { page, refusals } = await openAs(journey.browser, journey.url, person)
  await showScreen(page, '/dashboard/admin/apis')
  await page.keyboard.press('Control+k')
  await field(page).fill('authority')
  await page.getByRole('group', { name: 'APIs' }).getByRole('option').first().waitFor()
  await field(page).fill('inv-2026')
  await page.getByText('Nothing found').waitFor()
  await field(page).fill('user')
  await page.getByText('Nothing found').waitFor()
  expect(refusals).toEqual([])
})

describe('the palette', () => {
  it('opens a screen or an action by its name', async () => {
    const { page } = journey
    await page.setViewportSize({ width: 1440, height: 900 })
    await showScreen(page, '/dashboard')
    await page.keyboard.press('/')
    await field(page).fill('add api')
    await page.getByRole('option', { name: /^Add Api/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/api/create')
    await page.keyboard.press('Control+k')
    await field(page).fill('changes of users')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/audit?thing=user')
  })

  it('finds endpoints and users, and opens them', async () => {
    const { page } = journey
    await page.keyboard.press('Control+k')
    await field(page).fill('gateway-client')
    await page.getByRole('group', { name: 'Users' }).getByRole('option').first().waitFor()
    await field(page).fill('file an inv')
    await page.getByRole('group', { name: 'Endpoints' }).getByRole('option').first().click()
    await page.waitForURL(/\/endpoint\/edit\/\d+$/)
    await expectAccessible(page)
  })

  it('opens what is clicked while the rest is still being searched', async () => {
    const { page } = journey
    await page.route('**/api/search?*', () => {})
    await page.keyboard.press('Control+k')
    await field(page).fill('gateway-client')
    await page.getByRole('group', { name: 'Users' }).getByRole('option').first().click()
    await page.waitForURL(/\/user\/edit\/\d+$/)
    await page.unroute('**/api/search?*')
  })

  it('keeps what was chosen by keys when more is found before it', async () => {
    const { page } = journey
    const held = Promise.withResolvers<void>()
    await page.route('**/api/endpoint?*', async (route) => {
      await held.promise
      await route.fallback()
    })
    await page.keyboard.press('Control+k')
    await field(page).fill('inv')
    const selected = page.getByRole('option', { selected: true })
    await options(page).nth(1).waitFor()
    await page.keyboard.press('ArrowDown')
    const chosen = await selected.innerText()
    held.resolve()
    await page.getByRole('group', { name: 'Endpoints' }).getByRole('option').first().waitFor()
    expect(await selected.innerText()).toBe(chosen)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/(documents|runs)\/\d+$/)
    await page.unroute('**/api/endpoint?*')
  })
})

describe('the keys', () => {
  it('Ctrl+S saves the form, and ? lists what the keys do', async () => {
    const { page } = journey
    await showScreen(page, '/dashboard/admin/role/create')
    await page.getByLabel('Role Name').fill('Made by keys')
    await page.keyboard.press('Control+s')
    await page.waitForURL(/\/role\/edit\/\d+$/)
    await page.getByRole('link', { name: 'Cancel' }).click()
    await page.waitForURL('**/admin/role')
    await rowOf(page, 'Made by keys').waitFor()
    await page.keyboard.press('Shift+?')
    await page.getByRole('dialog').getByText('Save the form').waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
  })

  it('Ctrl+Enter sends the request', async () => {
    const { page } = journey
    const id = journey.endpoints['File an invoice']
    await showScreen(page, `/dashboard/admin/endpoint/edit/${id}`)
    await page.getByRole('heading', { name: 'Try it' }).click()
    await page.getByLabel('Query', { exact: true }).fill('a=1')
    await page.keyboard.press('Control+Enter')
    await page.getByText(/In the gateway .* ms, on configuration/).waitFor()
  })
})

describe('the help', () => {
  it('opens beside the screen at what it is about, and follows links', async () => {
    const { page } = journey
    await showScreen(page, '/dashboard/admin/lanes')
    await page.getByRole('button', { name: 'Help for this screen' }).click()
    const help = page.getByRole('complementary', { name: 'Help' })
    await help.getByRole('heading', { name: 'Lanes', exact: true }).waitFor()
    await expectAccessible(page)
    await help.getByRole('button').filter({ hasText: 'runs' }).first().click()
    await help.getByRole('button', { name: 'Back', exact: true }).click()
    await help.getByRole('heading', { name: 'Lanes', exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => help.count()).toBe(0)
  })

  it('opens at the section that a refusal names, and leads to that of the last refusal', async () => {
    const { page } = journey
    const refused = await page.request.get('/api/runs/999999')
    const { code, help } = (await refused.json()) as { code: string; help: string }
    expect(code).toBe('session.unauthenticated')
    await page.goto(help)
    const panel = page.getByRole('complementary', { name: 'Help' })
    await panel.getByRole('heading', { name: code, exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await showScreen(page, '/dashboard/admin/runs/999999')
    await page.getByRole('button', { name: 'Help for this screen' }).click()
    await panel.getByRole('button', { name: 'run.not_found', exact: true }).click()
    await panel.getByRole('heading', { name: 'run.not_found', exact: true }).waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
  })

  it('covers a narrow screen, in the dark too', async () => {
    const { page } = journey
    await page.setViewportSize({ width: 390, height: 844 })
    await page.emulateMedia({ colorScheme: 'dark' })
    await showScreen(page, '/dashboard/admin/runs')
    const header = () => page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
    expect(await header()).toBeLessThanOrEqual(0)
    await page.getByRole('button', { name: 'Help for this screen' }).click()
    await page.getByRole('complementary', { name: 'Help' }).getByRole('table').first().waitFor()
    expect(await header()).toBeLessThanOrEqual(0)
    await expectAccessible(page)
  })
})
