import { beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible, rowOf, startJourney, toast } from '../harness/journey.ts'
import { createPerson, showScreen } from '../harness/open-as.ts'
import { signIn } from '../harness/run-product.ts'

const journey = startJourney()
let token: string

beforeAll(async () => {
  const { url } = journey
  const call = await signIn(url)
  const idOf = async (made: Promise<{ body: unknown }>) => ((await made).body as { id: number }).id
  const api_id = await idOf(
    call('POST', '/api/apis', {
      name: 'Authority',
      api_protocol: 'http',
      gateway_status: 'active',
      api_access: 'internally',
      api_url: 'https://authority.example.com',
    }),
  )
  const endpoint_id = await idOf(
    call('POST', '/api/endpoint', {
      api_id,
      method_type: 'post',
      status: 'active',
      path: '/invoices',
      authentication: 0,
      summery: 'Report invoice',
      description: 'Report invoice',
    }),
  )
  for (const slug of ['report-invoices', 'cancel-invoices'])
    await call('POST', '/api/workflows', {
      name: slug === 'report-invoices' ? 'Report invoices' : 'Cancel invoices',
      slug,
      kind: 'tax',
      status: 'active',
      lane: { name: slug },
      steps: [{ endpoint_id, body: { kind: 'template', text: '{"no":"{{input.no}}"}' } }],
    })
  await createPerson(url, 'Erp', [])
  const { body } = await call('GET', '/api/user?search=erp')
  const [{ data }] = body as [{ data: { id: number }[] }]
  const made = await call('POST', '/admin/token/store', { user: data[0]?.id, name: 'ERP' })
  token = (made.body as { access_token: { token: string } }).access_token.token
})

const start = () =>
  fetch(`${journey.url}/api/workflows/report-invoices/runs`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
    },
    body: '{"no":"INV-1"}',
  })

describe('an administrator', () => {
  it('gives a role a workflow, and sees what that opens', async () => {
    const { page } = journey
    expect((await start()).status).toBe(404)
    await showScreen(page, '/dashboard/admin/api-permission')
    await rowOf(page, 'Erp').getByRole('link', { name: 'Edit' }).click()
    await page.getByRole('combobox', { name: 'Assign Workflows' }).fill('report')
    await page.getByRole('option', { name: /Report invoices/ }).click()
    await page.getByText('Saving opens 1 workflow for 1 user.').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Update Access' }).click()
    await toast(page, 'Access updated successfully!')
    await page.getByRole('link', { name: 'Cancel' }).click()
    await page.waitForURL('**/api-permission')
    await rowOf(page, 'Erp').getByText('0 endpoints and 1 workflow').waitFor()
    expect((await start()).status).toBe(202)
  })

  it('asks a token what it opens, and why', async () => {
    const { page } = journey
    await showScreen(page, '/dashboard/admin/personal-token')
    await page.getByText('and nothing else.').waitFor()
    await page.getByRole('button', { name: 'Access of ERP' }).click()
    const workflows = page.getByRole('list', { name: 'workflows' })
    const line = workflows.getByRole('listitem').filter({ hasText: 'report-invoices' })
    await line.getByText('With a token: granted by Role of Erp.').waitFor()
    await workflows
      .getByRole('listitem')
      .filter({ hasText: 'cancel-invoices' })
      .getByText('not allowed')
      .waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
  })

  it('revokes the token, which opens nothing from then on', async () => {
    const { page } = journey
    await page.getByRole('button', { name: 'Revoke ERP' }).click()
    const dialog = page.getByRole('dialog', { name: 'Revoke this token?' })
    await dialog.getByRole('button', { name: 'Revoke token' }).click()
    await toast(page, 'Token revoked successfully!')
    expect((await start()).status).toBe(401)
  })
})

it('saw no error in the browser', () => {
  expect(journey.complaints).toEqual([])
})
