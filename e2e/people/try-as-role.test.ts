import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { creatorOf } from '../harness/creator.ts'
import { expectAccessible, startOwnJourney } from '../harness/journey.ts'
import { showScreen } from '../harness/open-as.ts'

// What a client with one role would get of an API that asks for client certificates and signatures, and has a draft.

const certificate = fileURLToPath(
  new URL('../../packages/upstream/fixtures/self-signed-localhost.pem', import.meta.url),
)
const authorities = readFileSync(
  new URL('../../apps/gateway/fixtures/clients-ca.pem', import.meta.url),
  'utf8',
)

const journey = startOwnJourney({ TLS_CERT: certificate, TLS_KEY: certificate })
const servers: Server[] = []
let creator: Awaited<ReturnType<typeof creatorOf>>
let endpoint: number

beforeAll(async () => {
  creator = await creatorOf(journey.url)
  const [live, next] = await Promise.all([answering('live'), answering('draft')])
  const policy = {
    signature: { window_seconds: 60 },
    client_certificates: { ca: authorities },
  }
  const more = { api_access: 'externally', traffic_policy: policy }
  const api = await creator.createApi('Ledger', live, more)
  endpoint = await creator.createEndpoint(api, ['get', '/entries', 'Entries'], {
    authentication: 1,
  })
  const made = await creator.call('POST', '/admin/token/store', { name: 'ERP' })
  const { access_token } = made.body as { access_token: { id: number } }
  const draft = await creator.call('PUT', `/api/apis/${api}/draft`, {
    name: 'Ledger',
    api_protocol: 'http',
    gateway_status: 'active',
    ...more,
    api_url: next,
    draft_tokens: [access_token.id],
    draft_version: 0,
  })
  if (draft.status !== 200) throw new Error(JSON.stringify(draft.body))
  for (const name of ['Clerks', 'Guests']) await creator.create('/api/role', { name })
  const [clerks] = await rolesNamed('Clerks')
  await creator.call('PUT', `/api/api-permission/${clerks!.id}/update`, { endpoints: [endpoint] })
})
afterAll(() => {
  for (const server of servers) server.close()
})

async function rolesNamed(name: string) {
  const { body } = await creator.call('GET', `/api/role?search=${name}`)
  const [{ data }] = body as [{ data: { id: number }[] }]
  return data
}

async function answering(text: string) {
  const server = createServer((_, response) => response.end(text))
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

it('a role is chosen by its name; its access decides, and neither signature nor certificate is asked for', async () => {
  const { page } = journey
  await showScreen(page, `/dashboard/admin/endpoint/edit/${endpoint}`)
  await page.getByRole('heading', { name: 'Try it' }).click()
  const send = page.getByRole('button', { name: 'Send through the gateway' })
  const stage = (name: string) => page.getByRole('listitem').filter({ hasText: name })
  const choose = async (role: string) => {
    await page.getByRole('combobox', { name: 'As role' }).fill(role)
    await page.getByRole('option', { name: role }).click()
    // It stands for a token.
    await page.getByLabel('Personal token', { exact: true }).waitFor({ state: 'detached' })
    await send.click()
  }
  await choose('Guests')
  await stage('Access').getByText('refused').waitFor()
  await stage('Personal token').getByText('passed').waitFor()
  await expectAccessible(page)

  await choose('Clerks')
  await stage('Upstream').getByText('answered').waitFor()
  // The draft is its tokens' alone.
  await page.getByRole('textbox', { name: 'Answer' }).filter({ hasText: 'live' }).waitFor()
  await expectAccessible(page)

  await page.getByLabel('Choose no role').click()
  await send.click()
  await stage('Personal token').getByText('refused').waitFor()
  await page.getByText('client.signature').first().waitFor()
})

it('a program that calls Try it gets the same', async () => {
  const tried = async (more: object) => {
    const { status, body } = await creator.call('POST', `/api/endpoint/${endpoint}/try`, more)
    expect(status, JSON.stringify(body)).toBe(200)
    return (body as { answer: { status: number; body: string } }).answer
  }
  const [clerks] = await rolesNamed('Clerks')
  expect(await tried({ as_role: clerks!.id })).toMatchObject({ status: 200, body: 'live' })
  const [guests] = await rolesNamed('Guests')
  expect(await tried({ as_role: guests!.id })).toMatchObject({ status: 403 })
  expect(await tried({})).toMatchObject({ status: 401 })
})
