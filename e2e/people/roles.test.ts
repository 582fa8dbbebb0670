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
import { closePage } from '../harness/open-browser.ts'

const list = '/dashboard/admin/role'
const journey = startJourney()
const box = (name: string) => journey.page.getByRole('checkbox', { name, exact: true })

const stateOf = (name: string) =>
  box(name).evaluate((element) => {
    const { indeterminate, checked } = element as unknown as Record<string, boolean>
    if (indeterminate) return 'partly'
    return checked ? 'checked' : 'unchecked'
  })

describe('an administrator', () => {
  it('creates a role with a group of permissions and a single one', async () => {
    const { page } = journey
    await page.getByRole('link', { name: 'All Roles' }).click()
    await page.getByRole('heading', { level: 2, name: 'All Roles' }).waitFor()
    await page.getByRole('link', { name: 'Add Role' }).click()
    await page.getByPlaceholder('Enter a Role Name').fill('Billing')
    await box('tax').check()
    await box('user.view').check()
    expect([await stateOf('All'), await stateOf('tax'), await stateOf('user')]).toEqual([
      'partly',
      'checked',
      'partly',
    ])
    await page.getByRole('button', { name: 'Create Role' }).click()
    await toast(page, 'Role created successfully!')
    await page.waitForURL(new RegExp(`${list}/edit/\\d+$`))
    await page.goBack()
    await page.waitForURL(`**${list}`)
    await rowOf(page, 'Billing').waitFor()
    const cells = await rowOf(page, 'Billing').getByRole('cell').allTextContents()
    expect(cells.slice(1, 4)).toEqual(['NameBilling', 'Permissions6', 'Users0'])
  })

  it('gets an alert when a name is taken, with the reason under the field', async () => {
    const { page } = journey
    await rowOf(page, 'Billing').getByRole('link', { name: 'Edit' }).click()
    await page.getByRole('heading', { name: 'Edit Role' }).waitFor()
    await page.getByPlaceholder('Enter a Role Name').fill('Auditor')
    const update = page.getByRole('button', { name: 'Update Role' })
    expect(await alertOf(page, () => update.click())).toBe('Failed to update role')
    await page.getByText('This name is already in use.').waitFor()
  })

  it('sets and clears a whole group, finds permissions, and saves', async () => {
    const { page } = journey
    await page.getByPlaceholder('Enter a Role Name').fill('Billing')
    await box('user').click()
    expect(await stateOf('user')).toBe('checked')
    await box('user').click()
    expect(await stateOf('user')).toBe('unchecked')
    await page.getByRole('searchbox', { name: 'Search permissions' }).fill('audit')
    await box('tax').waitFor({ state: 'detached' })
    await box('audit.view').check()
    const update = page.getByRole('button', { name: 'Update Role' })
    expect(await alertOf(page, () => update.click())).toBe('Role updated successfully!')
    await page.getByText('No unsaved changes').waitFor()
    await page.reload()
    await box('audit.view').waitFor()
    expect([await stateOf('tax'), await stateOf('user'), await stateOf('audit')]).toEqual([
      'checked',
      'unchecked',
      'checked',
    ])
  })

  it('takes a permission away, and the next click of a user of the role is refused', async () => {
    const { page, url, browser } = journey
    const person = await createPerson(url, 'Pia', ['dashboard.view', 'user.view', 'role.view'])
    const { page: theirs } = await openAs(browser, url, person)
    await showScreen(theirs, '/dashboard')
    await theirs.getByRole('link', { name: 'All Users' }).waitFor()

    await showScreen(page, list)
    await rowOf(page, 'Role of Pia').getByRole('link', { name: 'Edit' }).click()
    await box('user.view').uncheck()
    const update = page.getByRole('button', { name: 'Update Role' })
    expect(await alertOf(page, () => update.click())).toBe('Role updated successfully!')

    await theirs.getByRole('link', { name: 'All Users' }).click()
    await theirs.getByRole('heading', { name: 'You may not see this screen' }).waitFor()
    await theirs.getByRole('link', { name: 'All Users' }).waitFor({ state: 'detached' })
    await closePage(theirs)
  })

  it('cannot change Super Admin, and sees why', async () => {
    const { page } = journey
    await showScreen(page, `${list}/edit/1`)
    await page.getByText('Super Admin holds every permission and can’t be changed.').waitFor()
    expect(await page.getByRole('button', { name: 'Update Role' }).count()).toBe(0)
    await expectAccessible(page)
  })

  it('deletes a role only if no user has it', async () => {
    const { page } = journey
    await showScreen(page, list)
    await rowOf(page, 'Role of Pia').getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete this role?' })
    await dialog.getByText(/Take it from them first/).waitFor()
    expect(await dialog.getByRole('button', { name: 'Delete role' }).count()).toBe(0)
    await dialog.getByRole('button', { name: 'Close' }).click()
    await rowOf(page, 'Billing').getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await dialog.getByRole('button', { name: 'Delete role' }).click()
    await toast(page, 'Role deleted successfully!')
    await rowOf(page, 'Billing').waitFor({ state: 'detached' })
  })
})

describe('a user with few permissions', () => {
  it('can grant only those, and sees why', async () => {
    const { url, browser } = journey
    const held = ['role.view', 'role.edit', 'role.create', 'dashboard.view', 'api.view']
    const { page: theirs } = await openAs(browser, url, await createPerson(url, 'Small', held))
    await showScreen(theirs, `${list}/create`)
    const theirBox = (name: string) => theirs.getByRole('checkbox', { name, exact: true })
    await theirBox('api.view').check()
    expect(await theirBox('api.delete').isDisabled()).toBe(true)
    await theirs.getByText(/You can only grant what you hold/).waitFor()
    await expectAccessible(theirs)
    await theirBox('All').click()
    expect(await theirs.locator('fieldset input:checked:enabled').count()).toBeGreaterThan(
      held.length - 1,
    )
    expect(await theirs.locator('fieldset input:checked:disabled').count()).toBe(0)
    await closePage(theirs)
  })
})

describe('a user without', () => {
  it.each([
    ['role.view', /^All Roles/],
    ['role.create', /^Add Role/],
    ['role.edit', /^Edit/],
    ['role.delete', /^More for/],
  ])('%s is not offered %s, and nothing else is dead', async (lacking, offer) => {
    const isListOpen = lacking !== 'role.view'
    await expectNotOffered(journey, { lacking, offer, area: list, isListOpen })
    expect.hasAssertions()
  })
})

it('saw no error in the browser', () => {
  expect(journey.complaints).toEqual([])
})
