import { describe, expect, it } from 'vitest'
import {
  expectAccessible,
  expectNotOffered,
  openLacking,
  rowOf,
  startJourney,
  toast,
} from '../harness/journey.ts'
import { showScreen } from '../harness/open-as.ts'

const screen = '/dashboard/admin/personal-token'
const journey = startJourney()
const box = () => journey.page.getByPlaceholder('Token will appear here')

describe('an administrator', () => {
  it('generates a token for the gateway client, which is shown once', async () => {
    const { page } = journey
    await page.getByRole('link', { name: 'Personal Access Token' }).click()
    await page.getByText('No tokens yet').waitFor()
    const sent = page.waitForRequest('**/admin/token/store')
    await page.getByRole('button', { name: 'Generate' }).click()
    expect((await sent).postDataJSON()).toEqual({ user: 4, name: '', expires_in_days: '365' })
    await page.getByText(/shown this once/).waitFor()
    const token = await box().inputValue()
    expect(token).toMatch(/^ghp_[\w-]{8,}$/)
    await rowOf(page, `…${token.slice(-4)}`)
      .getByText('Gateway client')
      .waitFor()
    await page.reload()
    await rowOf(page, `…${token.slice(-4)}`)
      .getByText('active')
      .waitFor()
    expect(await box().inputValue()).toBe('')
  })

  it('names one and gives it fewer days', async () => {
    const { page } = journey
    await page.getByRole('combobox', { name: 'For whom' }).click()
    await page.getByRole('option', { name: 'Administrator' }).click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Nightly job')
    await page.getByRole('textbox', { name: 'Expiry in days' }).fill('10')
    await page.getByRole('button', { name: 'Generate' }).click()
    await rowOf(page, 'Nightly job').getByText('expires in 9 days').waitFor()
    const owner = rowOf(page, 'Nightly job').getByText('Administrator', { exact: true })
    expect(await owner.count()).toBe(1)
  })

  it('sees the specified text and the reason when no token was generated', async () => {
    const { page } = journey
    await page.getByRole('textbox', { name: 'Expiry in days' }).fill('0')
    await page.getByRole('button', { name: 'Generate' }).click()
    await page.getByText('Error generating token.').waitFor()
    await page.getByText(/whole number of days/).waitFor()
    expect(await box().inputValue()).toBe('')
    await expectAccessible(page)
  })

  it('asks what a token can call, and revokes it', async () => {
    const { page } = journey
    await page.getByRole('button', { name: 'Access of Nightly job' }).click()
    const access = page.getByRole('dialog', { name: /What can this token call/ })
    await access.getByText('There is no endpoint yet.').waitFor()
    await expectAccessible(page)
    await access.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Revoke Nightly job' }).click()
    await page
      .getByRole('dialog', { name: 'Revoke this token?' })
      .getByRole('button', { name: 'Revoke token' })
      .click()
    await toast(page, 'Token revoked successfully!')
    await rowOf(page, 'Nightly job').getByText('revoked').waitFor()
    expect(await page.getByRole('button', { name: 'Revoke Nightly job' }).count()).toBe(0)
  })
})

describe('a user without', () => {
  it.each([
    ['token.view', /^Personal Access Token/],
    ['token.create', /^Generate/],
    ['token.revoke', /^Revoke/],
    ['api-permission.view', /^Access of/],
  ])('%s is not offered %s, and nothing else is dead', async (lacking, offer) => {
    const isListOpen = lacking !== 'token.view'
    await expectNotOffered(journey, { lacking, offer, area: screen, isListOpen })
    expect.hasAssertions()
  })

  it('token.create_any may choose between themselves and the gateway client', async () => {
    const { page } = await openLacking(journey, 'token.create_any')
    await showScreen(page, screen)
    await page.getByRole('combobox', { name: 'For whom' }).click()
    await expect
      .poll(() => page.getByRole('option').allTextContents())
      .toEqual(['Gateway client', 'Lacks one'])
  })
})

it('saw no error in the browser', () => {
  expect(journey.complaints).toEqual([])
})
