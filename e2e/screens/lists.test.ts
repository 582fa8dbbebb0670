import { beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible, rowOf, startJourney, toast } from '../harness/journey.ts'
import { showScreen } from '../harness/open-as.ts'
import { openFromMenu } from '../harness/open-browser.ts'

const journey = startJourney()

/** Two APIs, and an endpoint of each method at both. */
beforeAll(async () => {
  for (const name of ['Orders', 'Ledger']) {
    const { id } = await create('/api/apis', {
      name,
      api_protocol: 'http',
      gateway_status: 'active',
      api_access: 'internally',
      api_url: `https://${name.toLowerCase()}.example.com`,
    })
    for (let number = 1; number <= 12; number++)
      await create('/api/endpoint', {
        api_id: id,
        method_type: number % 3 === 0 ? 'post' : 'get',
        status: number % 2 === 0 ? 'active' : 'disabled',
        path: `/${name.toLowerCase()}/${number}`,
        authentication: 0,
        summery: `${name} ${number}`,
        description: `Reads ${name} number ${number}`,
      })
  }
})

async function create(path: string, data: object): Promise<{ id: number }> {
  const { page } = journey
  const token = await page.evaluate(() => localStorage.getItem('authToken'))
  const answer = await page.request.post(path, {
    data,
    headers: { authorization: `Bearer ${token}` },
  })
  expect(answer.status(), await answer.text()).toBe(201)
  return (await answer.json()) as { id: number }
}

describe('a list', () => {
  it('does not come back when a link is followed while its search is typed', async () => {
    const { page } = journey
    await showScreen(page, '/dashboard/admin/endpoints')
    const edit = page.getByRole('link', { name: /^Edit/ }).first()
    await edit.waitFor()
    // The next screen takes longer than the pause after which a search is reported.
    await page.route('**/*.js', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 600))
      await route.continue()
    })
    await page.getByLabel('Search endpoints').fill('Orders')
    await edit.click()
    await page.waitForURL(/\/endpoint\/edit\/\d+/)
    // One that still waits would go on with a request that is let go.
    await page.unrouteAll({ behavior: 'wait' })
  })

  it('is narrowed by filters and several words, and is found again after an edit', async () => {
    const { page } = journey
    await openFromMenu(page, 'Endpoints')
    await page.getByText('1–10 of 24').waitFor()
    await page.getByRole('combobox', { name: 'API' }).click()
    await page.getByRole('option', { name: 'Ledger' }).click()
    await page.getByText('1–10 of 12').waitFor()
    await page.getByRole('combobox', { name: 'Status' }).click()
    await page.getByRole('option', { name: 'Active' }).click()
    await page.getByText('1–6 of 6').waitFor()
    await page.getByRole('searchbox', { name: 'Search endpoints' }).fill('number 12 ledger')
    await page.getByText('1–1 of 1').waitFor()
    const address = page.url()
    await rowOf(page, 'Reads Ledger number 12').getByRole('link', { name: 'Edit' }).click()
    await page.getByRole('textbox', { name: 'Description' }).fill('Reads Ledger number 12 at once')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await toast(page, 'Endpoint saved.')
    // A save adds nothing to the history: Back leads to the list as it was left.
    await page.goBack()
    await page.waitForURL(address)
    await rowOf(page, 'Reads Ledger number 12 at once').waitFor()
    await page.getByRole('searchbox', { name: 'Search endpoints' }).fill('orders ledger')
    await page.getByText('Nothing matches “orders ledger”.').waitFor()
  })

  it('remembers how many rows a page has', async () => {
    const { page } = journey
    await openFromMenu(page, 'Endpoints')
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByText('11–20 of 24').waitFor()
    await page.getByRole('combobox', { name: 'Rows a page' }).click()
    await page.getByRole('option', { name: '25 a page' }).click()
    await page.getByText('1–24 of 24').waitFor()
    await page.reload()
    await page.getByText('1–24 of 24').waitFor()
    await openFromMenu(page, 'APIs')
    await page.getByText('1–2 of 2').waitFor()
  })

  it('shows the columns that were chosen', async () => {
    const { page } = journey
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('checkbox', { name: 'Endpoints', exact: true }).check()
    await expectAccessible(page)
    await page.reload()
    await rowOf(page, 'Ledger').getByText('12', { exact: true }).waitFor()
  })
})

