import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { creatorOf } from '../harness/creator.ts'
import { newDataDir } from '../harness/data-dir.ts'
import { expectAccessible, toast } from '../harness/journey.ts'
import { createPerson, openAs, type Person, type SignedInPage } from '../harness/open-as.ts'
import { closePages } from '../harness/open-browser.ts'
import { runProduct, type Product } from '../harness/run-product.ts'
import { sharedBrowser } from '../harness/shared/browser.ts'

// The official client, as agents have it, against the whole product: what each role finds, a read, a refused call, a
// call that a person releases in the browser, an unknown outcome, a workflow, a revoked token, and a kill.

const revisions = ['2026-07-28', '2025-11-25'] as const
type Revision = (typeof revisions)[number]

const folder = newDataDir()
const received: string[] = []
/** Called with each request before it is answered. */
let onReceived = () => {}
const upstream = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')))
  request.on('end', () => {
    received.push(`${request.method} ${request.url} ${body}`)
    onReceived()
    if (request.url === '/lost') return response.destroy()
    const status = request.url === '/orders/404' ? 404 : 200
    response.writeHead(status, { 'content-type': 'application/json' })
    return response.end('{"no":7,"total":119.00}')
  })
})
let product: Product
let clerk: Person
let seen: SignedInPage
let creator: Awaited<ReturnType<typeof creatorOf>>

const start = async () => (product = await runProduct({ DATA_DIR: folder }))

/** A user with a role that has access to these, and a token of that user. */
async function holder(name: string, endpoints: number[], workflows: number[] = []) {
  const { id, role } = await createPerson(product.url, name, [])
  await creator.call('PUT', `/api/api-permission/${role.id}/update`, { endpoints, workflows })
  const made = await creator.call('POST', '/admin/token/store', { name, user: id })
  const { access_token } = made.body as { access_token: { id: number; token: string } }
  return access_token
}
let reader: Awaited<ReturnType<typeof holder>>
let seller: typeof reader
let nobody: typeof reader

beforeAll(async () => {
  upstream.listen(0, '127.0.0.1')
  await once(upstream, 'listening')
  await start()
  creator = await creatorOf(product.url)
  const { port } = upstream.address() as AddressInfo
  const api = await creator.createApi('Sales', `http://127.0.0.1:${port}`, {
    offer_to_agents: true,
  })
  const offered = { agent_offer: 'offered' }
  const read = await creator.createEndpoint(api, ['get', '/orders/{id}', 'One order'])
  const order = await creator.createEndpoint(api, ['post', '/orders', 'New order'], {
    ...offered,
    agent_release_hours: 24,
  })
  const lost = await creator.createEndpoint(api, ['post', '/lost', 'Lost order'], offered)
  const flow = await creator.create('/api/workflows', {
    name: 'Ship',
    slug: 'ship',
    kind: 'general',
    status: 'active',
    lane: { name: 'ship' },
    steps: [{ endpoint_id: lost, body: { kind: 'none' } }],
  })
  const sent = await creator.create('/api/workflows', {
    name: 'Pack',
    slug: 'pack',
    kind: 'general',
    status: 'active',
    lane: { name: 'pack' },
    steps: [{ endpoint_id: read, body: { kind: 'template', text: '{"id":"{{input.no}}"}' } }],
  })
  reader = await holder('Reader', [read])
  seller = await holder('Seller', [read, order, lost], [flow, sent])
  nobody = await holder('Nobody', [])
  clerk = await createPerson(product.url, 'Releases', ['dashboard.view', 'run.view', 'run.release'])
  seen = await openAs(await sharedBrowser(), product.url, clerk)
})
afterAll(async () => {
  await closePages(await sharedBrowser())
  await product?.end('SIGKILL')
  upstream.close()
  rmSync(folder, { recursive: true, force: true })
})

async function connect(revision: Revision, token: string) {
  const mode = revision === '2025-11-25' ? 'legacy' : { pin: revision }
  const client = new Client({ name: 'an agent', version: '1' }, { versionNegotiation: { mode } })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${product.gatewayUrl}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  )
  onTestFinished(() => client.close())
  return client
}

const namesOf = async (client: Client) =>
  (await client.listTools()).tools.map(({ name }) => name).toSorted()

interface Shown {
  id: number
  state: string
  steps: { answer?: string }[]
}
const runOf = ({ structuredContent }: Awaited<ReturnType<Client['callTool']>>) =>
  (structuredContent as { run: Shown }).run

const statusOf = async (client: Client, id: number) =>
  runOf(await client.callTool({ name: 'run_status', arguments: { id } }))

async function release(id: number) {
  const { page } = seen
  await page.getByRole('button', { name: 'Release this run' }).click()
  const dialog = page.getByRole('dialog', { name: `Release run ${id}?` })
  await dialog.getByText('It is sent now, once, as it is shown here.').waitFor()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Release this run' }).click()
}

