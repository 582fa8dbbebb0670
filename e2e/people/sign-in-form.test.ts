import { runTokenAuthority, type TokenAuthority } from '@gatehouse/upstream/token-authority'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible, rowOf, startJourney, toast } from '../harness/journey.ts'
import { openFromMenu, openNewEndpoint } from '../harness/open-browser.ts'

// An API whose upstream wants a token: registered, tested, called, and refused by its authority.

const journey = startJourney()
let authority: TokenAuthority
beforeAll(async () => {
  authority = await runTokenAuthority({ clientSecret: 'a secret & more' })
})
afterAll(() => authority.stop())

async function openApi(name: string): Promise<void> {
  const { page } = journey
  await openFromMenu(page, 'APIs')
  await rowOf(page, name).getByRole('link', { name: /^Edit/ }).click()
  await page.getByRole('button', { name: 'Test sign-in' }).waitFor()
}

describe('an API with OAuth 2 client credentials', () => {
  it('is registered, and keeps its secret to itself', async () => {
    const { page } = journey
    await openFromMenu(page, 'APIs')
    await page.getByRole('link', { name: 'Add Api' }).click()
    await page.getByRole('textbox', { name: 'API Name' }).fill('Authority')
    await page.getByRole('textbox', { name: 'Base URL', exact: true }).fill(authority.apiUrl)
    await page.getByRole('combobox', { name: 'Kind of sign-in' }).click()
    await page.getByRole('option', { name: 'OAuth 2: client credentials' }).click()
    await page.getByLabel('Token URL').fill(authority.tokenUrl)
    await page.getByLabel('Client ID').fill('client-1')
    await page.getByLabel('Client secret').fill('a secret & more')
    await page.getByLabel('Scope').fill('invoices')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Create API' }).click()
    await toast(page, 'API created successfully!')
    await page.waitForURL(/\/api\/edit\/\d+$/)
    await openApi('Authority')
    expect(await page.getByLabel('Client secret').inputValue()).toBe('')
  })

  it('is tested: the form shows what came back, and for how long', async () => {
    const { page } = journey
    await page.getByText('not signed in yet').waitFor()
    await page.getByRole('button', { name: 'Test sign-in' }).click()
    const answer = page.getByRole('alert').filter({ hasText: 'Signed in' })
    await answer.getByText(/The token is valid until .+\. Scope: invoices/).waitFor()
    await page.getByText('signed in', { exact: true }).waitFor()
    await expectAccessible(page)
    expect(await authority.counts()).toMatchObject({ logins: 1, refusals: 0 })
  })

  it('is called through the gateway with that token and the headers of its endpoint', async () => {
    const { page } = journey
    await openFromMenu(page, 'Endpoints')
    await openNewEndpoint(page)
    await page.getByRole('combobox', { name: 'Method' }).click()
    await page.getByRole('option', { name: 'PATCH' }).click()
    await page.getByRole('combobox', { name: 'Api' }).click()
    await page.getByRole('option', { name: 'Authority' }).click()
    await page.getByRole('textbox', { name: 'Path' }).fill('/invoices/{id}')
    await page.getByRole('textbox', { name: 'Summary' }).fill('Change an invoice')
    await page.getByRole('textbox', { name: 'Description' }).fill('Change an invoice')
    await page.getByRole('switch', { name: 'Enable Authentication' }).click({ force: true })
    await page.getByText('Headers to the upstream').click()
    await page.getByRole('button', { name: 'Add static header' }).click()
    await page.getByLabel('Name of static header 1').fill('Accept-Version')
    await page.getByLabel('Value of static header 1').fill('V2')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Create endpoint' }).click()
    await toast(page, 'Endpoint created.')
    await openFromMenu(page, 'Endpoints')
    await rowOf(page, 'Change an invoice').getByText('PATCH').waitFor()

    const answer = await fetch(`${journey.gatewayUrl}/authority/invoices/7`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: '{"total":1}',
    })
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({
      path: '/api/invoices/7',
      received: '{"total":1}',
      headers: { 'accept-version': 'V2' },
    })
    expect(await authority.counts()).toMatchObject({ logins: 1, calls: 1, refusedCalls: 0 })
  })

  it('shows each header of the endpoint in Try it, and no token', async () => {
    const { page } = journey
    await rowOf(page, 'Change an invoice').getByRole('link', { name: /^Edit/ }).click()
    await page.getByRole('heading', { name: 'Try it' }).click()
    await page.getByLabel('{id}').fill('8')
    await page.getByRole('button', { name: 'Send through the gateway' }).click()
    const stage = page.getByRole('listitem').filter({ hasText: 'Upstream' })
    await stage.getByText('answered').waitFor()
    await stage.getByText('Details').click()
    await page
      .getByText(/accept-version/i)
      .first()
      .waitFor()
    expect(await page.getByText(/token-1-/).count()).toBe(0)
    await expectAccessible(page)
    expect(await authority.counts()).toMatchObject({ logins: 1, calls: 2 })
  })
})

