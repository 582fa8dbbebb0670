import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  expectAccessible,
  expectNotOffered,
  openLacking,
  rowOf,
  startJourney,
  toast,
} from '../harness/journey.ts'
import { showScreen } from '../harness/open-as.ts'
import { openFromMenu } from '../harness/open-browser.ts'
import { signIn } from '../harness/run-product.ts'

const screen = '/dashboard/admin/audit'
const journey = startJourney()
let role: number

beforeAll(async () => {
  const { url } = journey
  const call = await signIn(url)
  const created = await call('POST', '/api/role', { name: 'Billing', permissions: ['tax.view'] })
  role = (created.body as { id: number }).id
  await call('PUT', `/api/role/${role}`, { name: 'Billing', permissions: ['tax.view', 'tax.send'] })
  await call('PUT', `/api/role/${role}`, { name: 'Invoices', permissions: ['tax.send'] })
  await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'admin@example.com', password: 'not the password' }),
  })
})

describe('an administrator', () => {
  it('sees changes, sign-ins and refusals, and filters them', async () => {
    const { page } = journey
    await openFromMenu(page, 'Audit Trail')
    await rowOf(page, 'role.create').waitFor()
    await page.getByRole('combobox', { name: 'Outcome' }).click()
    await page.getByRole('option', { name: 'refused' }).click()
    await rowOf(page, 'role.create').waitFor({ state: 'detached' })
    await rowOf(page, 'session.refused').getByText('refused', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByLabel('To', { exact: true }).fill('2020-01-01')
    await page.getByText('Nothing matches these filters.').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await rowOf(page, 'role.create').waitFor()
  })

  it('goes from a record to its own history', async () => {
    const { page } = journey
    await showScreen(page, `/dashboard/admin/role/edit/${role}`)
    await page.getByRole('link', { name: 'History of this record' }).click()
    await page.waitForURL(`**${screen}?thing=role&thing_id=${role}`)
    await rowOf(page, 'role.create').waitFor()
    await expect.poll(() => page.getByRole('row').count()).toBe(4)
  })

  it('opens an event with before and after, and restores the earlier version', async () => {
    const { page } = journey
    await page.getByRole('button', { name: /^Details of Role: update Invoices/ }).click()
    const event = page.getByRole('dialog', { name: 'Role: update' })
    const table = event.getByRole('table', { name: 'Before and after' })
    await table.waitFor()
    expect(await table.locator('del').allTextContents()).toEqual(['Billing', 'tax.view'])
    expect(await table.locator('ins').allTextContents()).toEqual(['Invoices'])
    await event.getByText(/^[0-9a-f-]{36}$/).waitFor()
    await expectAccessible(page)
    await event.getByRole('button', { name: 'Close' }).click()

    await page.getByRole('button', { name: /^Details of Role: update Billing/ }).click()
    await event.getByRole('button', { name: 'Restore this version' }).click()
    const question = page.getByRole('dialog', { name: 'Restore this version?' })
    await expectAccessible(page)
    await question.getByRole('button', { name: 'Restore version' }).click()
    await toast(page, 'Version restored successfully!')
    await showScreen(page, `/dashboard/admin/role/edit/${role}`)
    await page.getByRole('checkbox', { name: 'tax.view' }).waitFor()
    expect(await page.getByPlaceholder('Enter a Role Name').inputValue()).toBe('Billing')
    expect(await page.getByRole('checkbox', { name: 'tax.view' }).isChecked()).toBe(true)
  })

  it('exports what the filters let through, as CSV that spreadsheets read', async () => {
    const { page } = journey
    await showScreen(page, `${screen}?thing=role&thing_id=${role}`)
    const downloaded = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export CSV' }).click()
    const download = await downloaded
    expect(download.suggestedFilename()).toMatch(/^audit-\d{4}-\d{2}-\d{2}\.csv$/)
    const csv = readFileSync(await download.path(), 'utf8')
    expect(csv).toMatch(/^\uFEFFid,at,actor/)
    expect(csv.trim().split('\r\n')).toHaveLength(5)
  })
})

describe('a user without', () => {
  it('audit.view is offered neither the trail nor a record’s history', async () => {
    await expectNotOffered(journey, {
      lacking: 'audit.view',
      offer: /^(Audit Trail|History of)/,
      area: '/dashboard/admin/role',
    })
    expect.hasAssertions()
  })

  it('role.edit may look at a version, but not restore it', async () => {
    const { page, refusals } = await openLacking(journey, 'role.edit')
    await showScreen(page, `${screen}?thing=role&thing_id=${role}`)
    await page.getByRole('button', { name: /^Details of Role: create/ }).click()
    await page.getByRole('table', { name: 'Before and after' }).waitFor()
    expect(await page.getByRole('button', { name: 'Restore this version' }).count()).toBe(0)
    expect(refusals).toEqual([])
  })
})

it('saw no error in the browser', () => {
  expect(journey.complaints).toEqual([])
})
