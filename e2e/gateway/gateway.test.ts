import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible, startJourney, toast } from '../harness/journey.ts'
import { createPerson } from '../harness/open-as.ts'
import { openFromMenu, openNewEndpoint } from '../harness/open-browser.ts'
import { signIn } from '../harness/run-product.ts'
import { runUpstream, type Upstream } from '../harness/upstreams/run-upstream.ts'

// Traffic through what the dashboard configures: protected, called, tried, seen on the home screen.

const journey = startJourney()
let upstream: Upstream
let token: string
beforeAll(async () => {
  upstream = await runUpstream()
})
afterAll(() => upstream.stop())

const through = (path: string, init: RequestInit = {}) =>
  fetch(`${journey.gatewayUrl}${path}`, init)
const withToken = () => ({ headers: { authorization: `Bearer ${token}` } })

describe('from the forms to the gateway', () => {
  it('an endpoint that is saved is in force at once, and asks for a token', async () => {
    const { page } = journey
    await openFromMenu(page, 'APIs')
    await page.getByRole('link', { name: 'Add Api' }).click()
    await page.getByRole('textbox', { name: 'API Name' }).fill('Blog')
    await page.getByRole('textbox', { name: 'Base URL', exact: true }).fill(upstream.url)
    await page.getByRole('switch', { name: 'Enable Authentication' }).click({ force: true })
    await page.getByRole('button', { name: 'Create API' }).click()
    await toast(page, 'API created successfully!')
    await page.waitForURL(/\/api\/edit\/\d+$/)

    await openFromMenu(page, 'Endpoints')
    await openNewEndpoint(page)
    await page.getByRole('combobox', { name: 'Api' }).click()
    await page.getByRole('option', { name: 'Blog' }).click()
    await page.getByRole('textbox', { name: 'Path' }).fill('/posts/{id}')
    await page.getByRole('textbox', { name: 'Summary' }).fill('One post')
    await page.getByRole('textbox', { name: 'Description' }).fill('One post')
    await page.getByRole('button', { name: 'Create endpoint' }).click()
    await toast(page, 'Endpoint created.')
    await page.waitForURL(/\/endpoint\/edit\/\d+$/)

    const refused = await through('/blog/posts/1')
    expect(refused.status).toBe(401)
    expect(refused.headers.get('www-authenticate')).toMatch(/^Bearer/)
    expect((await through('/blog/nothing')).status).toBe(404)
    expect((await through('/blog/posts/1', { method: 'POST' })).status).toBe(405)
  })

  it('a personal token of the gateway client opens it once its role has access', async () => {
    const { page } = journey
    await page.getByRole('link', { name: 'Personal Access Token' }).click()
    await page.getByRole('button', { name: 'Generate' }).click()
    const box = page.getByPlaceholder('Token will appear here')
    await expect.poll(() => box.inputValue()).toMatch(/^ghp_/)
    token = await box.inputValue()
    expect((await through('/blog/posts/1', withToken())).status).toBe(403)

    await page.getByRole('link', { name: 'Users Have API access' }).click()
    const row = page.getByRole('row').filter({ hasText: 'API Consumer' })
    await row.getByRole('link', { name: /^Edit/ }).click()
    await page.getByRole('combobox', { name: 'Assign Access' }).click()
    await page.getByRole('option', { name: /One post/ }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Update Access' }).click()
    await toast(page, 'Access updated successfully!')

    const answer = await through('/blog/posts/1', withToken())
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({ id: 1, userId: 1 })
    expect((await fetch(`${upstream.url}/posts/1`)).status).toBe(200)
  })
})

/** From a form with unsaved changes. */
async function leaveForEndpoints(page: Page): Promise<void> {
  const menu = page.getByRole('navigation', { name: 'Main' })
  await menu.getByRole('link', { name: 'Endpoints', exact: true }).click()
  await page.getByRole('button', { name: 'Leave', exact: true }).click()
  await page.waitForURL('**/dashboard/admin/endpoints')
}

describe('Try it', () => {
  it('shows what each stage made of the request, with and without the token', async () => {
    const { page } = journey
    await openFromMenu(page, 'Endpoints')
    await page.getByRole('link', { name: /^Edit/ }).first().click()
    await page.getByRole('heading', { name: 'Try it' }).click()
    await page.getByLabel('{id}').fill('2')
    await page.getByRole('button', { name: 'Send through the gateway' }).click()
    const stage = (name: string) => page.getByRole('listitem').filter({ hasText: name })
    await stage('Personal token').getByText('refused').waitFor()

    await page.getByLabel('Personal token', { exact: true }).fill(token)
    await page.getByRole('button', { name: 'Send through the gateway' }).click()
    await stage('Upstream').getByText('answered').waitFor()
    // Below the window: an editor that shrank once in view would move the page under the pointer.
    const lines = page.locator('.cm-content').filter({ hasText: '"userId"' })
    await lines.waitFor({ state: 'attached' })
    expect(await lines.evaluate((text) => text.closest('.cm-editor')?.clientHeight)).toBe(
      await lines.evaluate((text) => text.clientHeight),
    )
    await stage('Upstream').getByText('Details').click()
    await page.getByText(`${upstream.url}/posts/2`).waitFor()
    expect(await page.getByText(token).count()).toBe(0)
    await page.getByTitle('Fold', { exact: true }).click()
    await page.locator('.cm-foldPlaceholder').click()
    await lines.filter({ hasText: '"userId"' }).waitFor()
    await expectAccessible(page)
  })

  it('sends what is in the form before it is saved, and changes nothing', async () => {
    const { page } = journey
    await page.getByRole('textbox', { name: 'Path' }).fill('/posts/{id}/tried')
    await page.getByRole('switch', { name: 'Custom Output' }).click({ force: true })
    await page.getByRole('textbox', { name: 'Output content' }).fill('{"tried": "before saving"}')
    await page.getByText(/not yet saved: GET \/blog\/posts\/\{id\}\/tried/).waitFor()
    await page.getByRole('button', { name: 'Send through the gateway' }).click()
    await page
      .getByRole('textbox', { name: 'Answer' })
      .filter({ hasText: 'before saving' })
      .waitFor()
    await expectAccessible(page)
    expect((await through('/blog/posts/2/tried', withToken())).status).toBe(404)
    expect((await through('/blog/posts/2', withToken())).status).toBe(200)

    await page.getByRole('textbox', { name: 'Path' }).fill('no-slash')
    await page.getByRole('button', { name: 'Send through the gateway' }).click()
    await page.getByText('The endpoint could not be saved like this').waitFor()
    const path = page.getByRole('textbox', { name: 'Path' })
    await expect.poll(() => path.getAttribute('aria-invalid')).toBe('true')
  })

  it('sends the settings of an API before they are saved, and changes nothing', async () => {
    const { page } = journey
    await leaveForEndpoints(page)
    await openFromMenu(page, 'APIs')
    await page.getByRole('link', { name: 'Blog', exact: true }).click()
    const baseUrl = page.getByRole('textbox', { name: 'Base URL', exact: true })
    await baseUrl.fill(`${upstream.url}/no-such-place`)
    await page.getByRole('heading', { name: 'Try it' }).click()
    await page.getByText('the settings in this form, which are not yet saved').waitFor()
    await page.getByLabel('{id}').fill('1')
    await page.getByLabel('Personal token', { exact: true }).fill(token)
    await page.getByRole('button', { name: 'Send through the gateway' }).click()
    // The upstream has nothing there.
    await page.getByText('404', { exact: true }).waitFor()
    await expectAccessible(page)
    expect((await through('/blog/posts/1', withToken())).status).toBe(200)

    await baseUrl.fill('ftp://nowhere')
    await page.getByRole('button', { name: 'Send through the gateway' }).click()
    await page.getByText('The API could not be saved like this').waitFor()
    await expect.poll(() => baseUrl.getAttribute('aria-invalid')).toBe('true')
  })

  it('sends an endpoint that is new, which no role has access to', async () => {
    const { page } = journey
    await leaveForEndpoints(page)
    await openNewEndpoint(page)
    await page.getByRole('combobox', { name: 'Api' }).click()
    await page.getByRole('option', { name: 'Blog' }).click()
    await page.getByRole('textbox', { name: 'Path' }).fill('/users/{id}')
    await page.getByRole('textbox', { name: 'Summary' }).fill('One user')
    await page.getByRole('textbox', { name: 'Description' }).fill('One user')
    await page.getByRole('heading', { name: 'Try it' }).click()
    await page.getByLabel('{id}').fill('1')
    await page.getByLabel('Personal token', { exact: true }).fill(token)
    await page.getByRole('button', { name: 'Send through the gateway' }).click()
    await page.getByText('only the token of a Super Admin is let in').waitFor()
    await expectAccessible(page)
    expect((await through('/blog/users/1', withToken())).status).toBe(404)
    await leaveForEndpoints(page)
    await page.getByRole('link', { name: /^Edit/ }).first().click()
    await page.getByRole('heading', { name: 'Try it' }).waitFor()
  })

  it('as a client that is chosen by its token’s name, which is refused and given the grant', async () => {
    const { page } = journey
    const call = await signIn(journey.url)
    const { id: user } = await createPerson(journey.url, 'Till', [])
    expect((await call('POST', '/admin/token/store', { user, name: 'Till 4' })).status).toBe(201)

    await page.reload()
    await page.getByRole('heading', { name: 'Try it' }).click()
    await page.getByLabel('{id}').fill('2')
    await page.getByRole('combobox', { name: 'As client' }).click()
    await page.getByRole('option', { name: /^Till · Till 4/ }).click()
    await page.getByRole('button', { name: 'Send through the gateway' }).click()
    await page.getByText('client.access_denied', { exact: true }).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: /^Grant Role of Till access to GET/ }).click()
    await page.getByText('Access was given. Send the request again.').waitFor()
    await page.getByRole('button', { name: 'Send through the gateway' }).click()
    const upstreamStage = page.getByRole('listitem').filter({ hasText: 'Upstream' })
    await upstreamStage.getByText('answered').waitFor()

    await openFromMenu(page, 'Requests')
    await page.getByRole('row').filter({ hasText: 'Till' }).first().getByRole('button').click()
    await page.getByText('Try it, on the dashboard').waitFor()
    await expectAccessible(page)
  })
})

describe('the home screen', () => {
  it('counts what went through, by endpoint, in a wide and in a narrow window', async () => {
    const { page } = journey
    await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
    await page.getByRole('img', { name: /^Last hour: .* requests/ }).waitFor()
    await page.getByRole('link', { name: 'All figures' }).click()
    await page.waitForURL('**/traffic')
    // Over a chart it would show the numbers under it.
    await page.mouse.move(0, 0)
    await page.getByRole('link', { name: 'One post' }).waitFor()
    await page.getByText(/1 worker serving|workers serving/).waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    const width = await page.evaluate<number>('document.documentElement.scrollWidth')
    expect(width).toBeLessThanOrEqual(390)
    await page.setViewportSize({ width: 1280, height: 800 })
    expect(journey.complaints).toEqual([])
  })
})
