import { expect, it } from 'vitest'
import { startJourney } from '../harness/journey.ts'
import { showScreen } from '../harness/open-as.ts'
import { adminPassword } from '../harness/run-product.ts'

const journey = startJourney()

// `every-screen` looks at each screen in Arabic.

it('a browser in Arabic has Arabic screens from right to left, until the user chooses English', async () => {
  const browser = journey.page.context().browser()
  const context = await browser!.newContext({ locale: 'ar-SA', baseURL: journey.url })
  const page = await context.newPage()
  await page.goto('/api/login/react')
  await page.getByLabel('البريد الإلكتروني').fill('admin@example.com')
  await page.getByLabel('كلمة المرور', { exact: true }).fill(adminPassword)
  expect(await page.locator('html').getAttribute('dir')).toBe('rtl')
  await page.getByRole('button', { name: 'تسجيل الدخول' }).click()
  await page.waitForURL('**/dashboard')
  const crumbs = page.locator('header nav li')
  await expect.poll(() => crumbs.allTextContents()).toEqual(['الرئيسية'])

  await page.getByRole('button', { name: 'مساعدة لهذه الشاشة' }).click()
  const help = page.getByRole('complementary', { name: 'مساعدة' })
  await help.getByRole('heading', { name: 'الشاشة الرئيسية', exact: true }).waitFor()
  await help.getByRole('button', { name: 'الخطوات الأولى' }).first().click()
  await help.getByRole('heading', { name: 'الخدمة النموذجية', exact: true }).waitFor()
  await page.keyboard.press('Escape')

  await showScreen(page, '/dashboard/admin/alarms')
  await page.getByRole('button', { name: /^حساب/ }).click()
  await page.getByRole('menuitemradio', { name: 'English' }).click()
  await page.getByRole('heading', { name: 'Alarms', exact: true }).first().waitFor()
  expect(await page.locator('html').getAttribute('dir')).toBeNull()

  // Another browser of the user is in Arabic until the server says what the user has chosen.
  const other = await browser!.newContext({ locale: 'ar-SA', baseURL: journey.url })
  const fresh = await other.newPage()
  await fresh.goto('/api/login/react')
  await fresh.getByLabel('البريد الإلكتروني').fill('admin@example.com')
  await fresh.getByLabel('كلمة المرور', { exact: true }).fill(adminPassword)
  await fresh.getByRole('button', { name: 'تسجيل الدخول' }).click()
  await fresh.getByRole('link', { name: 'Log Viewer' }).first().waitFor()
  await Promise.all([context.close(), other.close()])
})
