import { beforeAll, describe, expect, it } from 'vitest'
import {
  expectAccessible,
  expectNotOffered,
  rowOf,
  startJourney,
  toast,
} from '../harness/journey.ts'
import { createPerson, showScreen } from '../harness/open-as.ts'
import { signIn } from '../harness/run-product.ts'

const list = '/dashboard/admin/api-permission'
const journey = startJourney()
let firstEndpoint: number

beforeAll(async () => {
  const { url } = journey
  const call = await signIn(url)
  const idOf = ({ body }: { body: unknown }) => (body as { id: number }).id
  const api_id = idOf(
    await call('POST', '/api/apis', {
      name: 'Shop',
      api_protocol: 'http',
      authentication: true,
      auth_type: 'bearer_token',
      gateway_status: 'active',
      api_access: 'internally',
      api_url: 'https://orders.example.com',
    }),
  )
  const create = async (summery: string) =>
    idOf(
      await call('POST', '/api/endpoint', {
        api_id,
        method_type: 'get',
        status: 'active',
        path: `/${summery.toLowerCase().replaceAll(' ', '-')}`,
        summery,
        description: `${summery}, described`,
        enable_custom_output: 0,
        custom_output: '',
        authentication: 0,
      }),
    )
  firstEndpoint = await create('List orders')
  await create('Count orders')
  await create('Price list')
  await createPerson(url, 'Pia', ['dashboard.view'])
})

describe('an administrator', () => {
  it('sees who has API access, by which role', async () => {
    const { page } = journey
    await page.getByRole('link', { name: 'Users Have API access' }).click()
    await page.getByRole('heading', { name: 'Users Have API access' }).waitFor()
    await page.getByText('User List', { exact: true }).waitFor()
    await rowOf(page, 'Pia').getByText('0 endpoints').waitFor()
    expect(await page.getByRole('link', { name: 'Add User' }).getAttribute('href')).toBe(
      '/dashboard/admin/user/create',
    )
  })

  it('is shown what an edit opens, and for how many, before it is saved', async () => {
    const { page } = journey
    await rowOf(page, 'Pia').getByRole('link', { name: 'Edit' }).click()
    await page.getByRole('heading', { name: 'Edit Role Access' }).waitFor()
    const picker = page.getByRole('combobox', { name: 'Assign Access' })
    await picker.fill('orders get')
    await page.getByRole('option', { name: /Price list/ }).waitFor({ state: 'detached' })
    await page.getByRole('option', { name: /List orders/ }).click()
    await page.getByRole('option', { name: /Count orders/ }).click()
    await page.getByText('Saving opens 2 endpoints for 1 user.').waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.getByRole('option').first().waitFor({ state: 'detached' })
    // The tree is searched too.
    const lines = page.getByRole('treeitem')
    await lines.filter({ hasText: 'List orders' }).waitFor()
    expect(await lines.filter({ hasText: 'List orders' }).getAttribute('aria-checked')).toBe('true')
    expect(await lines.filter({ hasText: 'Price list' }).count()).toBe(0)
    expect(await lines.first().getAttribute('aria-checked')).toBe('mixed')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Update Access' }).click()
    await toast(page, 'Access updated successfully!')
    await page.getByRole('link', { name: 'Cancel' }).click()
    await page.waitForURL(`**${list}`)
    await rowOf(page, 'Pia').getByText('2 endpoints').waitFor()
  })

  it('is shown what an edit closes', async () => {
    const { page } = journey
    await rowOf(page, 'Pia').getByRole('link', { name: 'Edit' }).click()
    await page.getByRole('button', { name: 'Remove Count orders, described' }).click()
    await page.getByText('Saving closes 1 endpoint for 1 user.').waitFor()
    await page.getByRole('button', { name: 'Update Access' }).click()
    await page.getByText('No unsaved changes').waitFor()
    await page.goBack()
    await page.waitForURL(`**${list}`)
    await rowOf(page, 'Pia').getByText('1 endpoint', { exact: true }).waitFor()
    expect(await rowOf(page, 'Pia').count()).toBe(1)
  })

  it('asks an endpoint who can call it, and why', async () => {
    const { page } = journey
    await showScreen(page, `/dashboard/admin/endpoint/edit/${firstEndpoint}`)
    await page.getByText('Who can call this?').click()
    const line = page.getByRole('listitem').filter({ hasText: 'pia@example.com' })
    await line.getByText('Granted by Role of Pia.').waitFor()
    await page
      .getByRole('listitem')
      .filter({ hasText: 'gateway-client' })
      .getByText('not allowed')
      .waitFor()
    await expectAccessible(page)
    await line.getByRole('link', { name: 'Role of Pia' }).click()
    await page.getByText('What the role Role of Pia may call').waitFor()
  })

  it('asks a user and a role what they can call, and why', async () => {
    const { page } = journey
    await showScreen(page, '/dashboard/admin/user?search=pia')
    await rowOf(page, 'pia@example.com').getByRole('link', { name: 'Edit' }).click()
    await page.getByText('What can this user call, and why?').click()
    await page.getByRole('radio', { name: 'Allowed 1' }).locator('..').click()
    await page.getByText('Granted by Role of Pia.').waitFor()
    await showScreen(page, '/dashboard/admin/role?search=Pia')
    await rowOf(page, 'Role of Pia').getByRole('link', { name: 'Edit' }).click()
    await page.getByText('What can this role call, and why?').click()
    await page.getByText('Granted by Role of Pia.').waitFor()
    await expectAccessible(page)
    expect(await page.getByText('not allowed', { exact: true }).count()).toBe(2)
  })

  it('takes the role from the user', async () => {
    const { page } = journey
    await showScreen(page, list)
    await rowOf(page, 'Pia').getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog', { name: 'Take this role away?' })
    await dialog.getByRole('button', { name: 'Take role away' }).click()
    await toast(page, 'Role taken away successfully!')
    await rowOf(page, 'Pia').waitFor({ state: 'detached' })
    expect(await rowOf(page, 'Administrator').count()).toBe(1)
  })
})

describe('a user without', () => {
  it.each([
    ['api-permission.view', /^Users Have API access/],
    ['api-permission.edit', /^(Edit|Delete)/],
    ['user.create', /^Add User/],
  ])('%s is not offered %s, and nothing else is dead', async (lacking, offer) => {
    const isListOpen = lacking !== 'api-permission.view'
    await expectNotOffered(journey, { lacking, offer, area: list, isListOpen })
    expect.hasAssertions()
  })
})

it('saw no error in the browser', () => {
  expect(journey.complaints).toEqual([])
})
