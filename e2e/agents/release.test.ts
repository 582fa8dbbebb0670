import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { creatorOf } from '../harness/creator.ts'
import { newDataDir } from '../harness/data-dir.ts'
import { expectAccessible, toast } from '../harness/journey.ts'
import { createPerson, openAs, type Person, type SignedInPage } from '../harness/open-as.ts'
import { closePages } from '../harness/open-browser.ts'
import { runProduct, type Product } from '../harness/run-product.ts'
import { sharedBrowser } from '../harness/shared/browser.ts'

// A program hands a run in; another person looks at what would be sent, and releases or refuses it. The product is
// killed in between, and while what was released is under way.

const folder = newDataDir()
const received: string[] = []
/** Called with each request before it is answered. */
let onReceived = () => {}
const upstream = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')))
  request.on('end', () => {
    received.push(body)
    onReceived()
    response.setHeader('content-type', 'application/json').end('{"id":1}')
  })
})
let product: Product
let person: Person
let seen: SignedInPage
let token: string

const start = async () => (product = await runProduct({ DATA_DIR: folder }))

beforeAll(async () => {
  upstream.listen(0, '127.0.0.1')
  await once(upstream, 'listening')
  await start()
  const creator = await creatorOf(product.url)
  const { port } = upstream.address() as AddressInfo
  const api = await creator.createApi('Authority', `http://127.0.0.1:${port}`, {
    offer_to_agents: true,
  })
  const endpoint_id = await creator.createEndpoint(api, ['post', '/invoices', 'File an invoice'])
  await creator.create('/api/workflows', {
    name: 'Filed by two',
    slug: 'filed',
    kind: 'general',
    status: 'active',
    needs_release: 'tokens',
    lane: { name: 'filed' },
    steps: [
      {
        endpoint_id,
        body: { kind: 'template', text: '{"no":"{{input.no}}","total":"{{input.total}}"}' },
      },
    ],
  })
  const made = await creator.call('POST', '/admin/token/store', { name: 'Till' })
  ;({ token } = (made.body as { access_token: { token: string } }).access_token)
  person = await createPerson(product.url, 'Releases', [
    'dashboard.view',
    'run.view',
    'run.release',
    'workflow.view',
  ])
  seen = await openAs(await sharedBrowser(), product.url, person)
})
afterAll(async () => {
  await closePages(await sharedBrowser())
  await product?.end('SIGKILL')
  upstream.close()
  rmSync(folder, { recursive: true, force: true })
})

const hand = async (no: string, total: string) => {
  const answer = await fetch(`${product.url}/api/workflows/filed/runs`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': `key-of-${no}`,
    },
    body: JSON.stringify({ no, total }),
  })
  expect(answer.status).toBe(202)
  return ((await answer.json()) as { run: { id: number; state: string } }).run
}

const show = async (path: string) => {
  await seen.page.goto(`${product.url}${path}`)
  return seen.page
}

/** After a kill the product has another port, and another sign-in. */
async function startAgain(): Promise<void> {
  await product.end('SIGKILL')
  await start()
  seen = await openAs(await sharedBrowser(), product.url, person)
}

it('what waits is on the home screen, and its page shows what would be sent', async () => {
  const run = await hand('INV-1', '10.00')
  expect(run.state).toBe('waits_for_release')
  const page = await show('/dashboard')
  await page.getByRole('link', { name: /1\s*Waits for release/ }).click()
  await page.getByRole('link', { name: `View run ${run.id}` }).click()
  await page.getByRole('heading', { name: 'Release by a person' }).waitFor()
  await page.getByText('Till', { exact: true }).waitFor()
  await page.getByText('No run of this workflow has succeeded yet').waitFor()
  await page.getByRole('button', { name: 'Release this run' }).waitFor()
  await expectAccessible(page)
  expect(received).toEqual([])
})

