import type { CDPSession, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectAccessible, startJourney, toast } from '../harness/journey.ts'
import { createPerson, showScreen } from '../harness/open-as.ts'
import { closePage, newPage, signInOnPage } from '../harness/open-browser.ts'

const journey = startJourney()
const login = '/api/login/react'
const account = '/dashboard/account'

/** The same server at each of both. Browsers want a name: passkeys belong to no address. */
const named = () => journey.url.replace('127.0.0.1', 'localhost')
const numbered = () => journey.url.replace('localhost', '127.0.0.1')

/** A device that a browser without a person before it knows (W3C Web Authentication, "Virtual Authenticators"). */
async function addDevice(page: Page): Promise<Device> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  })
  return { session, authenticatorId }
}

interface Device {
  session: CDPSession
  authenticatorId: string
}

/** Whether it knows its user's finger: if not, the browser says what it says of a window that was closed. */
const recognise = ({ session, authenticatorId }: Device, isUserVerified: boolean) =>
  session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })

const notUsed =
  'No passkey was used: you closed the window of the browser, or it waited for too long.'
const signInButton = (page: Page) => page.getByRole('button', { name: 'Sign in with a passkey' })

/** Makes a passkey on the page of the account. */
async function add(page: Page, name: string, password: string) {
  await showScreen(page, account)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByLabel('Current Password').fill(password)
  await dialog.getByRole('button', { name: 'Continue' }).click()
}

it('a user adds a passkey, signs in with it, renames it and removes it', async () => {
  const person = await createPerson(journey.url, 'Ada Passkey', ['dashboard.view'])
  const { page, complaints } = await newPage(journey.browser, named())
  const device = await addDevice(page)
  await signInOnPage(page, person.email, person.password)
  await showScreen(page, account)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog')
  expect(await dialog.getByLabel('Name').inputValue()).toContain(' on ')
  await dialog.getByLabel('Name').fill(' ')
  await dialog.getByLabel('Current Password').fill(person.password)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByText('The name field is required.').waitFor()
  await expectAccessible(page)

  // Their finger is not known at first. The password counts all the same.
  await recognise(device, false)
  await dialog.getByLabel('Name').fill('My phone')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByText(notUsed).waitFor()
  await expectAccessible(page)
  await recognise(device, true)
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await toast(page, 'The passkey was added.')
  await page.getByRole('button', { name: 'Rename My phone' }).waitFor()
  await expectAccessible(page)

  await add(page, 'The same phone', person.password)
  await dialog.getByText('This device has a passkey for you already.').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  await page.evaluate(() => localStorage.removeItem('authToken'))
  await page.goto(login)
  await signInButton(page).waitFor()
  await expectAccessible(page)
  await recognise(device, false)
  await signInButton(page).click()
  await page.getByText(notUsed).waitFor()
  await expectAccessible(page)
  await recognise(device, true)
  await signInButton(page).click()
  await page.waitForURL('**/dashboard')

  await showScreen(page, account)
  await page.getByRole('button', { name: 'Rename My phone' }).click()
  await dialog.getByLabel('Name').fill('Old phone')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await toast(page, 'The passkey was renamed.')
  await page.getByRole('button', { name: 'Remove Old phone' }).click()
  await dialog.getByLabel('Current Password').fill('a wrong guess')
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await dialog.getByText('This is not your current password.').waitFor()
  await expectAccessible(page)
  await dialog.getByLabel('Current Password').fill(person.password)
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await toast(page, 'The passkey was removed.')
  await page.getByRole('button', { name: 'Remove Old phone' }).waitFor({ state: 'detached' })
  expect(complaints).toEqual([])
  await closePage(page)
})

it('over a form whose session has ended a passkey signs in again, and nothing typed is lost', async () => {
  const permissions = ['dashboard.view', 'role.view', 'role.create']
  const person = await createPerson(journey.url, 'Vera Passkey', permissions)
  const { page, complaints } = await newPage(journey.browser, named())
  await addDevice(page)
  await signInOnPage(page, person.email, person.password)
  await add(page, 'Laptop', person.password)
  await toast(page, 'The passkey was added.')
  await showScreen(page, '/dashboard/admin/role/create')
  const name = page.getByPlaceholder('Enter a Role Name')
  await name.fill('Clerks')
  // As after a logout in another tab.
  await page.evaluate(`
    localStorage.removeItem('authToken')
    dispatchEvent(new StorageEvent('storage', { key: 'authToken' }))
  `)
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Your session has ended').waitFor()
  await signInButton(page).waitFor()
  await expectAccessible(page)
  await signInButton(page).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await name.inputValue()).toBe('Clerks')
  expect(complaints).toEqual([])
  await closePage(page)
})

it('an administrator removes the passkeys of a user, which then sign in no more', async () => {
  const person = await createPerson(journey.url, 'Otto Passkey', ['dashboard.view'])
  const { page: theirs } = await newPage(journey.browser, named())
  await addDevice(theirs)
  await signInOnPage(theirs, person.email, person.password)
  await add(theirs, 'Security key', person.password)
  await toast(theirs, 'The passkey was added.')

  const { page } = journey
  await showScreen(page, `/dashboard/admin/user/edit/${person.id}`)
  await page.getByText('There is 1 passkey.').waitFor()
  await page.getByRole('button', { name: 'Remove all passkeys' }).click()
  await page.getByRole('button', { name: 'Remove all', exact: true }).click()
  await toast(page, 'The passkeys were removed.')
  await page.getByText('There is 1 passkey.').waitFor({ state: 'detached' })

  // Of another user, so that the login page still has the button.
  const other = await createPerson(journey.url, 'Ida Passkey', ['dashboard.view'])
  const { page: another } = await newPage(journey.browser, named())
  await addDevice(another)
  await signInOnPage(another, other.email, other.password)
  await add(another, 'Security key', other.password)
  await toast(another, 'The passkey was added.')
  await closePage(another)
  await theirs.goto(login)
  await signInButton(theirs).click()
  await theirs.getByText('This passkey does not sign in here', { exact: false }).waitFor()
  await closePage(theirs)

  // At an address there are none, and the page says why.
  const { page: atAddress } = await newPage(journey.browser, numbered())
  await atAddress.goto(login)
  await atAddress.getByText('Passkeys need https, or localhost', { exact: false }).waitFor()
  expect(await signInButton(atAddress).count()).toBe(0)
  await closePage(atAddress)
})
