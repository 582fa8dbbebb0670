import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible, startJourney, toast } from '../harness/journey.ts'
import { allPermissions, createPerson, openAs, showScreen } from '../harness/open-as.ts'
import { signIn } from '../harness/run-product.ts'

// Two people at one endpoint: drafts, a session that an administrator ends, and a conflict.

const journey = startJourney()
const secondPassword = 'another long pass phrase'
let endpointId: number
let ada: { id: number; email: string }
let theirs: Page

const edit = () => `/dashboard/admin/endpoint/edit/${endpointId}`
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click()

beforeAll(async () => {
  const call = await signIn(journey.url)
  const api = await call('POST', '/api/apis', {
    name: 'Billing',
    api_protocol: 'http',
    authentication: true,
    auth_type: 'bearer_token',
    gateway_status: 'active',
    api_access: 'internally',
    api_url: 'https://billing.example.com',
  })
  const endpoint = await call('POST', '/api/endpoint', {
    method_type: 'post',
    status: 'active',
    api_id: (api.body as { id: number }).id,
    path: '/invoices',
    summery: 'Clear invoice',
    description: 'Sends one invoice',
    enable_custom_output: 0,
    custom_output: '',
    authentication: 0,
  })
  endpointId = (endpoint.body as { id: number }).id
  const person = await createPerson(journey.url, 'Ada', await allPermissions(journey.url))
  ada = person
  theirs = (await openAs(journey.browser, journey.url, person)).page
})

describe('a form', () => {
  it('keeps Save in sight at every width', async () => {
    const { page } = journey
    await showScreen(page, edit())
    await field(page, 'Summary').waitFor()
    for (const width of [390, 768, 1280, 1920]) {
      await page.setViewportSize({ width, height: 700 })
      const saveEndsAt = async () => {
        const box = await page.getByRole('button', { name: 'Save', exact: true }).boundingBox()
        return (box?.y ?? 700) + (box?.height ?? 0)
      }
      await expect.poll(saveEndsAt, { message: String(width) }).toBeLessThanOrEqual(700)
    }
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  it('offers after a reload what was typed before', async () => {
    const { page } = journey
    await field(page, 'Description').fill('Typed and not saved')
    await page.waitForFunction(() => JSON.stringify(localStorage).includes('Typed and not saved'))
    page.once('dialog', (dialog) => void dialog.accept())
    await page.reload()
    await page.getByText('You have unsaved changes from a moment ago').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect.poll(() => field(page, 'Description').inputValue()).toBe('Typed and not saved')
  })

  it('shows a conflict field by field, and saves what was chosen over the newest version', async () => {
    const { page } = journey
    await field(page, 'Summary').fill('Mine')
    await showScreen(theirs, edit())
    await field(theirs, 'Summary').fill('Theirs')
    await field(theirs, 'Path').fill('/theirs')
    await save(theirs)
    await toast(theirs, 'Endpoint saved.')
    await save(page)
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Changed by Ada').waitFor()
    await dialog.getByText('Changed by the other user alone, and taken: Path').waitFor()
    await dialog.getByText('Changed by you alone, and kept: Description').waitFor()
    await expectAccessible(page)
    await dialog.getByRole('radio', { name: 'Keep mine: Summary' }).check()
    await dialog.getByRole('button', { name: 'Save these' }).click()
    await toast(page, 'Endpoint saved.')
    await page.getByText('No unsaved changes').waitFor()
    await showScreen(theirs, edit())
    await field(theirs, 'Summary').waitFor()
    expect(await field(theirs, 'Summary').inputValue()).toBe('Mine')
    expect(await field(theirs, 'Path').inputValue()).toBe('/theirs')
    expect(await field(theirs, 'Description').inputValue()).toBe('Typed and not saved')
  })

  it('stays when an administrator ends the session, and is saved after a new login', async () => {
    await field(theirs, 'Description').fill('Outlives the session')
    const call = await signIn(journey.url)
    const { user } = (await call('GET', `/api/user/${ada.id}/edit`)).body as {
      user: { name: string; email: string; version: number; roles: { id: number }[] }
    }
    const { name, email, version } = user
    const roles = user.roles.map(({ id }) => id)
    const changed = await call('PUT', `/api/user/${ada.id}`, {
      name,
      email,
      version,
      roles,
      password: secondPassword,
      password_confirmation: secondPassword,
    })
    expect(changed.status).toBe(200)
    await save(theirs)
    await theirs.getByText('Your session has ended').waitFor()
    await theirs.keyboard.press('Escape')
    expect(await theirs.getByLabel('E-Mail Address').inputValue()).toBe(ada.email)
    await expectAccessible(theirs)
    await theirs.getByLabel('Password', { exact: true }).fill(secondPassword)
    await theirs.getByRole('button', { name: 'Login' }).click()
    await theirs.getByText('Not saved: the session had ended').waitFor()
    await save(theirs)
    await toast(theirs, 'Endpoint saved.')
    await theirs.getByText('No unsaved changes').waitFor()
    const [saved] = (await call('GET', `/api/endpoint/${endpointId}/edit`)).body as [
      { description: string },
    ]
    expect(saved.description).toBe('Outlives the session')
    const drafts = await theirs.evaluate(() =>
      Object.keys(localStorage).filter((key) => key.startsWith('gatehouse.draft.')),
    )
    expect(drafts).toEqual([])
    expect(journey.complaints).toEqual([])
  })
})