it('a kill changes nothing: it waits on, and is sent once when it is released', async () => {
  const run = await hand('INV-1', '10.00')
  await startAgain()
  const page = await show(`/dashboard/admin/runs/${run.id}`)
  await page.getByRole('button', { name: 'Release this run' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Note' }).fill('Looked at.')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Release this run' }).click()
  await toast(page, 'The run is released.')
  await page.getByText('Every step succeeded.').waitFor()
  await page.getByText('“Looked at.”').waitFor()
  await expectAccessible(page)
  expect(received).toEqual(['{"no":"INV-1","total":"10.00"}'])
})

it('the next one is shown with its difference, and a refusal sends nothing', async () => {
  const run = await hand('INV-2', '999.00')
  const page = await show(`/dashboard/admin/runs/${run.id}`)
  const difference = page.getByRole('region', { name: /^From run \d+ to this one$/ })
  await difference.getByText('"total": "999.00"').waitFor()
  await difference.getByText('"total": "10.00"').waitFor()
  await page.getByRole('button', { name: 'Refuse this run' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Refuse this run' }).click()
  await dialog.getByText('The note field is required.').waitFor()
  await dialog.getByRole('textbox', { name: 'Note' }).fill('Far too much.')
  await dialog.getByRole('button', { name: 'Refuse this run' }).click()
  await toast(page, 'The run is refused.')
  await page.getByText('It was cancelled. Nothing of it was sent.').waitFor()
  expect(received).toHaveLength(1)
})

interface Result {
  tools?: { name: string }[]
  content?: { text: string }[]
  structuredContent?: { run: { id: number; state: string } }
}

/** As an agent's client sends it. */
async function asAgent(method: string, params: object = {}): Promise<Result> {
  const answer = await fetch(`${product.gatewayUrl}/mcp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  expect(answer.status).toBe(200)
  return ((await answer.json()) as { result: Result }).result
}

it('an agent starts it as a tool, waits for the release, and asks what became of it', async () => {
  const { tools } = await asAgent('tools/list')
  expect(tools?.map(({ name }) => name)).toEqual(['run_status', 'workflow_filed'])
  const given = { input: { no: 'AGENT-1', total: '5.00' }, idempotency_key: 'key-of-agent-1' }
  const started = await asAgent('tools/call', { name: 'workflow_filed', arguments: given })
  expect(started.content?.[0]?.text).toContain('waits for release')
  const run = started.structuredContent?.run
  expect(run?.state).toBe('waits_for_release')
  const page = await show(`/dashboard/admin/runs/${run?.id}`)
  await page.getByText('Till, node', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Release this run' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Release this run' }).click()
  await page.getByText('Every step succeeded.').waitFor()
  const asked = { idempotency_key: given.idempotency_key }
  const status = await asAgent('tools/call', { name: 'run_status', arguments: asked })
  expect(status.structuredContent?.run).toMatchObject({ id: run?.id, state: 'succeeded' })
  // The same key is the same run.
  const again = await asAgent('tools/call', { name: 'workflow_filed', arguments: given })
  expect(again.structuredContent?.run.id).toBe(run?.id)
  expect(received.filter((body) => body.includes('AGENT-1'))).toHaveLength(1)
})

it('killed while what was released is under way, it is sent once and its outcome is unknown', async () => {
  const run = await hand('INV-3', '12.00')
  const arrived = new Promise<void>((resolve) => {
    onReceived = () => {
      product.kill()
      resolve()
    }
  })
  const page = await show(`/dashboard/admin/runs/${run.id}`)
  await page.getByRole('button', { name: 'Release this run' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Release this run' }).click()
  await arrived
  onReceived = () => {}
  await startAgain()
  const again = await show(`/dashboard/admin/runs/${run.id}`)
  await again.getByText('Outcome unknown').first().waitFor()
  await again.getByText('Released', { exact: true }).waitFor()
  expect(received.filter((body) => body.includes('INV-3'))).toHaveLength(1)
})
