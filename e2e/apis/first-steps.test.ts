import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible, startJourney, startOwnJourney } from '../harness/journey.ts'
import { signIn } from '../harness/run-product.ts'
import { createPerson, openAs, settle, showScreen } from '../harness/open-as.ts'

// From an empty product to the first 200 through the gateway: at most eight clicks, and no dead end.

const clicksMax = 8

/** Counts what the user clicks; typing is not counted. */
async function countClicks(page: Page): Promise<() => Promise<number>> {
  let clicks = 0
  await page.exposeFunction('noteClick', () => ++clicks)
  await page.addInitScript(() => {
    const { noteClick, addEventListener } = globalThis as unknown as {
      noteClick: () => void
      addEventListener: (kind: string, listener: () => void, capture: boolean) => void
    }
    addEventListener('pointerdown', noteClick, true)
  })
  await page.reload()
  return async () => clicks
}

const steps = (page: Page) => page.getByRole('region', { name: 'First steps' })

describe('with the sample service', () => {
  const journey = startOwnJourney()

  it('needs few clicks and meets no refusal', async () => {
    const { page } = journey
    const clicks = await countClicks(page)
    const refusals: string[] = []
    page.on('response', (answer) => {
      if (answer.status() >= 400) refusals.push(`${answer.status()} ${answer.url()}`)
    })
    await showScreen(page, '/dashboard')
    await steps(page).getByText('0 of 5 done').waitFor()
    await expectAccessible(page)
    await steps(page).getByRole('button', { name: 'Use the sample service' }).click()
    await steps(page).getByRole('button', { name: 'Grant API Consumer access' }).click()
    await steps(page).getByRole('button', { name: 'Generate' }).click()
    await steps(page).getByText('it is shown this once').waitFor()
    await steps(page)
      .getByRole('button', { name: /^Send GET/ })
      .click()
    await steps(page).getByText('The gateway carried the call').waitFor()
    await steps(page).getByText('5 of 5 done').waitFor()
    await steps(page).getByText('Green Fields Bakery').waitFor()
    await expectAccessible(page)
    expect(await clicks()).toBe(4)
    expect(refusals).toEqual([])
  })

  it('is gone once the gateway has counted the call', async () => {
    const { page } = journey
    const call = await signIn(journey.url)
    const isNew = async () =>
      ((await call('GET', '/api/first-steps')).body as { is_new: boolean }).is_new
    await expect.poll(isNew).toBe(false)
    await page.goto('/dashboard')
    await page.getByRole('region', { name: 'Changed last' }).waitFor()
    await settle(page)
    expect(await steps(page).count()).toBe(0)
  })
})

