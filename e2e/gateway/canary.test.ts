import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectAccessible, startJourney, toast } from '../harness/journey.ts'
import { showScreen } from '../harness/open-as.ts'
import { signIn } from '../harness/run-product.ts'
import { runUpstream, type Upstream } from '../harness/upstreams/run-upstream.ts'

// An API gets a canary in its form; a call with the header goes there, and Try it says so.

const journey = startJourney()
let stable: Upstream
let next: Upstream
let api: number
let endpoint: number
beforeAll(async () => {
  stable = await runUpstream()
  next = await runUpstream()
  const call = await signIn(journey.url)
  const made = async (path: string, body: object) => {
    const answer = await call('POST', path, body)
    expect(answer.status).toBe(201)
    return (answer.body as { id: number }).id
  }
  api = await made('/api/apis', {
    name: 'Blog',
    api_protocol: 'http',
    gateway_status: 'active',
    api_access: 'internally',
    api_url: stable.url,
  })
  endpoint = await made('/api/endpoint', {
    api_id: api,
    method_type: 'get',
    status: 'active',
    path: '/posts',
    authentication: 0,
    summery: 'Posts',
    description: 'Posts',
  })
})
afterAll(async () => {
  await stable.stop()
  await next.stop()
})

it('the canary is set in the form of the API', async () => {
  const { page } = journey
  await showScreen(page, `/dashboard/admin/api/edit/${api}`)
  await page.getByRole('heading', { name: 'Traffic policy' }).click()
  await page.getByRole('switch', { name: 'Canary' }).click()
  await page.getByRole('textbox', { name: 'Base URL of the canary' }).fill(next.url)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Name a header, a token or a share above 0.').first().waitFor()
  await expectAccessible(page)
  await page.getByRole('textbox', { name: 'Header that leads there' }).fill('X-Canary')
  await page.getByRole('textbox', { name: 'Its value' }).fill('yes')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await toast(page, 'API updated successfully!')
})

it('Try it says that a call with the header goes to the canary, and why', async () => {
  const { page } = journey
  await showScreen(page, `/dashboard/admin/endpoint/edit/${endpoint}`)
  await page.getByRole('heading', { name: 'Try it' }).click()
  await page.getByRole('textbox', { name: 'Headers', exact: true }).fill('X-Canary: yes')
  await page.getByRole('button', { name: 'Send through the gateway' }).click()
  await page.getByText('It goes to the canary: its header leads there.').waitFor()
  await expectAccessible(page)
})
