import { expect, it } from 'vitest'
import { expectAccessible, startJourney, toast } from '../harness/journey.ts'
import { showScreen } from '../harness/open-as.ts'
import { adminPassword } from '../harness/run-product.ts'

const journey = startJourney()

it('an administrator makes a token for a program, which calls with it until it is revoked', async () => {
  const { page } = journey
  await showScreen(page, '/dashboard/account')
  // The card of passkeys says so, too.
  const emptyCards = () => page.getByText('You have none.').count()
  await expect.poll(emptyCards).toBe(2)
  await page.getByRole('button', { name: 'New token' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Make token' }).click()
  await dialog.getByText('The name field is required.').waitFor()
  await dialog.getByText('Choose at least one permission.').waitFor()
  await expectAccessible(page)

  await dialog.getByLabel('Name', { exact: true }).fill('Pipeline')
  await dialog.getByRole('searchbox', { name: 'Search permissions' }).fill('api.view')
  await dialog.getByRole('checkbox', { name: /api\.view$/ }).check()
  await dialog.getByLabel('Current Password').fill(adminPassword)
  await dialog.getByRole('button', { name: 'Make token' }).click()
  const token = await dialog.getByLabel('Token', { exact: true }).inputValue()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'I have kept it' }).click()

  const statusOf = async (path: string) =>
    (await fetch(journey.url + path, { headers: { authorization: `Bearer ${token}` } })).status
  expect(await statusOf('/api/apis')).toBe(200)
  expect(await statusOf('/api/user')).toBe(403)
  expect(await statusOf('/api/sessions')).toBe(403)

  await page.reload()
  await page.getByText(`…${token.slice(-4)}`).waitFor()
  await page.getByRole('button', { name: 'Revoke Pipeline' }).click()
  await page.getByRole('button', { name: 'Revoke token' }).click()
  await toast(page, 'Token revoked successfully!')
  await expect.poll(emptyCards).toBe(2)
  expect(await statusOf('/api/apis')).toBe(401)
})