describe('an API that is filled in for an authority', () => {
  it('gets the endpoints that stay ticked, with the run settings of their profile', async () => {
    const { page } = journey
    await openFromMenu(page, 'APIs')
    await page.getByRole('link', { name: 'Add Api' }).click()
    await page.getByRole('textbox', { name: 'API Name' }).fill('Fatoora')
    await page.getByRole('combobox', { name: 'Fill in for' }).click()
    await page.getByRole('option', { name: 'Saudi Arabia: ZATCA' }).click()
    for (const place of ['base URL', 'test base URL']) {
      const fields = page.getByRole('group', { name: `Credential of the ${place}`, exact: true })
      await fields.getByLabel('User name').fill('a-certificate')
      await fields.getByLabel('Password', { exact: true }).fill('a-secret')
    }
    await page.getByRole('checkbox', { name: /Report a simplified invoice/ }).uncheck()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Create API' }).click()
    await toast(page, 'One endpoint was created.')
    await page.getByRole('heading', { name: 'Edit Fatoora' }).waitFor()
    await openFromMenu(page, 'Endpoints')
    await rowOf(page, '/invoices/clearance/single').getByRole('link', { name: /^Edit/ }).click()
    await page.getByText(/^Saudi Arabia: ZATCA clearance .+effect submit/).waitFor()
    await openFromMenu(page, 'Endpoints')
    await rowOf(page, '/invoices/clearance/single').waitFor()
    expect(await page.getByText('/invoices/reporting/single').count()).toBe(0)
  })
})

describe('an authority that refuses', () => {
  it('is named with its reason in the form', async () => {
    const { page } = journey
    await authority.change({ mode: 'refuse' })
    await openApi('Authority')
    await page.getByRole('button', { name: 'Test sign-in' }).click()
    const answer = page.getByRole('alert').filter({ hasText: 'The sign-in failed' })
    await answer.getByText('The sign-in was refused: invalid_grant.').waitFor()
    await page.getByText('sign-in refused').waitFor()
    await expectAccessible(page)
  })

  it('marks the API in the list', async () => {
    const { page } = journey
    await openFromMenu(page, 'APIs')
    await rowOf(page, 'Authority').getByText('sign-in refused').waitFor()
  })

  it('is on the home screen, which leads to the API', async () => {
    const { page } = journey
    await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
    const panel = page.getByRole('region', { name: 'Sign-ins that need you' })
    await panel.getByText('sign-in refused').waitFor()
    await expectAccessible(page)
    await page.setViewportSize({ width: 390, height: 844 })
    const width = await page.evaluate<number>('document.documentElement.scrollWidth')
    expect(width).toBeLessThanOrEqual(390)
    await page.setViewportSize({ width: 1440, height: 900 })
    await panel.getByRole('link', { name: 'Authority' }).click()
    await page.getByRole('button', { name: 'Test sign-in' }).waitFor()
  })

  it('is unmarked once a sign-in succeeds', async () => {
    const { page } = journey
    await authority.change({ mode: 'issue' })
    await openApi('Authority')
    await page.getByRole('button', { name: 'Test sign-in' }).click()
    await page.getByText('signed in', { exact: true }).waitFor()
    await openFromMenu(page, 'APIs')
    await rowOf(page, 'Authority').waitFor()
    await expect.poll(() => page.getByText('sign-in refused').count()).toBe(0)
    expect(journey.complaints).toEqual([])
  })
})
