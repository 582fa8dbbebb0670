import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  allPermissions,
  createPerson,
  findClosedScreens,
  openAs,
  settle,
} from './harness/open-as.ts'
import {
  accessibilityProblems,
  newPage,
  openBrowser,
  signInOnPage,
} from './harness/open-browser.ts'
import { runProduct, type Product } from './harness/run-product.ts'

const list = '/dashboard/admin/user'
const firstPassword = 'first pass phrase'
const secondPassword = 'second pass phrase'
const ownPassword = 'a phrase of my own'

let folder: string
let product: Product
let browser: Browser
let page: Page
let complaints: string[]
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-users-'))
  ;[product, browser] = await Promise.all([runProduct({ DATA_DIR: folder }), openBrowser()])
  ;({ page, complaints } = await newPage(browser, product.url))
  await signInOnPage(page)
})
afterAll(async () => {
  await browser?.close()
  await product?.end('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

const toast = (text: string) =>
  page.locator('.Toastify__toast').filter({ hasText: text }).first().waitFor()
const field = (name: string) => page.getByRole('textbox', { name, exact: true })
const row = (name: string) => page.getByRole('row').filter({ hasText: name })

describe('an administrator', () => {
  it('is told under each field what is wrong with a new user', async () => {
    await page.getByRole('link', { name: 'All Users' }).click()
    await page.getByRole('link', { name: 'Add User' }).click()
    await page.getByRole('heading', { name: 'Create New User' }).waitFor()
    await field('User Email').fill('not an address')
    await page.getByRole('button', { name: 'Save User' }).click()
    await toast('Validation errors occurred!')
    await page.getByText('The name field is required.').waitFor()
    await page.getByText('The email must be an e-mail address.').waitFor()
    await page.getByText('The password field is required.').waitFor()
    await page.getByText('The roles field is required.').waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await field('User Name').fill('Otto')
    await page.getByText('The name field is required.').waitFor({ state: 'detached' })
  })

  it('creates the user, and finds them in the list', async () => {
    await field('User Email').fill('otto@example.com')
    await field('Password').fill(firstPassword)
    await field('Confirm Password').fill(firstPassword)
    await field('Username').fill('otto')
    await page.getByRole('combobox', { name: 'Assign Roles' }).click()
    await page.getByRole('option', { name: 'Auditor' }).click()
    await page.getByRole('button', { name: 'Save User' }).click()
    await toast('User created successfully!')
    await page.waitForURL(`**${list}`)
    await row('otto@example.com').getByText('Auditor').waitFor()
    await row('Gateway client').getByText('can’t sign in').waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
  })

  it('hears by an alert that an edit failed, with the reason under the field', async () => {
    await row('otto@example.com').getByRole('link', { name: 'Edit' }).click()
    await page.getByRole('heading', { name: 'Edit User - Otto' }).waitFor()
    await field('User Email').fill('admin@example.com')
    const alert = page.waitForEvent('dialog')
    const click = page.getByRole('button', { name: 'Save User' }).click()
    const dialog = await alert
    expect(dialog.message()).toBe('Failed to update user')
    await dialog.accept()
    await click
    await page.getByText('This email is already in use.').waitFor()
  })

  it('gives them a new password, which ends their session at once', async () => {
    const otto = { id: 0, email: 'otto@example.com', password: firstPassword }
    const { page: theirs } = await openAs(browser, product.url, otto)
    await theirs.goto(list)
    await theirs.getByRole('heading', { name: 'All Users' }).waitFor()

    await field('User Email').fill('otto@example.com')
    await field('Password').fill(secondPassword)
    await field('Confirm Password').fill(secondPassword)
    await page.getByRole('button', { name: 'Save User' }).click()
    await toast('User updated successfully!')
    await page.waitForURL(`**${list}`)

    await theirs.getByRole('link', { name: 'All Roles' }).click()
    await theirs.waitForURL('**/api/login/react')
    await theirs.context().close()
  })

  it('deletes them after a confirmation that says what goes', async () => {
    await createPerson(product.url, 'Doomed', [])
    await page.goto(`${list}?search=doomed`)
    await row('doomed@example.com').getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete this user?' })
    await dialog.getByText(/personal tokens go with them/).waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Delete user' }).click()
    await toast('User deleted successfully!')
    await page.getByText('Nothing matches “doomed”.').waitFor()
  })
})

describe('everybody', () => {
  it('changes their own password, and stays signed in', async () => {
    const { page: theirs } = await newPage(browser, product.url)
    await signInOnPage(theirs, 'otto@example.com', secondPassword)
    await theirs.getByRole('button', { name: /Account of/ }).click()
    await theirs.getByRole('menuitem', { name: 'Change password' }).click()
    await theirs.getByRole('textbox', { name: 'Current Password' }).fill(secondPassword)
    await theirs.getByRole('textbox', { name: 'New Password' }).fill(ownPassword)
    await theirs.getByRole('textbox', { name: 'Confirm Password' }).fill(ownPassword)
    expect(await accessibilityProblems(theirs)).toEqual([])
    await theirs.getByRole('button', { name: 'Change password' }).click()
    await theirs.getByText('Password changed successfully!').waitFor()
    await theirs.goto(list)
    await theirs.getByRole('heading', { name: 'All Users' }).waitFor()
    await theirs.context().close()
  })
})

describe('who lacks', () => {
  it.each([
    ['user.view', /^All Users/],
    ['user.create', /^Add User/],
    ['user.edit', /^Edit/],
    ['user.delete', /^Delete/],
  ])('%s is not offered %s, and everything else still works', async (lacking, offer) => {
    const permissions = (await allPermissions(product.url)).filter((name) => name !== lacking)
    const person = await createPerson(product.url, `Lacks ${lacking}`, permissions)
    const { page: theirs, refusals } = await openAs(browser, product.url, person)
    if (lacking === 'user.view') await theirs.goto('/dashboard')
    else expect(await findClosedScreens(theirs, list)).toEqual([])
    await theirs.goto(lacking === 'user.view' ? '/dashboard' : list)
    await settle(theirs)
    const offers = theirs
      .getByRole('link', { name: offer })
      .or(theirs.getByRole('button', { name: offer }))
    expect(await offers.count()).toBe(0)
    expect(refusals).toEqual([])
    await theirs.context().close()
  })
})

it('saw no error in the browser all along', () => {
  expect(complaints).toEqual([])
})
