import { describe, expect, it } from 'vitest'
import {
  alertOf,
  expectAccessible,
  expectNotOffered,
  rowOf,
  startJourney,
  toast,
} from '../harness/journey.ts'
import { createPerson, openAs, showScreen } from '../harness/open-as.ts'
import { closePage, newPage, signInOnPage } from '../harness/open-browser.ts'

const list = '/dashboard/admin/user'
const firstPassword = 'first pass phrase'
const secondPassword = 'second pass phrase'
const ownPassword = 'a phrase of my own'

const journey = startJourney()
const field = (name: string) => journey.page.getByRole('textbox', { name, exact: true })

describe('an administrator', () => {
  it('sees under each field what is wrong with a new user', async () => {
    const { page } = journey
    await page.getByRole('link', { name: 'All Users' }).click()
    await page.getByRole('link', { name: 'Add User' }).click()
    await page.getByRole('heading', { name: 'Create New User' }).waitFor()
    await field('User Email').fill('not an address')
    await page.getByRole('button', { name: 'Save User' }).click()
    await toast(page, 'Validation errors occurred!')
    await page.getByText('The name field is required.').waitFor()
    await page.getByText('The email must be an e-mail address.').waitFor()
    await page.getByText('The password field is required.').waitFor()
    await page.getByText('The roles field is required.').waitFor()
    await expectAccessible(page)
    await field('User Name').fill('Otto')
    await page.getByText('The name field is required.').waitFor({ state: 'detached' })
  })

  it('creates the user, and finds them in the list', async () => {
    const { page } = journey
    await field('User Email').fill('otto@example.com')
    await field('Password').fill(firstPassword)
    await field('Confirm Password').fill(firstPassword)
    await field('Username').fill('otto')
    await page.getByRole('combobox', { name: 'Assign Roles' }).click()
    await page.getByRole('option', { name: 'Auditor' }).click()
    await page.getByRole('button', { name: 'Save User' }).click()
    await toast(page, 'User created successfully!')
    await page.getByRole('heading', { name: 'Edit User - Otto' }).waitFor()
    await page.goBack()
    await page.waitForURL(`**${list}`)
    await rowOf(page, 'otto@example.com').getByText('Auditor').waitFor()
    await rowOf(page, 'Gateway client').getByText('can’t sign in').waitFor()
    await expectAccessible(page)
  })

  it('gets an alert when an edit failed, with the reason under the field', async () => {
    const { page } = journey
    await rowOf(page, 'otto@example.com').getByRole('link', { name: 'Edit' }).click()
    await page.getByRole('heading', { name: 'Edit User - Otto' }).waitFor()
    await field('User Email').fill('admin@example.com')
    const save = page.getByRole('button', { name: 'Save User' })
    expect(await alertOf(page, () => save.click())).toBe('Failed to update user')
    await page.getByText('This email is already in use.').waitFor()
  })

  it('gives them a new password, which ends their session at once', async () => {
    const { page } = journey
    const otto = { id: 0, email: 'otto@example.com', password: firstPassword }
    const { page: theirs } = await openAs(journey.browser, journey.url, otto)
    await showScreen(theirs, list)
    await theirs.getByRole('heading', { name: 'All Users' }).waitFor()

    await field('User Email').fill('otto@example.com')
    await field('Password').fill(secondPassword)
    await field('Confirm Password').fill(secondPassword)
    await page.getByRole('button', { name: 'Save User' }).click()
    await toast(page, 'User updated successfully!')
    await page.getByText('No unsaved changes').waitFor()
    expect(await field('Password').inputValue()).toBe('')

    await theirs.getByRole('link', { name: 'All Roles' }).click()
    await theirs.waitForURL('**/api/login/react')
    expect(await theirs.evaluate(() => localStorage.getItem('authToken'))).toBeNull()
    await closePage(theirs)
  })

  it('deletes them after a confirmation that says what is deleted', async () => {
    const { page } = journey
    await createPerson(journey.url, 'Obsolete', [])
    await showScreen(page, `${list}?search=obsolete`)
    await rowOf(page, 'obsolete@example.com').getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete this user?' })
    await dialog.getByText(/personal tokens go with them/).waitFor()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Delete user' }).click()
    await toast(page, 'User deleted successfully!')
    await page.getByText('Nothing matches “obsolete”.').waitFor()
  })
})