describe('with an API of one’s own', () => {
  const journey = startOwnJourney()
  const upstream = createServer((_, response) => response.end('{"ours":true}'))
  let url: string
  beforeAll(async () => {
    await new Promise<void>((resolve) => void upstream.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`
  })
  afterAll(() => void upstream.close())

  it.each([1440, 390])('fits into %i pixels, in the light and in the dark', async (width) => {
    const { page } = journey
    await page.setViewportSize({ width, height: 844 })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await showScreen(page, '/dashboard')
      await steps(page).getByText('0 of 5 done').waitFor()
      await settle(page)
      await expectAccessible(page)
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(width)
    }
  })

  it('by the form it needs at most eight clicks, and each screen leads to the next', async () => {
    const { page } = journey
    const clicks = await countClicks(page)
    await showScreen(page, '/dashboard')
    await steps(page).getByRole('link', { name: 'Add Api' }).click()
    await page.getByLabel('API Name').fill('Ours')
    await page.getByLabel('Base URL', { exact: true }).fill(url)
    await page.getByRole('button', { name: 'Check', exact: true }).click()
    await page.getByText(/^Reached 127\.0\.0\.1 in/).waitFor()
    await page.getByRole('button', { name: 'Create API' }).click()
    await page.getByRole('link', { name: 'Next: add an endpoint' }).click()
    await page.getByLabel('Path', { exact: true }).fill('/things')
    await page.getByLabel('Summary').fill('Things')
    await page.getByLabel('Description').fill('All things')
    // Open to anyone: with a token, the way goes on over a grant and a token, as with the sample service.
    await page.getByRole('switch', { name: 'Enable Authentication' }).click({ force: true })
    await page.getByRole('button', { name: 'Create endpoint' }).click()
    await page.getByRole('link', { name: 'Next step' }).click()
    await steps(page)
      .getByRole('button', { name: /^Send GET/ })
      .click()
    await steps(page).getByText('The gateway carried the call').waitFor()
    await steps(page).getByText('"ours"').waitFor()
    expect(await clicks()).toBeLessThanOrEqual(clicksMax)
  })
})

describe('with what is pasted', () => {
  const journey = startOwnJourney()
  const seen: string[] = []
  const upstream = createServer((request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers.authorization}`)
    response.setHeader('content-type', 'application/json')
    response.end('{"pasted":true}')
  })
  let url: string
  beforeAll(async () => {
    await new Promise<void>((resolve) => void upstream.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`
  })
  afterAll(() => void upstream.close())

  const pasted = (page: Page) =>
    page.getByRole('textbox', { name: 'URL, curl command or document' })

  it('the first answer takes four clicks and one field', async () => {
    const { page } = journey
    const clicks = await countClicks(page)
    await showScreen(page, '/dashboard')
    await steps(page).getByRole('link', { name: 'Paste a URL, curl or OpenAPI' }).click()
    // The field has the focus.
    await pasted(page).and(page.locator(':focus')).waitFor()
    await page.keyboard.insertText(
      `curl '${url}/orders?page=2' -H 'Authorization: Bearer key-of-the-upstream'`,
    )
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('{"pasted":true}').waitFor()
    await page.getByRole('checkbox', { name: 'API Consumer', checked: true }).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Create it' }).click()
    await page.getByRole('button', { name: 'Generate a token and call it' }).click()
    await page.getByText('The gateway carried the call').waitFor()
    await page.getByText('it is shown this once').waitFor()
    await page.getByLabel('As curl').getByText('/orders?page=2').waitFor()
    await expectAccessible(page)
    expect(await clicks()).toBe(4)
    // First asked by the server, then through the gateway: the key of the command goes along.
    const expected = 'GET /orders?page=2 Bearer key-of-the-upstream'
    expect(seen).toEqual([expected, expected])
    expect(await page.content()).not.toContain('key-of-the-upstream')
  })

  it('what does not answer, and what can’t be read, says why', async () => {
    const { page } = journey
    await showScreen(page, '/dashboard/admin/api/import')
    await pasted(page).fill('curl https://api.example.com -d @file')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('The command reads its body from the file file.').waitFor()
    await pasted(page).fill('http://169.254.169.254/latest')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('It did not answer').waitFor()
    await expectAccessible(page)
  })
})

describe('what is not allowed', () => {
  const journey = startJourney()

  it('a refused screen names who manages roles', async () => {
    const person = await createPerson(journey.url, 'Looker', ['dashboard.view'])
    const { page } = await openAs(journey.browser, journey.url, person)
    await showScreen(page, '/dashboard/admin/role')
    await page.getByText('Users who manage roles: ').waitFor()
    await expectAccessible(page)
  })

  it('a call that the gateway refuses offers the grant', async () => {
    const { page } = journey
    await showScreen(page, '/dashboard')
    await steps(page).getByRole('button', { name: 'Use the sample service' }).click()
    await steps(page).getByRole('button', { name: 'Grant API Consumer access' }).waitFor()
    await showScreen(page, '/dashboard/admin/personal-token')
    await page.getByRole('button', { name: 'Generate' }).click()
    await page.getByText('it is shown this once').waitFor()
    const token = await page.getByLabel('Token', { exact: true }).inputValue()
    await showScreen(page, '/dashboard/admin/endpoints')
    await page
      .getByRole('row')
      .filter({ hasText: 'Three invented' })
      .getByRole('link')
      .first()
      .click()
    await page.getByRole('heading', { name: 'Try it' }).click()
    await page.getByLabel('Personal token').fill(token)
    const send = page.getByRole('button', { name: 'Send through the gateway' })
    await send.click()
    await page.getByRole('button', { name: /^Grant API Consumer access to GET/ }).click()
    await page.getByText('Access was given. Send the request again.').waitFor()
    await send.click()
    await page.getByText('Green Fields Bakery').waitFor()
    await expectAccessible(page)
  })
})