describe.each(revisions)('a client of %s', (revision) => {
  it('finds what the role of its token may call', async () => {
    expect(await namesOf(await connect(revision, nobody.token))).toEqual([])
    expect(await namesOf(await connect(revision, reader.token))).toEqual(['sales_one_order'])
    expect(await namesOf(await connect(revision, seller.token))).toEqual([
      'run_status',
      'sales_lost_order',
      'sales_new_order',
      'sales_one_order',
      'workflow_pack',
      'workflow_ship',
    ])
  })

  it('reads, is refused by the API, and finds no tool of another role', async () => {
    const client = await connect(revision, reader.token)
    const read = await client.callTool({ name: 'sales_one_order', arguments: { id: '7' } })
    expect(read.structuredContent).toEqual({ no: 7, total: 119 })
    const refused = await client.callTool({ name: 'sales_one_order', arguments: { id: '404' } })
    expect(refused).toMatchObject({ isError: true })
    expect(JSON.stringify(refused)).toContain('The API answered with status 404.')
    const other = client.callTool({ name: 'sales_new_order', arguments: { body: {} } })
    await expect(other).rejects.toThrow(/Unknown tool/)
  })

  it('waits for another person, who sees the difference and releases it in the browser', async () => {
    const client = await connect(revision, seller.token)
    const total = revision === '2025-11-25' ? '25.00' : '20.00'
    const before = received.length
    const call = await client.callTool({
      name: 'sales_new_order',
      arguments: { body: { no: revision, total } },
    })
    const { id, state } = runOf(call)
    expect(state).toBe('waits_for_release')
    expect(JSON.stringify(call.content)).toContain('waits for release')
    expect(received.length).toBe(before)
    const { page } = seen
    await page.goto(`${product.url}/dashboard`)
    await page.getByRole('link', { name: /1\s*Waits for release/ }).click()
    await page.getByRole('link', { name: `View run ${id}` }).click()
    await page.getByRole('heading', { name: 'Release by a person' }).waitFor()
    // A call of the earlier revision names no client: its HTTP library is known alone.
    const named = revision === revisions[0] ? 'an agent' : 'node'
    await page.getByText(`Seller, ${named}`, { exact: true }).waitFor()
    if (revision === revisions[0])
      await page.getByText('No call of an agent to this endpoint has succeeded yet').waitFor()
    else {
      const difference = page.getByRole('region', { name: /^From run \d+ to this one$/ })
      await difference.getByText('"total": "20.00"').waitFor()
      await difference.getByText('"total": "25.00"').waitFor()
    }
    await expectAccessible(page)
    await release(id)
    await toast(page, 'The call is released.')
    await page.getByText('Every step succeeded.').waitFor()
    expect(received.slice(before)).toEqual([`POST /orders {"no":"${revision}","total":"${total}"}`])
    const status = await statusOf(client, id)
    expect(status).toMatchObject({ state: 'succeeded' })
    expect(status.steps[0]?.answer).toBe('{"no":7,"total":119.00}')
  })

  it('learns of an unknown outcome, of a call and of a workflow', async () => {
    const client = await connect(revision, seller.token)
    const lost = await client.callTool({ name: 'sales_lost_order', arguments: { body: {} } })
    expect(lost).toMatchObject({ isError: true })
    expect(JSON.stringify(lost)).toContain('Do not call this again')
    const key = `key-of-ship-${revision}`
    const ship = { name: 'workflow_ship', arguments: { input: {}, idempotency_key: key } }
    const unknown = await client.callTool(ship)
    expect(unknown).toMatchObject({ isError: true })
    expect(runOf(unknown).state).toBe('unknown')
    expect(JSON.stringify(unknown)).toContain('run_status')
  })

  it('runs a workflow, once for each key', async () => {
    const client = await connect(revision, seller.token)
    const key = `key-of-pack-${revision}`
    const pack = { name: 'workflow_pack', arguments: { input: { no: '9' }, idempotency_key: key } }
    const before = received.length
    const first = runOf(await client.callTool(pack))
    expect(first.state).toBe('succeeded')
    expect(runOf(await client.callTool(pack)).id).toBe(first.id)
    expect(received.slice(before)).toEqual(['GET /orders/9 '])
  })

  it('is refused once its token is revoked', async () => {
    const made = await creator.call('POST', '/admin/token/store', { name: `Gone ${revision}` })
    const { access_token } = made.body as { access_token: { id: number; token: string } }
    const client = await connect(revision, access_token.token)
    await client.callTool({ name: 'sales_one_order', arguments: { id: '7' } })
    const revoked = await creator.call('DELETE', `/api/token/${access_token.id}`)
    expect(revoked.status, JSON.stringify(revoked)).toBeLessThan(300)
    await expect(
      client.callTool({ name: 'sales_one_order', arguments: { id: '7' } }),
    ).rejects.toThrow()
  })
})

it('killed while it waits and while it is under way, a released call is sent once', async () => {
  const first = await connect('2026-07-28', seller.token)
  const { id } = runOf(
    await first.callTool({ name: 'sales_new_order', arguments: { body: { no: 'killed' } } }),
  )
  await product.end('SIGKILL')
  await start()
  seen = await openAs(await sharedBrowser(), product.url, clerk)
  const arrived = new Promise<void>((resolve) => {
    onReceived = () => {
      product.kill()
      resolve()
    }
  })
  await seen.page.goto(`${product.url}/dashboard/admin/runs/${id}`)
  await release(id)
  await arrived
  onReceived = () => {}
  await product.end('SIGKILL')
  await start()
  const again = await connect('2026-07-28', seller.token)
  const status = await again.callTool({ name: 'run_status', arguments: { id } })
  expect(runOf(status).state).toBe('unknown')
  expect(JSON.stringify(status)).toContain('It may have been carried out. Do not call this again')
  expect(received.filter((each) => each.includes('"killed"'))).toHaveLength(1)
})