describe('tags', () => {
  it('are given in the form, offered again, and narrow the list', async () => {
    const { page } = journey
    await openFromMenu(page, 'APIs')
    await rowOf(page, 'Orders').getByRole('link', { name: 'Edit' }).click()
    const field = page.getByRole('combobox', { name: 'Tags' })
    await field.fill('Saudi Arabia')
    await field.press('Enter')
    await field.fill('live')
    await field.press('Enter')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await toast(page, 'API updated successfully!')
    await page.getByRole('link', { name: 'Cancel' }).click()
    await rowOf(page, 'Orders').getByRole('link', { name: 'saudi arabia' }).click()
    await page.getByText('1–1 of 1').waitFor()
    await expectAccessible(page)
    await page.getByRole('combobox', { name: 'Tag' }).click()
    await page.getByRole('option', { name: 'live (1)' }).click()
    await page.waitForURL('**?tag=live')
    await showScreen(page, '/dashboard/admin/api/create')
    await page.getByRole('combobox', { name: 'Tags' }).click()
    await page.getByRole('option', { name: 'saudi arabia' }).waitFor()
  })
})

describe('several rows', () => {
  const bar = () => journey.page.getByRole('region', { name: 'Selected rows' })
  const dialog = (name: string) => journey.page.getByRole('dialog', { name })

  it('are disabled, tagged and granted together', async () => {
    const { page } = journey
    await showScreen(page, '/dashboard/admin/endpoints?search=orders+number+1')
    await page.getByRole('checkbox', { name: 'Select Reads Orders number 10' }).check()
    await page.getByRole('checkbox', { name: 'Select Reads Orders number 11' }).check()
    await bar().getByText('2 selected').waitFor()
    await expectAccessible(page)
    await bar().getByRole('button', { name: 'Disable' }).click()
    const sure = dialog('Disable: 2 endpoints?').getByRole('button', { name: /^Disable/ })
    await sure.waitFor()
    await expectAccessible(page)
    await sure.click()
    const results = dialog('Disable: 1 done, 1 unchanged')
    await results.getByText('Was so already').waitFor()
    await expectAccessible(page)
    await results.getByRole('button', { name: 'Close' }).click()
    await rowOf(page, 'number 10').getByText('disabled').waitFor()

    await bar().getByRole('button', { name: 'Tag' }).click()
    const tags = dialog('Tag: 2 endpoints?')
    await tags.getByRole('combobox', { name: 'Tags to add' }).fill('pilot')
    await tags.getByRole('combobox', { name: 'Tags to add' }).press('Enter')
    await tags.getByRole('button', { name: /^Tag/ }).click()
    await dialog('Tag: 2 done').getByRole('button', { name: 'Close' }).click()
    await rowOf(page, 'number 11').getByRole('link', { name: 'pilot' }).waitFor()

    await bar().getByRole('button', { name: 'Grant access' }).click()
    const grant = dialog('Grant access: 2 endpoints?')
    await grant.getByRole('combobox', { name: 'Role' }).click()
    await page.getByRole('option', { name: 'Operator' }).click()
    await grant.getByRole('button', { name: /^Grant/ }).click()
    await dialog('Grant access: 2 done').getByRole('button', { name: 'Close' }).click()
  })

  it('are all that match, on every page, by one press each; a row is opened by a press', async () => {
    const { page } = journey
    await page.setViewportSize({ width: 390, height: 844 })
    await showScreen(page, '/dashboard/admin/endpoints?search=number')
    await page.getByRole('combobox', { name: 'Rows a page' }).click()
    await page.getByRole('option', { name: '10 a page' }).click()
    await page.getByText('1–10 of 24').waitFor()
    await page.getByRole('checkbox', { name: 'All rows of this page' }).check()
    await bar().getByText('10 selected').waitFor()
    await bar().getByRole('button', { name: 'Select all 24 that match' }).click()
    await bar().getByText('All 24 selected').waitFor()
    await expectAccessible(page)
    await bar().getByRole('button', { name: 'Disable' }).click()
    await dialog('Disable: 24 endpoints?')
      .getByRole('button', { name: /^Disable/ })
      .click()
    const results = page.getByRole('dialog', { name: /^Disable: \d+ done, \d+ unchanged$/ })
    await results.getByRole('button', { name: 'Close' }).click()
    await bar().getByRole('button', { name: 'Clear selection' }).click()
    await showScreen(page, '/dashboard/admin/endpoints?status=active')
    await page.getByText('Nothing matches these filters.').waitFor()
    await page.getByRole('searchbox', { name: 'Search endpoints' }).fill('ledger 7 stat')
    await page.getByRole('option', { name: /^status:/ }).click()
    await page.keyboard.type('dis')
    await page.getByRole('option', { name: 'Disabled' }).waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    await page.waitForURL(
      /search=ledger(?:\+|%20)7&status=disabled$|status=disabled&search=ledger(?:\+|%20)7$/,
    )
    await page.getByText('Status: Disabled').waitFor()
    await expectAccessible(page)
    await rowOf(page, 'Reads Ledger number 7').getByText('/ledger/7').click()
    await page.waitForURL(/\/endpoint\/edit\/\d+/)
    await page.setViewportSize({ width: 1280, height: 900 })
  })

  it('that can’t be deleted say why, and leave the others done', async () => {
    const { page } = journey
    await create('/api/apis', {
      name: 'Spare',
      api_protocol: 'http',
      gateway_status: 'active',
      api_access: 'internally',
      api_url: 'https://spare.example.com',
    })
    await showScreen(page, '/dashboard/admin/apis')
    await page.getByRole('checkbox', { name: 'Select Spare' }).check()
    await bar().getByRole('button', { name: 'Select all 3' }).click()
    await bar().getByRole('button', { name: 'Delete' }).click()
    await dialog('Delete: 3 APIs?')
      .getByRole('button', { name: /^Delete/ })
      .click()
    const results = dialog('Delete: 1 done, 2 refused')
    await results.getByText('This API still has 12 endpoints. Delete them first.').first().waitFor()
    await results.getByRole('button', { name: 'Close' }).click()
    await page.getByText('1–2 of 2').waitFor()
    await page
      .locator('.Toastify__toast', { hasText: 'Delete: 1 done' })
      .getByRole('button', { name: 'Undo' })
      .click()
    await toast(page, 'Undone.')
    await page.getByText('1–3 of 3').waitFor()
    await rowOf(page, 'Spare').waitFor()
  })

  it('a delete is undone by keys, as the message says', async () => {
    const { page } = journey
    await showScreen(page, '/dashboard/admin/apis?search=Spare')
    await page.getByRole('button', { name: 'Delete Spare' }).click()
    await dialog('Delete this API?')
      .getByRole('button', { name: /^Delete/ })
      .click()
    const undo = page
      .locator('.Toastify__toast', { hasText: 'API deleted' })
      .getByRole('button', { name: 'Undo' })
    await undo.waitFor()
    // The dialog gives the focus back before the message takes it.
    await dialog('Delete this API?').waitFor({ state: 'detached' })
    await page.keyboard.press('Alt+KeyT')
    // Earlier messages may still be shown before it.
    for (let tabs = 0; tabs < 10 && (await undo.and(page.locator(':focus')).count()) === 0; tabs++)
      await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await toast(page, 'Undone.')
    await rowOf(page, 'Spare').waitFor()
  })
})
