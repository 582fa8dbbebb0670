import { readFileSync } from 'node:fs'
import { get } from 'node:https'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, it } from 'vitest'
import { creatorOf } from '../harness/creator.ts'
import { expectAccessible, startOwnJourney, toast } from '../harness/journey.ts'
import { showScreen } from '../harness/open-as.ts'

// An API asks for client certificates, at a gateway that ends TLS itself.

const server = fileURLToPath(
  new URL('../../packages/upstream/fixtures/self-signed-localhost.pem', import.meta.url),
)
const pem = (name: string) =>
  readFileSync(new URL(`../../apps/gateway/fixtures/${name}.pem`, import.meta.url), 'utf8')

const journey = startOwnJourney({ TLS_CERT: server, TLS_KEY: server })
let api: number

beforeAll(async () => {
  const creator = await creatorOf(journey.url)
  api = await creator.createApi('Ledger', 'http://127.0.0.1:9', { api_access: 'externally' })
  const fixed = { enable_custom_output: 1, custom_output: '{"done": true}' }
  await creator.createEndpoint(api, ['get', '/entries', 'Entries'], fixed)
})

/** The status that a client gets that shows this certificate with its key, or none. */
function ask(shown?: string): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>()
  const own = shown === undefined ? {} : { cert: shown, key: shown }
  const url = `${journey.gatewayUrl}/ledger/entries`
  get(url, { rejectUnauthorized: false, agent: false, ...own }, (response) => {
    response.resume()
    resolve(response.statusCode)
  }).on('error', reject)
  return promise
}

it('an API names its authorities, and takes the certificates that they have issued', async () => {
  const { page } = journey
  expect(await ask()).toBe(200)
  await showScreen(page, `/dashboard/admin/api/edit/${api}`)
  await page.getByRole('heading', { name: 'Traffic policy' }).click()
  await page.getByRole('switch', { name: 'Client certificates' }).click()
  const authorities = page.getByRole('textbox', { name: 'Authorities (PEM)' })
  await authorities.fill(pem('old-ca'))
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('expired on 2002-01-01').first().waitFor()
  await expectAccessible(page)
  await authorities.fill(pem('clients-ca'))
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await toast(page, 'API updated successfully!')
  expect(await ask()).toBe(403)
  expect(await ask(pem('client'))).toBe(200)
  expect(await ask(pem('client-impostor'))).toBe(403)
})

it('the form shows whose certificates count, and until when', async () => {
  const { page } = journey
  await showScreen(page, `/dashboard/admin/api/edit/${api}`)
  await page.getByRole('heading', { name: 'Traffic policy' }).click()
  await page.getByText(/Stored: O=Example, CN=Example clients, valid until/).waitFor()
  await expectAccessible(page)
})
