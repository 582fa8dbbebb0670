import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible, openLacking, startJourney, toast } from './harness/journey.ts'
import { settle } from './harness/open-as.ts'
import { signIn } from './harness/run-product.ts'
import { runTaxAuthority, type TaxAuthority } from './harness/tax-authority.ts'
import { runUpstream, type Upstream } from './harness/run-upstream.ts'

// A clerk's day: four steps in a chain, a reload in the middle, an answer that never came.

const screen = '/dashboard/admin/tax'
const journey = startJourney()
let source: Upstream
let authority: TaxAuthority

beforeAll(async () => {
  ;[source, authority] = await Promise.all([runUpstream(), runTaxAuthority()])
  const call = await signIn(journey.url)
  const create = async (path: string, body: object) =>
    ((await call('POST', path, body)).body as { id: number }).id
  const api = (name: string, api_url: string) =>
    create('/api/apis', {
      name,
      api_protocol: 'http',
      gateway_status: 'active',
      api_access: 'internally',
      api_url,
    })
  const posts = await api('Posts', source.url)
  const tax = await api('Authority', authority.url)
  const endpoint = (api_id: number, method_type: string, path: string, summery: string) =>
    create('/api/endpoint', {
      api_id,
      method_type,
      status: 'active',
      path,
      summery,
      description: summery,
      ...(method_type === 'post' ? { run_settings: { reference_path: 'reference' } } : {}),
    })
  await endpoint(posts, 'get', '/posts/{id}', 'Read a post')
  await endpoint(tax, 'post', '/invoices', 'File an invoice')
  await endpoint(tax, 'post', '/slow', 'Slow approval')
  await endpoint(tax, 'post', '/cut', 'Authority that cuts')
  await endpoint(tax, 'post', '/strict', 'Strict authority')
})
afterAll(async () => {
  await Promise.all([source?.stop(), authority?.stop()])
})

const card = (page: Page, position: number) =>
  page.getByRole('region', { name: `Endpoint ${position}`, exact: true })

async function fill(page: Page, position: number, summery: string, body: string): Promise<void> {
  await card(page, position).getByRole('combobox').click()
  await page.getByRole('option', { name: summery }).last().click()
  await card(page, position).getByRole('textbox', { name: 'Body' }).fill(body)
}

const run = (page: Page) => page.getByRole('region', { name: /^run \d+$/i })
const send = (page: Page) => page.getByRole('button', { name: 'Send Request' }).click()

async function openAfresh(page: Page): Promise<void> {
  await page.goto(screen)
  await page.evaluate(() => sessionStorage.clear())
  await page.goto('/dashboard')
  await page.goto(screen)
  await card(page, 4).waitFor()
}

