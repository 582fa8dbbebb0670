import { afterAll, beforeAll, expect, it } from 'vitest'
import { creatorOf } from '../harness/creator.ts'
import { expectAccessible, startJourney, toast } from '../harness/journey.ts'
import { showScreen } from '../harness/open-as.ts'
import { runUpstream, type Upstream } from '../harness/upstreams/run-upstream.ts'

// An endpoint gets rules and mapping rows in its form; Try it shows before and after, and the gateway carries them out.

const journey = startJourney()
let upstream: Upstream
let edit: string
beforeAll(async () => {
  upstream = await runUpstream()
  const { createApi, createEndpoint } = await creatorOf(journey.url)
  const api = await createApi('Blog', upstream.url)
  const id = await createEndpoint(api, ['post', '/articles', 'New article'])
  edit = `/dashboard/admin/endpoint/edit/${id}`
})
afterAll(() => upstream.stop())

const part = (name: string) => journey.page.getByRole('group', { name, exact: true })
const stage = (name: string) =>
  journey.page.getByRole('listitem').filter({ has: journey.page.getByText(name, { exact: true }) })

/** The last rule of a part becomes this one. */
async function addRule(of: string, action: string, name: string | undefined, value: string) {
  const rules = part(of)
  await rules.getByRole('button', { name: 'Add rule' }).click()
  const rule = rules.getByRole('group', { name: /^Rule \d+$/ }).last()
  await rule.getByRole('combobox').click()
  await journey.page.getByRole('option', { name: action, exact: true }).click()
  if (name !== undefined) await rule.getByRole('textbox', { name: /^Name/ }).fill(name)
  await rule.getByRole('textbox', { name: /^Value/ }).fill(value)
}

async function addRow(of: string, at: number, from: string, to: string) {
  const body = part(of)
  await body.getByRole('button', { name: 'Add Mapping' }).click()
  const row = body.getByRole('row', { name: `Row ${at}`, exact: true })
  await row.getByLabel('From', { exact: true }).fill(from)
  await row.getByLabel('To', { exact: true }).fill(to)
}

it('rules and rows are made in tables, and the text beside them is what is stored', async () => {
  const { page } = journey
  await showScreen(page, edit)
  await page.getByRole('heading', { name: 'Transformation' }).click()
  await addRule('Rules for requests', 'Call another path', undefined, '/posts')
  await addRule('Rules for requests', 'Set header', 'X-Kind', '{{query.kind}}')
  await part('Rules for requests').getByRole('button', { name: 'Show text' }).click()
  const text = part('Rules for requests').getByRole('textbox')
  expect(await text.inputValue()).toBe('path /posts\nset header X-Kind: {{query.kind}}')
  await part('Rules for requests').getByRole('button', { name: 'Show rows' }).click()
  await part('Body of requests').getByText('Mapping rows').click()
  await addRow('Body of requests', 1, 'name', 'title')
  await addRow('Body of requests', 2, 'author.no', 'userId')
  await addRule('Rules for answers', 'Set header', 'X-From', 'blog {{status}}')
  await part('Body of answers').getByText('Mapping rows').click()
  await addRow('Body of answers', 1, 'title', 'article.name')
  await expectAccessible(page)
})

it('a rule that can’t be used is refused at its row', async () => {
  const { page } = journey
  await addRule('Rules for requests', 'Set header', 'Host', 'elsewhere')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const wrong = part('Rules for requests').getByRole('group', { name: 'Rule 3' })
  await wrong.getByText(/^Line 3: /).waitFor()
  await expectAccessible(page)
  await wrong.getByRole('button', { name: 'Remove rule 3' }).click()
  await wrong.waitFor({ state: 'detached' })
})

it('Try it shows request and answer before and after, while nothing is saved', async () => {
  const { page } = journey
  await page.locator('summary').filter({ hasText: 'Try it' }).click()
  await page.getByRole('textbox', { name: 'Query' }).fill('kind=news')
  await page
    .getByRole('textbox', { name: 'Body', exact: true })
    .fill('{"name":"Tide tables","author":{"no":7}}')
  await page.getByRole('button', { name: 'Send through the gateway' }).click()
  const request = stage('Transformation')
  await request.getByText('Details').click()
  const before = request.locator('pre')
  await before.waitFor()
  const details = JSON.parse((await before.textContent()) ?? '') as Record<
    'before' | 'after',
    { target: string; body: string }
  >
  expect(details.before).toMatchObject({
    target: '/articles?kind=news',
    body: '{"name":"Tide tables","author":{"no":7}}',
  })
  expect(details.after).toMatchObject({
    target: '/posts?kind=news',
    body: '{"title":"Tide tables","userId":7}',
  })
  const answer = stage('Transformation of the answer')
  await answer.getByText('Details').click()
  await answer.getByText('article').first().waitFor()
  const shown = (await answer.locator('pre').textContent()) ?? ''
  expect(JSON.parse(shown)).toMatchObject({ after: { body: '{"article":{"name":"Tide tables"}}' } })
  await expectAccessible(page)
})

it('once it is saved, calls through the gateway are changed, and the form shows the rows again', async () => {
  const { page } = journey
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await toast(page, 'Endpoint saved.')
  const answer = await fetch(`${journey.gatewayUrl}/blog/articles?kind=news`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"name":"Ebb","author":{"no":3}}',
  })
  expect([answer.status, answer.headers.get('x-from'), await answer.json()]).toEqual([
    201,
    'blog 201',
    { article: { name: 'Ebb' } },
  ])
  await showScreen(page, edit)
  await page.getByText('Requests and answers are changed.').waitFor()
  await page.getByRole('heading', { name: 'Transformation' }).click()
  const row = part('Body of requests').getByRole('row', { name: 'Row 2', exact: true })
  expect(await row.getByLabel('From', { exact: true }).inputValue()).toBe('author.no')
  const rule = part('Rules for requests').getByRole('group', { name: 'Rule 2' })
  expect(await rule.getByRole('textbox', { name: 'Name in rule 2' }).inputValue()).toBe('X-Kind')
})
