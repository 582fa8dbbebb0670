import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible, rowOf, startJourney, toast } from '../harness/journey.ts'
import { createPerson, openAs, showScreen } from '../harness/open-as.ts'
import { openFromMenu } from '../harness/open-browser.ts'
import { runUpstream, type Upstream } from '../harness/upstreams/run-upstream.ts'
import { signIn } from '../harness/run-product.ts'

// The page of an API: each of its parts, by its tab and by its address.

const journey = startJourney()
let upstream: Upstream
let apiId: number
beforeAll(async () => {
  upstream = await runUpstream()
  const call = await signIn(journey.url)
  const api = { name: 'Posts', api_protocol: 'http', gateway_status: 'active' }
  const created = async (path: string, body: object) => {
    const answer = await call('POST', path, body)
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    return (answer.body as { id: number }).id
  }
  apiId = await created('/api/apis', { ...api, api_access: 'internally', api_url: upstream.url })
  await created('/api/apis', {
    ...api,
    name: 'Empty',
    api_access: 'internally',
    api_url: upstream.url,
  })
})
afterAll(() => upstream?.stop())

const tab = (name: string) =>
  journey.page
    .getByRole('navigation', { name: 'Parts of this API' })
    .getByRole('link', { name, exact: true })
const hub = () => `/dashboard/admin/apis/${apiId}`

