import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults, RunOptions } from 'axe-core'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { waitMaxMs } from '../../scripts/tests/wait-max.mjs'
import { adminPassword } from './run-product.ts'
import { isSlow, slowDown } from './slow-machine.ts'

/**
 * What Chromium computes beside the page, and no journey looks at. The suggestions of the address bar alone are
 * two hidden pages for each window: half a second of CPU time.
 */
const featuresOff = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'SpareRendererForSitePerProcess',
  // The list that Playwright gives, since the browser reads only the last one.
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
]

/** Headless Chromium; its sandbox does not work as root. */
export function openBrowser(more: readonly string[] = []): Promise<Browser> {
  const executablePath = process.env.GATEHOUSE_TEST_CHROMIUM
  if (!executablePath) throw new Error('No browser: `npm test` finds or installs one.')
  return chromium.launch({
    executablePath,
    timeout: waitMaxMs,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--disable-features=${featuresOff.join()}`,
      ...more,
    ],
  })
}

/** The address that a context was opened for. */
const addressOf = new WeakMap<BrowserContext, string>()

/** Contexts without a page. What one keeps of the files of its address saves half of the CPU time of a first load. */
const idle: BrowserContext[] = []

/** Of this address, and empty: no cookies, nothing stored, nothing allowed. */
async function contextOf(browser: Browser, baseURL: string): Promise<BrowserContext> {
  const known = idle.findIndex(
    (context) => addressOf.get(context) === baseURL && context.browser() === browser,
  )
  const [context] = known === -1 ? [] : idle.splice(known, 1)
  if (context) {
    await Promise.all([context.clearCookies(), context.clearPermissions()])
    return context
  }
  const made = await browser.newContext({
    baseURL,
    viewport: { width: 1440, height: 900 },
    // Nothing fades: what is on the screen is there in full.
    reducedMotion: 'reduce',
  })
  // For windows that a page opens too.
  made.setDefaultTimeout(waitMaxMs)
  addressOf.set(made, baseURL)
  return made
}

/** Closes a page of `newPage`, and all others of its context. */
export async function closePage(page: Page): Promise<void> {
  const context = page.context()
  // A slow one has its routes.
  if (!addressOf.has(context) || isSlow) return context.close()
  await Promise.all(context.pages().map((each) => each.close()))
  idle.push(context)
}

/** Closes all pages, and all contexts but those of the address that stays. */
export async function closePages(browser: Browser | undefined, staying?: string): Promise<void> {
  const contexts = browser?.contexts() ?? []
  const isStaying = (context: BrowserContext) =>
    staying !== undefined && portOf(addressOf.get(context)) === portOf(staying)
  for (const context of contexts) {
    const [page] = context.pages()
    if (!isStaying(context)) await context.close()
    else if (page) await closePage(page)
  }
  const closed = idle.filter((context) => !isStaying(context))
  for (const context of closed) idle.splice(idle.indexOf(context), 1)
}

/** A product has two addresses: by name and by number. */
const portOf = (address: string | undefined) => address && new URL(address).port

/** A page of a browser without a past that collects what the browser complained about. */
export async function newPage(
  browser: Browser,
  baseURL: string,
): Promise<{ page: Page; complaints: string[] }> {
  const context = await contextOf(browser, baseURL)
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  const { origin } = new URL(baseURL)
  await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'local_storage' })
  await devtools.detach()
  await slowDown(context, page)
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    // A refused call is logged by the browser itself; what matters is what the screen makes of it.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text())
  })
  return { page, complaints }
}

/** An address that no screen has. */
export const nowhere = '/dashboard/nowhere'

/**
 * Signs the administrator in and opens the dashboard, without loading the login screen first: where no screen is, with
 * nothing but the menu.
 */
export async function signInByCall(page: Page, screen = nowhere): Promise<void> {
  const data = { email: 'admin@example.com', password: adminPassword }
  // Through the page's context, which keeps the cookie for downloads.
  const answer = await page.request.post('/api/login', { data })
  const { token } = (await answer.json()) as { token: string }
  await page.addInitScript((given) => {
    // Once: a sign-out is not undone by the next load.
    if (sessionStorage.getItem('isSignedIn')) return
    sessionStorage.setItem('isSignedIn', 'yes')
    localStorage.setItem('authToken', given)
  }, token)
  await page.goto(screen)
}

/** Signs in on the login screen, as a user does. */
export async function signInOnPage(
  page: Page,
  email = 'admin@example.com',
  password = adminPassword,
): Promise<void> {
  await page.goto('/api/login/react')
  await page.getByLabel('E-Mail Address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Login' }).click()
  await page.waitForURL('**/dashboard')
}

/**
 * Follows a link of the menu until its screen is shown. The screen of before stays until the next one is
 * loaded, and its buttons may have the same names.
 */
export async function openFromMenu(page: Page, name: string): Promise<void> {
  const link = page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name, exact: true })
  await link.click()
  await link.and(page.locator('[aria-current="page"]')).waitFor()
}

/** From the list of endpoints to the form of a new one. The list has filters that are named as fields of the form. */
export async function openNewEndpoint(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Add endpoint' }).click()
  await page.getByRole('textbox', { name: 'Path' }).waitFor()
}

/** Half as long as what `axe.source` holds: each page that is loaded reads it again. */
const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
)

const wcag21 = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa']

/**
 * Colours in between have too little contrast. The bar of a toast, which moves for five seconds, keeps its colour.
 * As text: its types are those of a browser.
 */
const colorsSettled = `new Promise((painted) =>
  requestAnimationFrame(() => requestAnimationFrame(painted)),
).then(() =>
  Promise.allSettled(
    document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
      .filter(({ effect }) => !effect?.target?.matches('.Toastify__progress-bar'))
      .map(({ finished }) => finished),
  ),
)`

/** What a screen shows that another one does not; a dialog covers the rest. Of a page without either, everything. */
const ownParts = `(() => {
  const [dialog, main] = ['[role=dialog]', 'main'].map((each) => document.querySelector(each))
  if (!dialog && !main) return document
  const opened = ['[role=listbox]', '[role=menu]', '.Toastify']
  return [dialog ? '[role=dialog]' : 'main', ...opened].filter((each) => document.querySelector(each))
})()`

/**
 * Rules of WCAG 2.1 A and AA that the page breaks, each with where. `isTargetSizeChecked`: what is pressed
 * has 24 px too, or as much distance (WCAG 2.2). `isContrastAlone`: no other rule. `isWhole`: with header and menu,
 * which are the same on each screen.
 */
export async function accessibilityProblems(
  page: Page,
  { isTargetSizeChecked = false, isContrastAlone = false, isWhole = false } = {},
): Promise<string[]> {
  await page.evaluate(colorsSettled)
  const options: RunOptions = {
    runOnly: isContrastAlone
      ? { type: 'rule', values: ['color-contrast'] }
      : { type: 'tag', values: isTargetSizeChecked ? [...wcag21, 'wcag22aa'] : wcag21 },
    // It is off unless it is named.
    rules: isContrastAlone ? {} : { 'target-size': { enabled: isTargetSizeChecked } },
    resultTypes: ['violations'],
    // No screen has frames, and no rule of these reads style sheets or media.
    iframes: false,
    preload: false,
  }
  // It takes longer to load than to run: once for each page that is loaded.
  const isLoaded = await page.evaluate<boolean>('window.axe !== undefined')
  if (!isLoaded) await page.evaluate(axeSource)
  const { violations } = await page.evaluate<AxeResults>(
    `axe.run(${isWhole ? 'document' : ownParts}, ${JSON.stringify(options)})`,
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(' ')}`),
  )
}
