import { beforeAll, expect, it } from 'vitest'
import { askWorkers, ownConnection } from '../harness/ask-workers.ts'
import { creatorOf } from '../harness/creator.ts'
import { expectAccessible, rowOf, startJourney, toast } from '../harness/journey.ts'
import { showScreen } from '../harness/open-as.ts'

// A till gets a token that reads posts and does nothing else.

const journey = startJourney()
const screen = '/dashboard/admin/personal-token'
let token: string
let api: number

beforeAll(async () => {
  const { createApi, createEndpoint } = await creatorOf(journey.url)
  api = await createApi('Blog', 'http://127.0.0.1:9', { api_access: 'externally' })
  const guarded = {
    authentication: 1,
    enable_custom_output: 1,
    custom_output: '{"done": true}',
  }
  for (const [summery, path] of [
    ['Posts', '/posts'],
    ['Drafts', '/drafts'],
  ] as const)
    for (const method of ['get', 'post'])
      await createEndpoint(api, [method, path, `${summery} by ${method}`], guarded)
})

async function ask(method: 'GET' | 'POST', path: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` }
  return (await fetch(`${journey.gatewayUrl}/blog/${path}`, { method, headers })).status
}

it('a token is limited when it is made', async () => {
  const { page } = journey
  await showScreen(page, screen)
  await page.getByRole('combobox', { name: 'For whom' }).click()
  await page.getByRole('option', { name: 'Administrator' }).click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Till')
  await page.locator('summary').getByText('Limits').click()
  await page.getByRole('combobox', { name: 'Endpoints' }).fill('posts')
  await page.getByRole('option', { name: /^Posts by get/ }).click()
  await page.keyboard.press('Escape')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Generate' }).click()
  await page.getByText(/shown this once/).waitFor()
  token = await page.getByPlaceholder('Token will appear here').inputValue()
  await rowOf(page, 'Till').getByText('limited').waitFor()
  expect(await ask('GET', 'posts')).toBe(200)
  expect(await ask('GET', 'drafts')).toBe(403)
  expect(await ask('POST', 'posts')).toBe(403)
})

it('another endpoint and a method are chosen later, and count from the next call on', async () => {
  const { page } = journey
  await page.getByRole('link', { name: 'Limits of Till' }).click()
  // The form of a new token, seen until the page is loaded, has these fields and this endpoint too.
  await page.getByRole('button', { name: 'Save limits' }).waitFor()
  await page.getByText('Posts by get').waitFor()
  await page.getByRole('combobox', { name: 'Endpoints' }).fill('posts')
  await page.getByRole('option', { name: /^Posts by post/ }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('checkbox', { name: 'POST' }).check()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save limits' }).click()
  await toast(page, 'Limits saved.')
  await page.getByText('No unsaved changes').waitFor()
  expect(await ask('POST', 'posts')).toBe(200)
  expect(await ask('GET', 'posts')).toBe(403)
})

it('an API takes the token in a header of its own once it is given one', async () => {
  const { page } = journey
  const askWithKey = async () => {
    const headers = { 'x-till-key': token }
    return (await fetch(`${journey.gatewayUrl}/blog/posts`, { method: 'POST', headers })).status
  }
  expect(await askWithKey()).toBe(401)
  await showScreen(page, `/dashboard/admin/api/edit/${api}`)
  await page.getByRole('heading', { name: 'Traffic policy' }).click()
  await page.getByRole('switch', { name: 'API key in a header' }).click()
  const header = page.getByRole('textbox', { name: 'Header', exact: true })
  await header.fill('Cookie')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page
    .getByText(/letters, digits and dashes/)
    .first()
    .waitFor()
  await expectAccessible(page)
  await header.fill('X-Till-Key')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await toast(page, 'API updated successfully!')
  expect(await askWithKey()).toBe(200)
  expect(await ask('POST', 'posts')).toBe(200)
  await showScreen(page, screen)
})

it('a quota is counted over all workers, and shown', async () => {
  const { page } = journey
  await page.getByRole('link', { name: 'Limits of Till' }).click()
  await page.getByRole('button', { name: 'Save limits' }).waitFor()
  await page.getByRole('textbox', { name: 'Requests per month' }).fill('3')
  await page.getByRole('button', { name: 'Save limits' }).click()
  await toast(page, 'Limits saved.')
  await page.getByText('No unsaved changes').waitFor()
  const answer = async () => {
    const { status, headers } = await fetch(`${journey.gatewayUrl}/blog/posts`, {
      method: 'POST',
      headers: { ...ownConnection, authorization: `Bearer ${token}` },
    })
    return `${status} ${Number(headers.get('retry-after')) > 0}`
  }
  // Each worker may take three before it hears of the others.
  await expect.poll(async () => [...new Set(await askWorkers(answer))]).toEqual(['429 true'])
  await expect
    .poll(async () => {
      await page.reload()
      return page.getByText(/^\d+ of 3$/).textContent()
    })
    .toMatch(/^([3-9]|\d\d+) of 3$/)
  await expectAccessible(page)
  await showScreen(page, screen)
})

it('an address that is denied is refused from the next call on', async () => {
  const { page } = journey
  await page.getByRole('link', { name: 'Limits of Till' }).click()
  await page.getByRole('button', { name: 'Save limits' }).waitFor()
  await page.getByRole('combobox', { name: 'Denied addresses' }).fill('127.0.0.1')
  await page.keyboard.press('Enter')
  await page.getByText('127.0.0.1', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Save limits' }).click()
  await toast(page, 'Limits saved.')
  await page.getByText('No unsaved changes').waitFor()
  expect(await ask('POST', 'posts')).toBe(403)
})

it('what the token can call says so', async () => {
  const { page } = journey
  await page.getByRole('link', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Access of Till' }).click()
  const access = page.getByRole('dialog', { name: /What can this token call/ })
  await access.getByText('The token is limited to others.').first().waitFor()
  await access.getByText('The token is limited to POST.').waitFor()
  await expectAccessible(page)
})
