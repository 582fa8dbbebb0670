import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectAccessible, startOwnJourney } from '../harness/journey.ts'
import { showScreen } from '../harness/open-as.ts'
import { openFromMenu } from '../harness/open-browser.ts'
import { signIn } from '../harness/run-product.ts'
import { runUpstream, type Upstream } from '../harness/upstreams/run-upstream.ts'

// What the gateway answered, as an administrator follows it, narrows it down and looks into it.

const journey = startOwnJourney()
let upstream: Upstream
let endpointId: number
beforeAll(async () => {
  upstream = await runUpstream()
  const call = await signIn(journey.url)
  const create = async (path: string, body: object) =>
    ((await call('POST', path, body)).body as { id: number }).id
  const api_id = await create('/api/apis', {
    name: 'Blog',
    api_protocol: 'http',
    gateway_status: 'active',
    api_access: 'internally',
    api_url: upstream.url,
  })
  endpointId = await create('/api/endpoint', {
    api_id,
    method_type: 'get',
    status: 'active',
    path: '/posts/{id}',
    authentication: 0,
    summery: 'One post',
    description: 'One post',
  })
})
afterAll(() => upstream.stop())

const through = (path: string) => fetch(`${journey.gatewayUrl}${path}`)
const rows = () => journey.page.getByRole('row').filter({ has: journey.page.getByRole('cell') })

it('requests come while they are watched, newest first', async () => {
  const { page } = journey
  await openFromMenu(page, 'Requests')
  await page.getByText('No requests yet').waitFor()
  expect((await through('/blog/posts/1?api_key=hidden')).status).toBe(200)
  await rows().filter({ hasText: '/blog/posts/1' }).waitFor()
  expect((await through('/blog/nothing')).status).toBe(404)
  await rows().filter({ hasText: '/blog/nothing' }).waitFor()
  expect(await rows().first().innerText()).toContain('404')
  expect(await page.getByRole('main').innerText()).not.toContain('hidden')
})

it('a request that was refused says why, and leads to its line in the log', async () => {
  const { page } = journey
  await rows().filter({ hasText: '/blog/nothing' }).getByRole('button').click()
  const panel = page.getByRole('complementary', { name: 'Details of the request' })
  await panel.getByText('client.not_found').waitFor()
  await expectAccessible(page)
  const id = await panel.locator('code').filter({ hasText: '-' }).last().innerText()
  await panel.getByRole('link', { name: 'Log entry' }).click()
  await page.getByRole('heading', { name: 'Log Viewer' }).waitFor()
  await page.getByRole('link', { name: `Show entries of request ${id}` }).click()
  await page.waitForURL(new RegExp(`gateway-requests\\?search=${id}`))
  await page.getByRole('heading', { name: 'Gateway requests' }).waitFor()
  await rows().filter({ hasText: '/blog/nothing' }).waitFor()
  await expect.poll(() => rows().count()).toBe(1)
})

it('the screen of an endpoint leads to its requests, and from there back to Try it', async () => {
  const { page } = journey
  await showScreen(page, `/dashboard/admin/endpoint/edit/${endpointId}`)
  await page.getByRole('link', { name: 'Requests of this endpoint' }).click()
  await rows().filter({ hasText: '/blog/posts/1' }).waitFor()
  await expect.poll(() => rows().count()).toBe(1)
  await rows().getByRole('button').click()
  await page.getByRole('link', { name: 'Try it' }).click()
  await page.getByRole('button', { name: 'Send through the gateway' }).waitFor()
})

it('a try is shown pretty and raw, copied as curl, and kept for the next time', async () => {
  const { page } = journey
  await page.getByRole('textbox', { name: '{id}' }).fill('2')
  await page.getByRole('button', { name: 'Send through the gateway' }).click()
  await page.getByRole('button', { name: 'Raw', exact: true }).click()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: /^Copy as curl/ }).click()
  const copied = () => page.evaluate<string>('navigator.clipboard.readText()')
  const expected = `curl --include --request GET '${journey.gatewayUrl}/blog/posts/2'`
  await expect.poll(copied).toBe(expected)
  await expectAccessible(page)
  await page.reload()
  await page.getByText('Last tries (1)').click()
  await page.getByRole('listitem').filter({ hasText: '200' }).getByRole('button').click()
  expect(await page.getByRole('textbox', { name: '{id}' }).inputValue()).toBe('2')
})

it('a click on the chart shows the requests of that span and class', async () => {
  const { page } = journey
  await showScreen(page, '/dashboard/admin/traffic')
  const refused = page.locator('rect[data-series="Refused (4xx)"]').first()
  // Figures are written every few seconds, and the chart asks again.
  await refused.waitFor()
  await refused.click()
  await page.waitForURL(/gateway-requests\?from=.*&to=.*&status=refused/)
  await rows().filter({ hasText: '/blog/nothing' }).waitFor()
  expect(await rows().filter({ hasText: '/blog/posts/1' }).count()).toBe(0)
})