describe('the page of an API', () => {
  it('opens from the list at its settings, and names itself, its address and the gateway’s', async () => {
    const { page } = journey
    await openFromMenu(page, 'APIs')
    await page.getByRole('table').getByRole('link', { name: 'Posts', exact: true }).click()
    await page.getByRole('heading', { level: 2, name: 'Posts' }).waitFor()
    await page.waitForURL(`**/dashboard/admin/api/edit/${apiId}`)
    await page.getByText(`${journey.gatewayUrl}/posts`, { exact: true }).waitFor()
    await page.getByRole('heading', { name: 'Edit Posts' }).waitFor()
    await page.getByRole('button', { name: 'Copy: the Gateway URL' }).waitFor()
  })

  it('has the endpoints of this API, and their forms come back to it', async () => {
    const { page } = journey
    await tab('Endpoints').click()
    await page.getByText('This API has no endpoints yet').waitFor()
    await page.getByRole('button', { name: 'Check', exact: true }).click()
    await page.getByText(/^Reached /).waitFor()
    await page.getByRole('link', { name: 'Add endpoint' }).click()
    await page.getByRole('textbox', { name: 'Path' }).fill('/posts/{id}')
    await page.getByRole('textbox', { name: 'Summary' }).fill('One post')
    await page.getByRole('textbox', { name: 'Description' }).fill('One post')
    await page.getByRole('switch', { name: 'Enable Authentication' }).click({ force: true })
    await page.getByRole('button', { name: 'Create endpoint' }).click()
    await toast(page, 'Endpoint created.')
    await page.getByRole('heading', { name: 'Edit One post' }).waitFor()
    await page.getByRole('link', { name: 'Cancel' }).click()
    await page.waitForURL(`**${hub()}/endpoints`)
    await rowOf(page, 'One post').getByRole('link', { name: 'Edit' }).click()
    await page.getByRole('textbox', { name: 'Description' }).fill('One post by its number')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await toast(page, 'Endpoint saved.')
    await page.goBack()
    await page.waitForURL(`**${hub()}/endpoints`)
    await rowOf(page, 'One post by its number').waitFor()
    await expectAccessible(page)
  })

  it('shows the traffic of this API alone', async () => {
    const { page } = journey
    for (let time = 0; time < 3; time++)
      expect((await fetch(`${journey.gatewayUrl}/posts/posts/${time + 1}`)).status).toBe(200)
    expect((await fetch(`${journey.gatewayUrl}/nothing`)).status).toBe(404)
    await tab('Traffic').click()
    const requests = page
      .locator('dt', { hasText: 'Requests' })
      .locator('xpath=following-sibling::dd')
    await requests.getByText('3', { exact: true }).waitFor()
    await page.getByRole('region', { name: 'Busiest endpoints' }).getByText('One post').waitFor()
    await expectAccessible(page)
    await page.locator('rect[data-series="Passed"]').first().click()
    await page.waitForURL(
      new RegExp(String.raw`gateway-requests\?from=.*&api=${apiId}&status=answered`),
    )
    await page.goBack()
  })

  it('says who may call each endpoint, and grants it', async () => {
    const { page } = journey
    await tab('Access').click()
    await rowOf(page, 'One post').getByText('anyone: no token is asked for').waitFor()
    await page.getByRole('checkbox', { name: /^Select One post/ }).check()
    await page.getByRole('button', { name: 'Grant access' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: 'Role' }).click()
    await dialog.getByRole('option', { name: 'API Consumer' }).click()
    await dialog.getByRole('button', { name: 'Grant access: 1 endpoint' }).click()
    await dialog.getByText('Done', { exact: true }).waitFor()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await rowOf(page, 'One post').getByRole('link', { name: 'API Consumer' }).waitFor()
    await page.getByRole('link', { name: 'By role' }).click()
    await rowOf(page, 'API Consumer').getByRole('link', { name: '1 endpoint' }).waitFor()
    await page.getByRole('link', { name: 'By token' }).click()
    await page.getByText('No token may call this API').waitFor()
  })

  it('grants the whole API to a role and takes it away, with the effect shown before', async () => {
    const { page } = journey
    await page.getByRole('button', { name: 'Grant the whole API' }).click()
    const grant = page.getByRole('dialog', { name: 'Grant the whole API to a role?' })
    await grant.getByRole('combobox', { name: 'Role' }).click()
    await page.getByRole('option', { name: 'Operator' }).click()
    await grant.getByText(/^Saving opens 1 endpoint/).waitFor()
    await expectAccessible(page)
    await grant.getByRole('button', { name: 'Grant the whole API' }).click()
    await toast(page, 'Access updated successfully!')
    await page.getByRole('link', { name: 'By role' }).click()
    const row = rowOf(page, 'Operator')
    await row.getByRole('link', { name: '1 endpoint' }).waitFor()
    await row.getByRole('button', { name: 'Take away the whole API from Operator' }).click()
    const take = page.getByRole('dialog', { name: 'Take the whole API from Operator?' })
    await take.getByText(/^Saving closes 1 endpoint/).waitFor()
    await expectAccessible(page)
    await take.getByRole('button', { name: 'Take the whole API' }).click()
    await row.waitFor({ state: 'detached' })
    await rowOf(page, 'API Consumer').waitFor()
  })

  it('keeps the history of the API and its endpoints, and restores a version', async () => {
    const { page } = journey
    await tab('History').click()
    await rowOf(page, 'api.create').waitFor()
    await rowOf(page, 'endpoint.create').getByRole('button', { name: 'Details' }).click()
    await page.getByRole('button', { name: 'Restore this version' }).click()
    await page.getByRole('button', { name: 'Restore version' }).click()
    await toast(page, 'Version restored successfully!')
    await expectAccessible(page)
    await showScreen(page, `${hub()}/endpoints?search=post`)
    await page.getByText('One post', { exact: true }).first().waitFor()
    expect(await page.getByText('One post by its number').count()).toBe(0)
  })

  it('offers the parts that a user may see, and no other', async () => {
    const { url, browser } = journey
    const person = await createPerson(url, 'Endpoint viewer', ['api.view', 'endpoint.view'])
    const { page, refusals } = await openAs(browser, url, person)
    await showScreen(page, hub())
    await page.waitForURL(`**${hub()}/endpoints`)
    await rowOf(page, 'One post').waitFor()
    const parts = page.getByRole('navigation', { name: 'Parts of this API' }).getByRole('link')
    expect(await parts.allInnerTexts()).toEqual(['Endpoints', 'Agents'])
    await showScreen(page, `${hub()}/history`)
    await page.getByRole('heading', { name: 'You may not see this screen' }).waitFor()
    expect(refusals).toEqual([])
  })
})
