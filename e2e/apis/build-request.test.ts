import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible, startJourney, toast } from '../harness/journey.ts'
import { newPage, openFromMenu, openNewEndpoint, signInOnPage } from '../harness/open-browser.ts'
import { runUpstream, type Upstream } from '../harness/upstreams/run-upstream.ts'

// The main job, as a person does it: register two APIs, fetch from one, map, send to the other.

const journey = startJourney()
let source: Upstream
let target: Upstream
/** Nobody is signed in there at first. */
let page: Page
let complaints: string[]
beforeAll(async () => {
  ;[source, target] = await Promise.all([runUpstream(), runUpstream()])
  ;({ page, complaints } = await newPage(journey.browser, journey.url))
})
afterAll(() => Promise.all([source?.stop(), target?.stop()]))

async function createApi(name: string, url: string): Promise<void> {
  await openFromMenu(page, 'APIs')
  await page.getByRole('link', { name: 'Add Api' }).click()
  await page.getByRole('textbox', { name: 'API Name' }).fill(name)
  await page.getByRole('textbox', { name: 'Base URL', exact: true }).fill(url)
  await page.getByRole('button', { name: 'Create API' }).click()
  await toast(page, 'API created successfully!')
  await page.getByRole('heading', { name: `Edit ${name}` }).waitFor()
}

async function choose(label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).click()
  await page.getByRole('option', { name: option }).first().click()
}

async function createEndpoint(
  api: string,
  method: string,
  path: string,
  summary: string,
): Promise<void> {
  await openFromMenu(page, 'Endpoints')
  await openNewEndpoint(page)
  await choose('Method', method)
  await choose('Api', api)
  await page.getByRole('textbox', { name: 'Path' }).fill(path)
  await page.getByRole('textbox', { name: 'Summary' }).fill(summary)
  await page.getByRole('textbox', { name: 'Description' }).fill(`${summary}, described`)
  await page.getByRole('button', { name: 'Create endpoint' }).click()
  await toast(page, 'Endpoint created.')
  await page.getByRole('heading', { name: `Edit ${summary}` }).waitFor()
}