describe('every user', () => {
  it('changes their own password, and stays signed in', async () => {
    const { page: theirs } = await newPage(journey.browser, journey.url)
    await signInOnPage(theirs, 'otto@example.com', secondPassword)
    await theirs.getByRole('button', { name: /Account of/ }).click()
    await theirs.getByRole('menuitem', { name: 'My account' }).click()
    await theirs.getByRole('textbox', { name: 'Current Password' }).fill(secondPassword)
    await theirs.getByRole('textbox', { name: 'New Password' }).fill(ownPassword)
    await theirs.getByRole('textbox', { name: 'Confirm Password' }).fill(ownPassword)
    await theirs.getByRole('button', { name: 'Change password' }).click()
    await theirs.getByText('Password changed successfully!').waitFor()
    const typed = theirs.getByRole('textbox', { name: 'Current Password' })
    await expect.poll(() => typed.inputValue()).toBe('')
    await showScreen(theirs, list)
    await theirs.getByRole('heading', { name: 'All Users' }).waitFor()
    await closePage(theirs)
  })
})

describe('a user without', () => {
  it.each([
    ['user.view', /^All Users/],
    ['user.create', /^Add User/],
    ['user.edit', /^Edit/],
    ['user.delete', /^Delete/],
  ])('%s is not offered %s, and nothing else is dead', async (lacking, offer) => {
    const isListOpen = lacking !== 'user.view'
    await expectNotOffered(journey, { lacking, offer, area: list, isListOpen })
    expect.hasAssertions()
  })
})

describe('a person who is invited without a mail server', () => {
  const email = 'lena@example.com'

  it('is invited for logs only with four clicks and one field, and gets a link to choose a password', async () => {
    const { page } = journey
    await showScreen(page, list)
    await page.getByRole('button', { name: 'Invite', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Invite' })
    await dialog.getByRole('textbox', { name: 'Email' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.insertText(email)
    await dialog.getByRole('combobox', { name: 'Role' }).click()
    await page.getByRole('option', { name: 'Reads logs only' }).click()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
    const link = await dialog.getByRole('textbox', { name: 'Link' }).inputValue()
    expect(new URL(link).origin).toBe(new URL(page.url()).origin)
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Done' }).click()
    await rowOf(page, email).getByText('invited').waitFor()
    await rowOf(page, email).getByText('Reads logs only').waitFor()

    const { page: theirs, complaints } = await newPage(journey.browser, journey.url)
    await theirs.goto(link)
    await theirs.getByText('Welcome').waitFor()
    await theirs.getByLabel('New Password').fill(ownPassword)
    await theirs.getByLabel('Confirm Password').fill(ownPassword)
    await theirs.getByRole('button', { name: 'Save password' }).click()
    await theirs.getByText('Your password is set: sign in with it.').waitFor()
    await theirs.goto('/api/login/react')
    await theirs.getByLabel('E-Mail Address').fill(email)
    await theirs.getByLabel('Password', { exact: true }).fill(ownPassword)
    await theirs.getByRole('button', { name: 'Login' }).click()
    // The first of the screens that they may see; requests of the gateway are logs too.
    await theirs.waitForURL('**/dashboard/admin/gateway-requests')
    await theirs.getByRole('link', { name: 'Log Viewer' }).waitFor()
    expect(complaints).toEqual([])
    await theirs.goto(link)
    await theirs.getByText('This link was used, or has ended.', { exact: false }).waitFor()
    await closePage(theirs)
  })

  it('gets another link, which can be taken back', async () => {
    const { page } = journey
    await page.getByRole('button', { name: 'Invite', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
    await dialog.getByText('The roles field is required.').waitFor()
    await dialog.getByRole('textbox', { name: 'Email' }).fill('mona@example.com')
    await dialog.getByRole('combobox', { name: 'Role' }).click()
    await page.getByRole('option', { name: 'Auditor' }).click()
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await rowOf(page, 'mona@example.com').getByRole('link', { name: 'Edit' }).click()
    await page.getByRole('button', { name: 'New link' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Make the link' }).click()
    const link = await page.getByRole('textbox', { name: 'Link' }).inputValue()
    await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Take back' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Take back' }).click()
    await toast(page, 'The invitation was taken back.')
    const { page: theirs } = await newPage(journey.browser, journey.url)
    await theirs.goto(link)
    await theirs.getByText('This link was used, or has ended.', { exact: false }).waitFor()
    await closePage(theirs)
  })
})

it('saw no error in the browser', () => {
  expect(journey.complaints).toEqual([])
})
