import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectAccessible, startOwnJourney, toast } from '../harness/journey.ts'
import { showScreen } from '../harness/open-as.ts'
import { signIn } from '../harness/run-product.ts'

// A new base URL is tried with one token while everybody else keeps the old one, and then published.

const journey = startOwnJourney()
const servers: Server[] = []
let next: string
let api: number
let token: string
beforeAll(async () => {
  const live = await answering('live')
  next = await answering('draft')
  const call = await signIn(journey.url)
  const made = async <T>(path: string, body: object) => {
    const answer = await call('POST', path, body)
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    return answer.body as T
  }
  const created = await made<{ id: number }>('/api/apis', {
    name: 'Blog',
    api_protocol: 'http',
    gateway_status: 'active',
    api_access: 'internally',
    api_url: live,
  })
  api = created.id
  await made('/api/endpoint', {
    api_id: api,
    method_type: 'get',
    status: 'active',
    path: '/posts',
    authentication: 0,
    summery: 'Posts',
    description: 'Posts',
  })
  const { access_token } = await made<{ access_token: { token: string } }>('/admin/token/store', {
    name: 'Tester',
  })
  token = access_token.token
})
afterAll(() => {
  for (const server of servers) server.close()
})

async function answering(text: string) {
  const server = createServer((_, response) => response.end(text))
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function through(headers: Record<string, string> = {}) {
  const answer = await fetch(`${journey.gatewayUrl}/blog/posts`, { headers })
  return answer.text()
}
const asTester = () => through({ authorization: `Bearer ${token}` })
const tab = (name: string) =>
  journey.page
    .getByRole('navigation', { name: 'Parts of this API' })
    .getByRole('link', { name, exact: true })

it('a draft names the tokens that reach it', async () => {
  const { page } = journey
  await showScreen(page, `/dashboard/admin/api/edit/${api}`)
  await tab('Draft').click()
  await page.getByText(/^A draft is served to the personal tokens that you choose/).waitFor()
  await expectAccessible(page)
  await page.getByRole('textbox', { name: 'Base URL', exact: true }).fill(next)
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.getByText('Choose at least one personal token.').first().waitFor()
  await page.getByRole('combobox', { name: 'Tokens that reach the draft' }).click()
  await page.getByRole('option', { name: /Tester/ }).click()
  await page.getByRole('button', { name: 'Save draft' }).click()
  await toast(page, 'Draft saved successfully!')
  const differences = page.getByRole('table', { name: 'What differs' })
  await differences.getByRole('row', { name: new RegExp(`^Base URL .*${next}`) }).waitFor()
  await expectAccessible(page)
})

it('serves that token, and everybody else gets the settings in force', async () => {
  const { page } = journey
  expect([await asTester(), await through()]).toEqual(['draft', 'live'])
  await showScreen(page, '/dashboard/admin/gateway-requests')
  const rows = page.getByRole('row').filter({ hasText: '/blog/posts' })
  // The second one would move the first under the pointer.
  await expect.poll(() => rows.count()).toBe(2)
  await rows.filter({ hasText: 'Tester' }).first().getByRole('button').first().click()
  await page.getByText('the draft of the API').waitFor()
})

it('published, it is in force for all', async () => {
  const { page } = journey
  await showScreen(page, `/dashboard/admin/apis/${api}/draft`)
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Publish the draft?' })
  await dialog.waitFor()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Publish draft' }).click()
  await toast(page, 'Draft published successfully!')
  await page.getByText(/^A draft is served to the personal tokens that you choose/).waitFor()
  expect([await asTester(), await through()]).toEqual(['draft', 'draft'])
  await tab('History').click()
  await page.getByText('draft.publish').first().waitFor()
})

it('another one is discarded, and nothing has changed', async () => {
  const { page } = journey
  await tab('Draft').click()
  await page.getByRole('combobox', { name: 'Tokens that reach the draft' }).click()
  await page.getByRole('option', { name: /Tester/ }).click()
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.getByRole('button', { name: 'Discard', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Discard the draft?' })
  await dialog.getByRole('button', { name: 'Discard draft' }).click()
  await toast(page, 'Draft discarded successfully!')
  expect(await asTester()).toBe('draft')
  expect(journey.complaints).toEqual([])
})
