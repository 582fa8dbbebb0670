import type { Browser, Page } from 'playwright-core'
import { newPage, nowhere } from './open-browser.ts'
import { signIn } from './run-product.ts'

const password = 'a long enough pass phrase'

export interface Person {
  id: number
  role: { id: number; name: string }
  email: string
  password: string
}

type Call = Awaited<ReturnType<typeof signIn>>

/** Calls as the administrator; a refusal fails the journey. */
async function must(call: Call, method: string, path: string, body?: unknown) {
  const answer = await call(method, path, body)
  if (answer.status >= 400) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body as Record<string, unknown>
}

/** Creates a role with these permissions, and a user who has it. */
export async function createPerson(
  url: string,
  name: string,
  permissions: readonly string[],
): Promise<Person> {
  const call = await signIn(url)
  const role = await must(call, 'POST', '/api/role', { name: `Role of ${name}`, permissions })
  const username = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  const email = `${username}@example.com`
  const user = await must(call, 'POST', '/api/user', {
    name,
    email,
    username,
    password,
    password_confirmation: password,
    roles: [role['id']],
  })
  return {
    id: Number(user['id']),
    role: { id: Number(role['id']), name: `Role of ${name}` },
    email,
    password,
  }
}

/** Gives the role of a person these permissions alone, from the next call on. */
export async function changePermissions(
  url: string,
  { role }: Person,
  permissions: readonly string[],
): Promise<void> {
  const call = await signIn(url)
  await must(call, 'PUT', `/api/role/${role.id}`, { name: role.name, permissions })
}

/** Every permission there is, as the administrator holds them. */
export async function allPermissions(url: string): Promise<string[]> {
  const call = await signIn(url)
  const { user } = (await call('GET', '/api/auth')).body as { user: { permissions: string[] } }
  return user.permissions
}

export interface SignedInPage {
  page: Page
  /** Calls of the page that were answered 401 or 403. */
  refusals: string[]
}

/** A page of a browser of their own, in which this person is signed in. */
export async function openAs(
  browser: Browser,
  url: string,
  person: Pick<Person, 'email' | 'password'>,
): Promise<SignedInPage> {
  const login = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: person.email, password: person.password }),
  })
  const { token } = (await login.json()) as { token: string }
  const { page } = await newPage(browser, url)
  await page.addInitScript((kept) => localStorage.setItem('authToken', kept), token)
  const refusals: string[] = []
  page.on('response', (response) => {
    if (response.status() === 401 || response.status() === 403)
      refusals.push(`${response.request().method()} ${response.url()}`)
  })
  return { page, refusals }
}

/** Waits until the screen has its title and everything that it fetches, in either language. */
export async function settle(page: Page): Promise<void> {
  await page.locator('main h2').first().waitFor()
  // The title is painted before the rest, which only then says that it is loading.
  await page.evaluate('new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)))')
  await page
    .getByText(/Loading\.\.\.|جارٍ التحميل/)
    .first()
    .waitFor({ state: 'detached' })
}

/** As a link does: the page is not loaded again. */
const follow = (page: Page, path: string, how: 'pushState' | 'replaceState') =>
  page.evaluate(
    `history.${how}(null, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`,
  )

/**
 * Shows a screen, and waits until it is settled: within the dashboard where that is open, since a load takes three
 * times the CPU time. The screen of before stays until the next one is there, so between the two is one that says
 * that there is none.
 */
export async function showScreen(page: Page, path: string): Promise<void> {
  if (!/^\/dashboard(\/|\?|$)/.test(new URL(page.url()).pathname)) await page.goto(path)
  else {
    // Just after a sign-in its own navigation may be under way, and would end after ours.
    await page.locator('main h2').first().waitFor()
    const none = page.locator('main code').getByText(nowhere, { exact: true })
    await follow(page, nowhere, 'pushState')
    await none.waitFor()
    await follow(page, path, 'replaceState')
    await none.waitFor({ state: 'detached' })
  }
  await settle(page)
  await page.locator('[data-stale]').first().waitFor({ state: 'detached' })
}

/**
 * Visits `area` and every screen below it that a link leads to, and opens every panel. Of records of
 * one kind it visits the first. Returns the paths of the screens that the user may not see.
 */
export async function findClosedScreens(page: Page, area: string): Promise<string[]> {
  const closed: string[] = []
  const seen = new Set<string>()
  const queue = [area]
  await showScreen(page, area)
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    const kind = path.replaceAll(/\d+/g, '#')
    if (seen.has(kind)) continue
    seen.add(kind)
    if (path !== area) await showScreen(page, path)
    if (await page.getByRole('heading', { name: 'You may not see this screen' }).isVisible())
      closed.push(path)
    for (const panel of await page.locator('summary').all()) {
      await panel.click()
      await settle(page)
    }
    const links = await page
      .locator('a[href^="/dashboard"]')
      .evaluateAll((found) => found.map((link) => link.getAttribute('href') ?? ''))
    queue.push(...links.filter((link) => link.startsWith(area)))
  }
  return closed
}