describe('a new administrator', () => {
  it('is sent to the login, sees when it fails, and is let in', async () => {
    await page.goto('/dashboard/admin/apis')
    await page.waitForURL('**/api/login/react')
    await expectAccessible(page)
    await page.getByLabel('E-Mail Address').fill('admin@example.com')
    await page.getByLabel('Password', { exact: true }).fill('not the password')
    await page.getByRole('button', { name: 'Login' }).click()
    await page.getByText('Invalid email or password').waitFor()
    await signInOnPage(page)
    await expectAccessible(page)
  })

  it('registers two APIs', async () => {
    await createApi('Source', source.url)
    await createApi('Target', target.url)
    await expectAccessible(page)
  })

  it('defines an endpoint on each', async () => {
    await createEndpoint('Source', 'GET', '/posts/{id}', 'Read a post')
    await createEndpoint('Target', 'POST', '/posts', 'Store a post')
    await expectAccessible(page)
  })

  it('fetches a document from one', async () => {
    await openFromMenu(page, 'Build Request')
    const form = page.getByRole('form', { name: 'From endpoint' })
    await choose('From endpoint', 'Read a post')
    await form.getByRole('textbox', { name: 'id', exact: true }).fill('1')
    await form.getByRole('button', { name: 'Get', exact: true }).click()
    await toast(page, 'Data fetched successfully.')
    const pane = page.getByRole('region', { name: 'From' })
    const tree = pane.getByRole('tree', { name: 'Fetched JSON' })
    await tree.getByRole('treeitem', { name: 'userId 1', exact: true }).waitFor()
    await expectAccessible(page)
    await pane.getByRole('button', { name: 'Text' }).click()
    await pane.getByRole('textbox', { name: 'Fetched JSON' }).getByText('"userId"').waitFor()
    await pane.getByRole('button', { name: 'Tree' }).click()
  })

  it('adds a mapping row by a click on a value, and two by hand', async () => {
    const mapping = page.getByRole('region', { name: 'Mapping Data' })
    await page.getByRole('region', { name: 'From' }).getByText('sunt aut facere').first().click()
    expect(await mapping.getByRole('textbox', { name: 'From' }).inputValue()).toBe('title')
    await mapping.getByRole('textbox', { name: 'To', exact: true }).fill('post.title')
    const addRow = async (at: number, from: string, to: string, custom: string, type: string) => {
      await mapping.getByRole('button', { name: 'Add Mapping' }).click()
      await mapping.getByRole('textbox', { name: 'From' }).nth(at).fill(from)
      await mapping.getByRole('textbox', { name: 'To', exact: true }).nth(at).fill(to)
      await mapping.getByRole('textbox', { name: 'Custom Input' }).nth(at).fill(custom)
      await mapping.getByRole('combobox', { name: 'Type' }).nth(at).click()
      await page
        .getByRole('option', { name: type, exact: true })
        .or(page.getByRole('option', { name: new RegExp(`^${type}\\b`) }))
        .first()
        .click()
    }
    await addRow(1, 'id', 'post.reference', '', 'string')
    await addRow(2, '', 'total', '0.10', 'number')
    const result = page.getByRole('region', { name: 'Result' })
    await result.getByText('"reference": "1"').waitFor()
    await result.getByText('0.10').last().waitFor()
    await expectAccessible(page)
  })

  it('sends it to the other, and finds the document there', async () => {
    await choose('To endpoint', 'Store a post')
    await page
      .getByRole('form', { name: 'To endpoint' })
      .getByRole('button', { name: 'Send' })
      .click()
    await toast(page, 'Data sent successfully.')
    const stored = (await (await fetch(`${target.url}/posts/101`)).json()) as Record<
      string,
      unknown
    >
    expect(stored).toEqual({
      id: 101,
      post: {
        title: 'sunt aut facere repellat provident occaecati excepturi optio reprehenderit',
        reference: '1',
      },
      total: 0.1,
    })
  })

  it('sees two hundred rows of which those in sight are drawn, and takes all of them back', async () => {
    const mapping = page.getByRole('region', { name: 'Mapping Data' })
    const table = mapping.getByRole('table', { name: 'Mapping Data' })
    const rows = Array.from({ length: 200 }, (_, at) => ({ to: `f${at}`, custom_input: `${at}` }))
    await mapping.getByRole('button', { name: 'Show JSON' }).click()
    await mapping.getByRole('textbox', { name: 'Mapping rows as JSON' }).fill(JSON.stringify(rows))
    await mapping.getByRole('button', { name: 'Show rows' }).click()
    await table.getByRole('row', { name: 'Row 1', exact: true }).hover()
    expect(await table.getAttribute('aria-rowcount')).toBe('201')
    expect(await table.getByRole('textbox', { name: 'To', exact: true }).count()).toBeLessThan(60)
    await page.mouse.wheel(0, 20_000)
    const last = table.getByRole('row', { name: 'Row 200', exact: true })
    await last.getByRole('textbox', { name: 'To', exact: true }).click()
    await expectAccessible(page)
    await page.keyboard.press('Control+z')
    await expect.poll(() => table.getAttribute('aria-rowcount')).toBe('4')
  })

  it('logs out, and is asked to sign in again', async () => {
    await page.goto('/dashboard')
    await page.getByRole('button', { name: /Administrator|account|user menu/i }).click()
    await page.getByRole('menuitem', { name: 'Logout' }).click()
    await page.waitForURL('**/api/login/react')
    await page.goto('/dashboard')
    await page.waitForURL('**/api/login/react')
    expect(await page.evaluate(() => localStorage.getItem('authToken'))).toBeNull()
  })

  it('saw no error in the browser', () => {
    expect(complaints).toEqual([])
  })
})