describe('a clerk', () => {
  it('opens the screen from the menu', async () => {
    const { page } = journey
    await page.getByRole('link', { name: 'Workflow' }).click()
    await page.getByRole('heading', { name: 'Build Request with 4 endpoints' }).waitFor()
    await expectAccessible(page)
  })

  it('is told at the field what is missing, before anything is sent', async () => {
    const { page } = journey
    await fill(page, 2, 'File an invoice', '{"reference":"INV-1"}')
    await send(page)
    await toast(page, 'Nothing was sent.')
    await card(page, 1).getByText(/Choose an endpoint/).last().waitFor()
    expect(authority.stored.size).toBe(0)
    await expectAccessible(page)
  })

  it('looks at what four steps would send, and nothing is sent', async () => {
    const { page } = journey
    await fill(page, 1, 'Read a post', '{"id": 1}')
    await card(page, 2).getByLabel('Dependent on the previous API').check()
    expect(await card(page, 2).getByLabel('Dependency field').inputValue()).toBe('id,title')
    await fill(page, 3, 'Slow approval', '{"reference":"INV-1-S","of":"{{steps.2.body.number}}"}')
    await fill(page, 4, 'File an invoice', '{"reference":"INV-1-F","total":0.10,"empty":""}')
    await page.getByRole('button', { name: 'Preview' }).click()
    const preview = page.getByRole('region', { name: 'Preview' })
    await preview.getByText(`${source.url}/posts/1`).waitFor()
    await preview.getByText('has no value').waitFor()
    expect(authority.stored.size).toBe(0)
    await expectAccessible(page)
  })

  it('sends them, reloads in the middle, and sees the run to its end; each went out once', async () => {
    const { page } = journey
    authority.hold()
    await send(page)
    const steps = run(page).getByRole('list')
    await steps.getByText('Sending…').waitFor()
    await expectAccessible(page)
    await page.reload()
    await steps.getByText('Sending…').waitFor()
    expect(await page.getByRole('button', { name: 'Send Request' }).isDisabled()).toBe(true)
    authority.release()
    await run(page).getByText('Every step succeeded.').waitFor()
    const [first] = authority.stored.get('/invoices') ?? []
    expect(JSON.parse(first ?? '')).toMatchObject({ id: 1, reference: 'INV-1' })
    expect(first).toContain('sunt aut facere')
    expect(authority.stored.get('/slow')).toEqual(['{"reference":"INV-1-S","of":"A-1"}'])
    expect(authority.stored.get('/invoices')?.[1]).toBe(
      '{"reference":"INV-1-F","total":0.10,"empty":""}',
    )
    await expectAccessible(page)
  })

  it('gets no answer: what became of it is unknown, and stays so after a reload', async () => {
    const { page } = journey
    await openAfresh(page)
    await fill(page, 1, 'Authority that cuts', '{"reference":"INV-2"}')
    await fill(page, 2, 'File an invoice', '{"reference":"INV-2-F"}')
    await send(page)
    await toast(page, 'Failed to send request.')
    await run(page).getByRole('button', { name: 'It was received' }).waitFor()
    await page.reload()
    await run(page).getByRole('button', { name: 'It was received' }).waitFor()
    expect(await page.getByRole('button', { name: 'Send Request' }).isDisabled()).toBe(true)
    await page.getByRole('link', { name: /^History 1 unknown outcome/ }).waitFor()
    await expectAccessible(page)
    expect(authority.stored.get('/cut')).toHaveLength(1)
  })

  it('finds it from the home screen, says that it was received, and resumes the rest', async () => {
    const { page } = journey
    await page.goto('/dashboard')
    await page.getByRole('link', { name: 'Show it in the history' }).click()
    await page.waitForURL('**/dashboard/admin/runs?state=unknown')
    await page.getByRole('link', { name: /^View run/ }).click()
    await page.getByRole('button', { name: 'It was received' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Reference').fill('A-2026-77')
    await dialog.getByLabel('Note').fill('Seen in the portal')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'It was received' }).click()
    await page.getByText('Reference: A-2026-77').waitFor()
    await page.getByRole('button', { name: 'Resume from step 2' }).click()
    await dialog.getByText('Step 1 has succeeded and will not be sent again').waitFor()
    await dialog.getByRole('button', { name: 'Resume from step 2' }).click()
    await page.getByText('Every step succeeded.').first().waitFor()
    expect(authority.stored.get('/cut')).toHaveLength(1)
    expect(authority.stored.get('/invoices')).toContain('{"reference":"INV-2-F"}')
    await page.getByRole('link', { name: 'History', exact: true }).waitFor()
    await expectAccessible(page)
  })

  it('corrects what was rejected; the new run is linked to the old', async () => {
    const { page } = journey
    await openAfresh(page)
    await fill(page, 1, 'Strict authority', '{"reference":"INV-3","total":0.10}')
    await send(page)
    await run(page).getByText(/The endpoint rejected it\./).waitFor()
    await page.getByRole('button', { name: 'Retry with corrected bodies' }).click()
    const dialog = page.getByRole('dialog')
    await dialog
      .getByRole('textbox', { name: 'Body of step 1' })
      .fill('{"reference":"INV-3","total":0.10,"vat":"3000"}')
    await dialog.getByRole('button', { name: 'Review the changes' }).click()
    await dialog.locator('ins').getByText('"vat": "3000"').waitFor()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Send as a new run' }).click()
    await page.waitForURL('**/dashboard/admin/runs/*')
    await page.getByText('Every step succeeded.').first().waitFor()
    await page.getByText('Retry of').waitFor()
    expect(authority.stored.get('/strict')).toEqual([
      '{"reference":"INV-3","total":0.10,"vat":"3000"}',
    ])
  })

  it('tries a test invoice, which reaches nobody', async () => {
    const { page } = journey
    await openAfresh(page)
    const before = authority.stored.get('/invoices')?.length
    await page.getByLabel('Test invoice').check()
    await fill(page, 1, 'File an invoice', '{"reference":"INV-4"}')
    await send(page)
    await run(page).getByText('Checked, not sent').waitFor()
    await run(page).getByText('TEST', { exact: true }).waitFor()
    expect(authority.stored.get('/invoices')).toHaveLength(before ?? 0)
    await expectAccessible(page)
  })
})

