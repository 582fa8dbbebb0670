import { beforeAll, expect, it } from 'vitest'
import { creatorOf } from '../harness/creator.ts'
import { expectAccessible, startJourney, toast } from '../harness/journey.ts'
import { showScreen } from '../harness/open-as.ts'
import { signedFields } from '../harness/upstreams/sign-request.ts'

// An ERP signs its calls: its token gets a secret, then the API asks for signatures.

const journey = startJourney()
const screen = '/dashboard/admin/personal-token'
let api: number
let token: { id: number; token: string }
let secret: string

beforeAll(async () => {
  const creator = await creatorOf(journey.url)
  api = await creator.createApi('Ledger', 'http://127.0.0.1:9', { api_access: 'externally' })
  const fixed = { authentication: 1, enable_custom_output: 1, custom_output: '{"done": true}' }
  await creator.createEndpoint(api, ['post', '/entries', 'New entry'], fixed)
  const made = await creator.call('POST', '/admin/token/store', { name: 'ERP' })
  token = (made.body as { access_token: typeof token }).access_token
})

const body = '{"amount":12.50}'
const url = () => `${journey.gatewayUrl}/ledger/entries`
async function ask(sent = body): Promise<number> {
  const headers = signedFields(url(), body, token.id, secret)
  return (await fetch(url(), { method: 'POST', body: sent, headers })).status
}
async function askWithToken(): Promise<number> {
  const headers = { authorization: `Bearer ${token.token}` }
  return (await fetch(url(), { method: 'POST', body, headers })).status
}

it('a token gets a signing secret, shown once', async () => {
  const { page } = journey
  await showScreen(page, `${screen}/${token.id}`)
  await page.getByRole('button', { name: 'Make a signing secret' }).click()
  const shown = page.getByRole('textbox', { name: 'Signing secret' })
  await shown.waitFor()
  secret = await shown.inputValue()
  expect(secret).toMatch(/^ghk_/)
  await page.getByRole('button', { name: 'Replace the signing secret' }).waitFor()
  await expectAccessible(page)
  await page.reload()
  await page.getByText(`keyid="${token.id}"`).waitFor()
  expect(await shown.count()).toBe(0)
})

it('an API asks for signatures, and takes nothing else', async () => {
  const { page } = journey
  expect(await askWithToken()).toBe(200)
  await showScreen(page, `/dashboard/admin/api/edit/${api}`)
  await page.getByRole('heading', { name: 'Traffic policy' }).click()
  await page.getByRole('switch', { name: 'Signed requests' }).click()
  const seconds = page.getByRole('textbox', { name: /A signature counts for/ })
  await seconds.fill('0')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page
    .getByText(/time that a signature counts/)
    .first()
    .waitFor()
  await expectAccessible(page)
  await seconds.scrollIntoViewIfNeeded()
  await seconds.fill('300')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await toast(page, 'API updated successfully!')
  expect(await ask()).toBe(200)
  expect(await ask('{"amount":99.00}')).toBe(401)
  expect(await askWithToken()).toBe(401)
})

it('a secret that is removed signs no more', async () => {
  const { page } = journey
  await showScreen(page, `${screen}/${token.id}`)
  await page.getByRole('button', { name: 'Remove it' }).click()
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByRole('button', { name: 'Make a signing secret' }).waitFor()
  expect(await ask()).toBe(401)
})
