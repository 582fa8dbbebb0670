import { afterAll, expect, it } from 'vitest'
import { expectAccessible, startJourney } from './harness/journey.ts'
import { startMailBox } from './harness/mail-box.ts'
import { createPerson } from './harness/open-as.ts'
import { newPage } from './harness/open-browser.ts'

const mailBox = await startMailBox()
const journey = startJourney(mailBox.settings)
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
  await page.context().close()

  const other = await newPage(journey.browser, journey.url)
  await other.page.goto(link)
  await other.page.getByText('This link was used, or has ended.', { exact: false }).waitFor()
  await other.page.context().close()
})
