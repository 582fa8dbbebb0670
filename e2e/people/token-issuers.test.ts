import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { creatorOf } from '../harness/creator.ts'
import {
  expectAccessible,
  expectNotOffered,
  rowOf,
  startOwnJourney,
  toast,
} from '../harness/journey.ts'
import { showScreen } from '../harness/open-as.ts'

// A company's own login signs JWTs, and the gateway lets its people in by them.

const journey = startOwnJourney()
const issuer = 'https://login.example.com/'
const makeKey = (kid: string) => ({
  kid,
  ...generateKeyPairSync('rsa', { modulusLength: 2_048 }),
})
type Key = ReturnType<typeof makeKey>

let keys: Key[] = [makeKey('spring')]
const jwkOf = ({ kid, publicKey }: Key) => ({ ...publicKey.export({ format: 'jwk' }), kid })
const login = createServer((_, response) => {
  response.end(JSON.stringify({ keys: keys.map(jwkOf) }))
})
let keysUrl: string

beforeAll(async () => {
  login.listen(0, '127.0.0.1')
  await once(login, 'listening')
  keysUrl = `http://127.0.0.1:${(login.address() as AddressInfo).port}/keys`
  const { call, create, createApi, createEndpoint } = await creatorOf(journey.url)
  const api = await createApi('Blog', 'http://127.0.0.1:9', { api_access: 'externally' })
  const endpoint = await createEndpoint(api, ['get', '/posts', 'Posts'], {
    authentication: 1,
    enable_custom_output: 1,
    custom_output: '{"posts": []}',
  })
  const id = await create('/api/role', { name: 'Readers', permissions: [] })
  await call('PUT', `/api/api-permission/${id}/update`, { endpoints: [endpoint] })
})
afterAll(() => new Promise((resolve) => login.close(resolve)))

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
function tokenBy({ kid, privateKey }: { kid: string; privateKey: KeyObject }, more = {}): string {
  const exp = Math.floor(Date.now() / 1_000) + 300
  const claims = { iss: issuer, aud: 'gatehouse', sub: 'ann', exp, groups: ['blog'], ...more }
  const signed = `${encode({ alg: 'RS256', kid })}.${encode(claims)}`
  return `${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`
}
async function readPosts(token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` }
  return (await fetch(`${journey.gatewayUrl}/blog/posts`, { headers })).status
}

it('an issuer is trusted, and its tokens open what their role may call', async () => {
  const { page } = journey
  expect(await readPosts(tokenBy(keys[0]!))).toBe(401)
  await showScreen(page, '/dashboard/admin/personal-token')
  await page.getByRole('link', { name: 'Token issuers' }).click()
  await page.getByText('No token issuers yet').waitFor()
  await page.getByRole('link', { name: 'Add token issuer' }).first().click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Company login')
  await page.getByRole('textbox', { name: 'Issuer' }).fill(issuer)
  await page.getByRole('textbox', { name: 'Audience' }).fill('gatehouse')
  await page.getByRole('textbox', { name: 'Address of the keys' }).fill(keysUrl)
  await page.getByRole('textbox', { name: 'Claim' }).fill('groups')
  await page.getByRole('textbox', { name: 'Value 1' }).fill('blog')
  await page.getByRole('combobox', { name: 'Role 1' }).click()
  await page.getByRole('option', { name: 'Readers' }).click()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Add token issuer' }).click()
  await toast(page, 'Token issuer added.')
  await page.getByRole('heading', { name: 'Edit token issuer' }).waitFor()
  await page.goBack()
  await page.waitForURL('**/dashboard/admin/token-issuers')
  await rowOf(page, 'Company login').getByText('1 key').waitFor()
  await expectAccessible(page)
  expect(await readPosts(tokenBy(keys[0]!))).toBe(200)
  expect(await readPosts(tokenBy(keys[0]!, { groups: [] }))).toBe(403)
  expect(await readPosts(tokenBy(keys[0]!, { aud: 'another' }))).toBe(401)
})

it('a key that was taken back is refused once the keys were fetched, and the new one counts', async () => {
  const { page } = journey
  const [before] = keys
  keys = [makeKey('autumn')]
  await showScreen(page, '/dashboard/admin/token-issuers')
  await page.getByRole('link', { name: 'Edit Company login' }).click()
  await page.getByText('spring').waitFor()
  await page.getByRole('button', { name: 'Fetch the keys now' }).click()
  await page.getByText('autumn').waitFor()
  await expectAccessible(page)
  expect(await readPosts(tokenBy(before!))).toBe(401)
  expect(await readPosts(tokenBy(keys[0]!))).toBe(200)
})

it('the log of requests names who it was, and not the token', async () => {
  const { page } = journey
  await showScreen(page, '/dashboard/admin/gateway-requests')
  const rows = rowOf(page, 'Company login').filter({ hasText: /ann\s*Company login/ })
  // One was answered, one refused, and one answered after the keys had changed.
  await expect.poll(() => rows.count()).toBe(3)
  expect(await page.content()).not.toContain('eyJ')
})

it('an issuer that is deleted is refused from the next call on', async () => {
  const { page } = journey
  await showScreen(page, '/dashboard/admin/token-issuers')
  await page.getByRole('button', { name: 'More for Company login' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Delete/ })
    .click()
  await page.getByText('No token issuers yet').waitFor()
  expect(await readPosts(tokenBy(keys[0]!))).toBe(401)
})

it('who may not make tokens for anybody sees them, and can’t change them', () =>
  expectNotOffered(journey, {
    lacking: 'token.create_any',
    offer: /token issuer$/,
    area: '/dashboard/admin/token-issuers',
  }))
