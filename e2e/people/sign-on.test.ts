import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectAccessible, startJourney, toast } from '../harness/journey.ts'
import { closePage, newPage, openFromMenu } from '../harness/open-browser.ts'
import { signIn } from '../harness/run-product.ts'
import { runOpenIdProvider, type Upstream } from '../harness/upstreams/run-upstream.ts'

const journey = startJourney()
const login = '/api/login/react'
let provider: Upstream
beforeAll(async () => {
  provider = await runOpenIdProvider(`${journey.url}${login}`)
})
afterAll(() => provider?.stop())

/** At the provider: who one is, and that the dashboard may know it. */
async function signInAtProvider(page: Page, name: string) {
  await page.getByPlaceholder('Enter any login').fill(name)
  await page.getByPlaceholder('and password').fill('any')
  await page.getByRole('button', { name: 'Sign-in' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
}

const offerOf = (page: Page) => page.getByRole('button', { name: 'Sign in with Company login' })

it('an administrator sets the provider up', async () => {
  const call = await signIn(journey.url)
  await call('POST', '/api/role', { name: 'Clerks', permissions: ['dashboard.view'] })
  const { page } = journey
  await openFromMenu(page, 'All Users')
  await page.getByRole('link', { name: 'Sign-in provider' }).click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Company login')
  await page.getByLabel('Issuer').fill(provider.url)
  await page.getByLabel('Client ID').fill('gatehouse')
  await page.getByLabel('Client secret').fill('a-secret-of-the-client')
  await page.getByText(`${journey.url}${login}`).waitFor()
  await page.getByRole('button', { name: 'Add role' }).click()
  await page.getByLabel('Value 1').fill('clerks')
  await page.getByRole('combobox', { name: 'Role 1' }).click()
  await page.getByRole('option', { name: 'Clerks' }).click()
  for (const name of ['People who are not known here', 'A logout here'])
    await page.getByRole('switch', { name }).check({ force: true })
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save provider' }).click()
  await toast(page, 'Sign-in provider saved.')
})

it('a person of the company signs in, and out here and there', async () => {
  const { page, complaints } = await newPage(journey.browser, journey.url)
  await page.goto(login)
  await offerOf(page).waitFor()
  await expectAccessible(page)
  await offerOf(page).click()
  await signInAtProvider(page, 'clerk-ann')
  await page.waitForURL('**/dashboard')
  await page.getByRole('button', { name: 'Name of clerk-ann' }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await page.getByText('Do you want to sign-out from', { exact: false }).waitFor()
  await page.getByRole('button', { name: 'Yes, sign me out' }).click()
  await offerOf(page).waitFor()
  expect(complaints).toEqual([])
  await closePage(page)
})

it('a person who has no role, or turns back at the provider, is told so', async () => {
  const { page } = await newPage(journey.browser, journey.url)
  await page.goto(login)
  await offerOf(page).click()
  await signInAtProvider(page, 'visitor')
  await page.getByText('You have signed in, but may not enter here.', { exact: false }).waitFor()
  expect(new URL(page.url()).search).toBe('')

  const other = await newPage(journey.browser, journey.url)
  await other.page.goto(login)
  await offerOf(other.page).click()
  await other.page.getByRole('link', { name: 'Cancel' }).click()
  await other.page.getByText('The sign-in was broken off', { exact: false }).waitFor()
  await expectAccessible(other.page)
  for (const each of [page, other.page]) await closePage(each)
})