describe('the history', () => {
  it('is narrowed down by state, reference, test and person, and kept in the address', async () => {
    const { page } = journey
    await page.getByRole('link', { name: 'History', exact: true }).click()
    const rows = page.getByRole('table', { name: 'History' }).getByRole('row')
    await rows.nth(4).waitFor()
    await expectAccessible(page)
    await page.getByRole('searchbox', { name: 'Search by reference' }).fill('INV-3')
    await page.waitForURL('**reference=INV-3')
    await expect.poll(() => rows.count()).toBe(3)
    await page.getByRole('combobox', { name: 'State' }).click()
    await page.getByRole('option', { name: 'Rejected' }).click()
    await expect.poll(() => rows.count()).toBe(2)
    await page.reload()
    await expect.poll(() => rows.count()).toBe(2)
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByRole('combobox', { name: 'Test' }).click()
    await page.getByRole('option', { name: 'Test only' }).click()
    await expect.poll(() => rows.count()).toBe(2)
    await page.getByRole('searchbox', { name: 'Who' }).fill('nobody')
    await page.getByText('Nothing matches these filters.').waitFor()
  })

  it('fits into 390 pixels, and so does a run', async () => {
    const { page } = journey
    await page.setViewportSize({ width: 390, height: 844 })
    const screens = [screen, '/dashboard/admin/tax/credit', '/dashboard/admin/runs', '/dashboard/admin/runs/1']
    for (const path of screens) {
      await page.goto(path)
      await settle(page)
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      expect([path, width]).toEqual([path, 390])
      await expectAccessible(page)
    }
    await page.setViewportSize({ width: 1440, height: 900 })
  })
})

describe('a credit', () => {
  it('goes out with its three endpoints', async () => {
    const { page } = journey
    await page.goto('/dashboard')
    await page.getByRole('link', { name: 'Credit', exact: true }).click()
    await fill(page, 1, 'File an invoice', '{"reference":"CN-1","credits":"INV-1"}')
    await fill(page, 2, 'Slow approval', '{"reference":"CN-1-S","of":"{{steps.1.body.number}}"}')
    await expectAccessible(page)
    await send(page)
    await toast(page, 'Request sent successfully!')
    await run(page).getByText('Every step succeeded.').waitFor()
    expect(authority.stored.get('/invoices')).toContain('{"reference":"CN-1","credits":"INV-1"}')
  })
})

describe('who lacks', () => {
  it.each([
    ['tax.send', screen, /^(Send Request|Preview)$/],
    ['credit.send', '/dashboard/admin/tax/credit', /^(Send Request|Preview)$/],
    ['run.resume', '/dashboard/admin/runs/1', /^(Resume|Run again|Retry)/],
    ['run.view', screen, /^History/],
    ['tax.view', '/dashboard/admin/runs', /^Workflow$/],
  ])('%s is not offered it', async (lacking, path, offer) => {
    const { page, refusals } = await openLacking(journey, lacking)
    await page.goto(path)
    await settle(page)
    expect(
      await page
        .getByRole('link', { name: offer })
        .or(page.getByRole('button', { name: offer }))
        .count(),
    ).toBe(0)
    expect(refusals).toEqual([])
    await page.context().close()
  })

  it('tax.test has no Test invoice', async () => {
    const { page } = await openLacking(journey, 'tax.test')
    await page.goto(screen)
    await card(page, 1).waitFor()
    expect(await page.getByLabel('Test invoice').count()).toBe(0)
    await page.context().close()
  })
})

it('saw no error in the browser all along', () => {
  expect(journey.complaints).toEqual([])
})
