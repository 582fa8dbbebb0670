import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { waitMaxMs } from '../../scripts/tests/wait-max.mjs'
import { Authenticator } from '../harness/authenticator.ts'
import { expectAccessible, startJourney, toast } from '../harness/journey.ts'
import { createPerson, openAs, showScreen } from '../harness/open-as.ts'
import { closePage, newPage } from '../harness/open-browser.ts'
import { signIn } from '../harness/run-product.ts'

const journey = startJourney()
const login = '/api/login/react'
const account = '/dashboard/account'

type Person = Awaited<ReturnType<typeof createPerson>>

async function typePassword(page: Page, { email, password }: Person) {
  await page.goto(login)
  await page.getByLabel('E-Mail Address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Login' }).click()
}

async function typeCode(page: Page, code: string) {
  await page.getByLabel('Code', { exact: true }).fill(code)
  await page.getByRole('button', { name: 'Continue' }).click()
}

const secretOn = async (page: Page) => new Authenticator(await page.locator('code').innerText())
const codesOn = (page: Page) =>
  page
    .getByRole('listitem')
    .filter({ hasText: /^\w{4}-\w{4}-/ })
    .allInnerTexts()

describe('a user', () => {
  let person: Person
  let app: Authenticator
  let codes: string[]

  it('turns the second factor on, and keeps the recovery codes', async () => {
    person = await createPerson(journey.url, 'Ada Factor', ['dashboard.view'])
    const { page } = await openAs(journey.browser, journey.url, person)
    await showScreen(page, account)
    await page.getByRole('button', { name: 'Set up' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Current Password').fill('a wrong guess')
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByText('This is not your current password.').waitFor()
    await dialog.getByLabel('Current Password').fill(person.password)
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
    await expectAccessible(page)
    app = await secretOn(page)
    await dialog.getByLabel('Code', { exact: true }).fill(app.code())
    await dialog.getByRole('button', { name: 'Turn on' }).click()
    await dialog.getByText('Keep these recovery codes', { exact: false }).waitFor()
    codes = await codesOn(page)
    expect(codes).toHaveLength(10)
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'I have kept them' }).click()
    await toast(page, 'The second factor is on.')
    await page.getByText('10 recovery codes are left.').waitFor()
    await closePage(page)
  })

  it('signs in with a code, once with each recovery code, and turns it off', async () => {
    const { page, complaints } = await newPage(journey.browser, journey.url)
    await typePassword(page, person)
    await page
      .getByText('Enter the code that your authenticator app shows', { exact: false })
      .waitFor()
    await expectAccessible(page)
    await typeCode(page, 'wrong code')
    await page.getByText('This code is wrong, or was used before.', { exact: false }).waitFor()
    await typeCode(page, app.code())
    await page.waitForURL('**/dashboard')

    const arabic = await journey.browser.newContext({ locale: 'ar-SA', baseURL: journey.url })
    arabic.setDefaultTimeout(waitMaxMs)
    const inArabic = await arabic.newPage()
    await inArabic.goto(login)
    await inArabic.getByLabel('البريد الإلكتروني').fill(person.email)
    await inArabic.getByLabel('كلمة المرور', { exact: true }).fill(person.password)
    await inArabic.getByRole('button', { name: 'تسجيل الدخول' }).click()
    await inArabic.getByLabel('الرمز', { exact: true }).waitFor()
    await arabic.close()

    const again = await newPage(journey.browser, journey.url)
    await typePassword(again.page, person)
    await typeCode(again.page, codes[0]!)
    await again.page.waitForURL('**/dashboard')
    await closePage(again.page)

    await showScreen(page, account)
    await page.getByText('9 recovery codes are left.').waitFor()
    await page.getByRole('button', { name: 'Turn off' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Current Password').fill(person.password)
    await dialog.getByLabel('Code', { exact: true }).fill(codes[0]!)
    await dialog.getByRole('button', { name: 'Turn off' }).click()
    await dialog.getByText('This code is wrong, or was used before.', { exact: false }).waitFor()
    await dialog.getByLabel('Code', { exact: true }).fill(codes[1]!)
    await dialog.getByRole('button', { name: 'Turn off' }).click()
    await page.getByText('It is off.').waitFor()
    expect(complaints).toEqual([])
    await closePage(page)
  })
})

it('a role asks for it: its users set it up as they sign in, and an administrator resets it', async () => {
  const person = await createPerson(journey.url, 'Otto Factor', ['dashboard.view'])
  const { page } = journey
  const call = await signIn(journey.url)
  const [roles] = (await call('GET', '/api/role?search=Otto')).body as [{ data: { id: number }[] }]
  await showScreen(page, `/dashboard/admin/role/edit/${roles.data[0]!.id}`)
  await page.getByRole('switch', { name: 'Everybody with this role' }).check({ force: true })
  const answered = page.waitForResponse((answer) => answer.request().method() === 'PUT')
  page.once('dialog', (dialog) => void dialog.accept())
  await page.getByRole('button', { name: 'Update Role' }).click()
  expect((await answered).status()).toBe(200)

  const { page: theirs } = await newPage(journey.browser, journey.url)
  await typePassword(theirs, person)
  await theirs.getByText('Your role asks for a second factor.').waitFor()
  await expectAccessible(theirs)
  await typeCode(theirs, (await secretOn(theirs)).code())
  await theirs.getByText('Keep these recovery codes', { exact: false }).waitFor()
  expect(await codesOn(theirs)).toHaveLength(10)
  await theirs.getByRole('button', { name: 'I have kept them' }).click()
  await theirs.waitForURL('**/dashboard')
  await showScreen(theirs, account)
  await theirs.getByText('A role of yours asks for a second factor.').waitFor()
  expect(await theirs.getByRole('button', { name: 'Turn off' }).count()).toBe(0)
  await closePage(theirs)

  await showScreen(page, `/dashboard/admin/user/edit/${person.id}`)
  await page.getByRole('button', { name: 'Reset second factor' }).click()
  await page.getByRole('button', { name: 'Reset', exact: true }).click()
  await toast(page, 'The second factor was reset.')
  await page.getByRole('button', { name: 'Reset second factor' }).waitFor({ state: 'detached' })
})
