import { afterAll, beforeAll, expect, it } from 'vitest'
import { creatorOf } from '../harness/creator.ts'
import { expectAccessible, startJourney, toast } from '../harness/journey.ts'
import { showScreen } from '../harness/open-as.ts'
import { runUpstream, type Upstream } from '../harness/upstreams/run-upstream.ts'

// An endpoint gets a schema in its form; the gateway then refuses what does not fit, and Try it says where.

const journey = startJourney()
let upstream: Upstream
let edit: string
beforeAll(async () => {
  upstream = await runUpstream()
  const { createApi, createEndpoint } = await creatorOf(journey.url)
  const api = await createApi('Blog', upstream.url)
  const id = await createEndpoint(api, ['post', '/posts', 'New post'])
  edit = `/dashboard/admin/endpoint/edit/${id}`
})
afterAll(() => upstream.stop())

const post = (body: object) =>
  fetch(`${journey.gatewayUrl}/blog/posts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

const schema = {
  type: 'object',
  required: ['title'],
  properties: { title: { type: 'string' }, userId: { type: 'integer', minimum: 1 } },
}

it('a schema that leads out of itself is refused at its field; one that fits is saved', async () => {
  const { page } = journey
  await showScreen(page, edit)
  await page.getByRole('heading', { name: 'Validation' }).click()
  const body = page.getByRole('textbox', { name: 'Schema of the body' })
  await body.fill('{"$ref":"https://example.com/post.json"}')
  await page.getByRole('radio', { name: 'Refuse what does not fit' }).click()
  await page.getByRole('checkbox', { name: 'A body is required' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('$ref may only point into this schema').first().waitFor()
  await expectAccessible(page)
  await body.fill(JSON.stringify(schema))
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await toast(page, 'Endpoint saved.')
  await page.getByText('No unsaved changes').waitFor()
})

it('the gateway passes what fits, and names every place of what does not', async () => {
  expect((await post({ title: 'A', userId: 1 })).status).toBe(201)
  const refused = await post({ userId: 0 })
  expect([refused.status, await refused.json()]).toMatchObject([
    422,
    {
      code: 'client.unfit',
      errors: { '/body/title': ['This is missing.'], '/body/userId': ['This must be >= 1.'] },
    },
  ])
})

it('Try it shows the stage that has refused', async () => {
  const { page } = journey
  await showScreen(page, edit)
  await page.getByText('Requests that do not fit are refused with 422.').waitFor()
  await page.getByRole('heading', { name: 'Try it' }).click()
  await page.getByRole('button', { name: 'Send through the gateway' }).click()
  const stage = page.getByRole('listitem').filter({ hasText: 'Validation' })
  await stage.getByText('client.unfit').waitFor()
  await expectAccessible(page)
})
