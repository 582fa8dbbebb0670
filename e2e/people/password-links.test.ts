import { afterAll, expect, it } from 'vitest'
import { expectAccessible, rowOf, startOwnJourney, toast } from '../harness/journey.ts'
import { startMailBox } from '../harness/upstreams/mail-box.ts'
import { createPerson } from '../harness/open-as.ts'
import { closePage, newPage, openFromMenu } from '../harness/open-browser.ts'

const mailBox = await startMailBox()
const journey = startOwnJourney(mailBox.settings)
afterAll(() => mailBox.close())
const login = '/api/login/react'

it('a user who forgot their password chooses another one by a link that counts once', async () => {
  const person = await createPerson(journey.url, 'Fay Forgetful', ['dashboard.view'])
  const { page, complaints } = await newPage(journey.browser, journey.url)
  await page.goto(login)
  await page.getByRole('link', { name: 'Forgot your password?' }).waitFor()
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  // The login page stays until the next one is loaded, and asks for the address too.
  const send = page.getByRole('button', { name: 'Send the link' })
  await send.waitFor()
  await page.getByLabel('E-Mail Address').fill(person.email)
  await expectAccessible(page)
  await send.click()
  await page.getByText('If there is a user with this address', { exact: false }).waitFor()
  await expectAccessible(page)

  const link = await mailBox.linkIn(1)
  await page.goto(link)
  await page.getByText(`You choose the password of ${person.email}.`).waitFor()
  expect(new URL(page.url()).hash).toBe('')
  await expectAccessible(page)
  const save = page.getByRole('button', { name: 'Save password' })
  await page.getByLabel('New Password').fill('password1234')
  await page.getByLabel('Confirm Password').fill('password1234')
  await save.click()
  await page.getByText('This password is too easy to guess.', { exact: false }).waitFor()
  const chosen = 'a sentence of my own 7'
  await page.getByLabel('New Password').fill(chosen)
  await page.getByLabel('Confirm Password').fill(chosen)
  await save.click()
  await page.getByText('Your password is set.', { exact: false }).waitFor()
  await page.getByRole('link', { name: 'Back to the login' }).click()
  await page.getByRole('button', { name: 'Login' }).waitFor()
  await page.getByLabel('E-Mail Address').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(chosen)
  await page.getByRole('button', { name: 'Login' }).click()
  await page.waitForURL('**/dashboard')
  expect(complaints).toEqual([])
  await closePage(page)

  const other = await newPage(journey.browser, journey.url)
  await other.page.goto(link)
  await other.page.getByText('This link was used, or has ended.', { exact: false }).waitFor()
  await closePage(other.page)
})

it('an administrator invites a user, who chooses the password', async () => {
  const { page } = journey
  await openFromMenu(page, 'All Users')
  await page.getByRole('link', { name: 'Add User' }).click()
  const field = (name: string) => page.getByRole('textbox', { name, exact: true })
  await field('User Name').fill('Ines New')
  await field('User Email').fill('ines@example.com')
  await page.getByRole('switch', { name: 'Send an invitation' }).check({ force: true })
  await field('Confirm Password').waitFor({ state: 'detached' })
  await field('Username').fill('ines')
  await page.getByRole('combobox', { name: 'Assign Roles' }).click()
  await page.getByRole('option', { name: 'Auditor' }).click()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save User' }).click()
  await toast(page, 'User created successfully!')
  await page.getByRole('heading', { name: 'Edit User - Ines New' }).waitFor()
  await page.goBack()
  const row = rowOf(page, 'ines@example.com')
  await row.getByText('invited').waitFor()
  const first = await mailBox.linkIn(2)

  await row.getByRole('link', { name: 'Edit' }).click()
  await page.getByText('It counts until', { exact: false }).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Send again' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).click()
  await toast(page, 'Invitation sent.')
  const second = await mailBox.linkIn(3)

  const { page: theirs, complaints } = await newPage(journey.browser, journey.url)
  await theirs.goto(second)
  await theirs.getByText('Welcome').waitFor()
  const chosen = 'a sentence of my own 8'
  await theirs.getByLabel('New Password').fill(chosen)
  await theirs.getByLabel('Confirm Password').fill(chosen)
  await theirs.getByRole('button', { name: 'Save password' }).click()
  await theirs.getByText('Your password is set: sign in with it.').waitFor()
  expect(complaints).toEqual([])
  await theirs.goto(first)
  await theirs.getByText('This link was used, or has ended.', { exact: false }).waitFor()
  await closePage(theirs)

  await page.reload()
  await page.getByRole('heading', { name: 'Edit User - Ines New' }).waitFor()
  await page.getByRole('button', { name: 'Save User' }).waitFor()
  expect(await page.getByRole('button', { name: 'Send again' }).count()).toBe(0)
})
