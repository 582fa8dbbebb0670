import { rmSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { newDataDir } from './data-dir.ts'
import {
  allPermissions,
  changePermissions,
  createPerson,
  findClosedScreens,
  openAs,
  showScreen,
  type Person,
  type SignedInPage,
} from './open-as.ts'
import { accessibilityProblems, closePages, newPage, signInByCall } from './open-browser.ts'
import { runProduct, type Product } from './run-product.ts'
import { sharedBrowser } from './shared/browser.ts'
import { sharedProduct } from './shared/product.ts'

/** The whole product, and a browser in which the first administrator is signed in. */
export interface Journey {
  url: string
  gatewayUrl: string
  browser: Browser
  page: Page
  /** What the administrator's browser complained about. */
  complaints: string[]
}

/**
 * On the product that the journeys of this process share, as a first start leaves it. Ids do not begin with 1, and
 * what the gateway counted and logged before stays: a journey about that, or about settings, has a product of its own.
 */
export function startJourney(): Journey {
  const journey = {} as Journey
  beforeAll(async () => {
    const [product, browser] = await Promise.all([sharedProduct(), sharedBrowser()])
    await open(journey, product, browser)
  })
  afterAll(() => closePages(journey.browser, journey.url))
  return journey
}

/** On a product that is started for this journey, and ended after it. Another browser than the shared one is its own. */
export function startOwnJourney(
  environment: Record<string, string> = {},
  browserOf = sharedBrowser,
): Journey {
  const journey = {} as Journey
  let folder: string
  let product: Product | undefined
  beforeAll(async () => {
    folder = newDataDir()
    const starting = runProduct({ DATA_DIR: folder, ...environment })
    const [started, browser] = await Promise.all([starting, browserOf()])
    product = started
    await open(journey, started, browser)
  })
  afterAll(async () => {
    await closePages(journey.browser)
    await product?.end('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  return journey
}

/** A page in which the first administrator is signed in. */
async function open(
  journey: Journey,
  { url, gatewayUrl }: Product,
  browser: Browser,
): Promise<void> {
  Object.assign(journey, { url, gatewayUrl, browser }, await newPage(browser, url))
  await signInByCall(journey.page)
}

/** Waits for a toast; where none comes, the error says what the screen shows instead. */
export async function toast(page: Page, text: string): Promise<void> {
  const found = page.locator('.Toastify__toast').filter({ hasText: text }).first()
  try {
    await found.waitFor()
  } catch (cause) {
    const shown = await page.locator('.Toastify, main').allInnerTexts()
    throw new Error(`No toast says “${text}”. ${page.url()} shows: ${shown.join(' | ')}`, { cause })
  }
}

export const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })

export async function expectAccessible(page: Page): Promise<void> {
  expect(await accessibilityProblems(page)).toEqual([])
}

/** Runs an action that raises the browser's alert, and returns the text of the alert. */
export async function alertOf(page: Page, action: () => Promise<void>): Promise<string> {
  const raised = page.waitForEvent('dialog')
  const done = action()
  const dialog = await raised
  await dialog.accept()
  await done
  return dialog.message()
}

/** How many links and buttons there are of this name. */
const countOffers = (page: Page, name: RegExp) =>
  page.getByRole('link', { name }).or(page.getByRole('button', { name })).count()

interface Lack {
  lacking: string
  /** The link or button that needs it. */
  offer: RegExp
  /** The path of the list that offers it. The other screens of the area are below that path. */
  area: string
  /** Absent if the list itself needs it: then the offer is the menu's. */
  isListOpen?: boolean
}

interface LackingOne extends SignedInPage {
  person: Person
  /** Every permission there is. */
  all: string[]
}

/** Who lacks something, one user in each product: the permissions of their role change. */
const lackingOnes = new WeakMap<Journey, LackingOne>()

/** Signs in a user who holds every permission but one: the same user for each, whose page stays. */
export async function openLacking(journey: Journey, lacking: string): Promise<LackingOne> {
  const { url, browser } = journey
  const known = lackingOnes.get(journey)
  const all = known?.all ?? (await allPermissions(url))
  const permissions = all.filter((name) => name !== lacking)
  if (known) {
    // What it has loaded is of the permissions of before.
    await known.page.goto('about:blank')
    await changePermissions(url, known.person, permissions)
    known.refusals.splice(0)
    return known
  }
  const person = await createPerson(url, 'Lacks one', permissions)
  const opened = { ...(await openAs(browser, url, person)), person, all }
  lackingOnes.set(journey, opened)
  return opened
}

/** Without the permission its offer is hidden, every other link works, and no call is refused. */
export async function expectNotOffered(journey: Journey, lack: Lack): Promise<void> {
  const { lacking, offer, area, isListOpen = true } = lack
  const { page, refusals } = await openLacking(journey, lacking)
  expect(await findClosedScreens(page, isListOpen ? area : '/dashboard/account')).toEqual([])
  if (isListOpen) await showScreen(page, area)
  expect(await countOffers(page, offer)).toBe(0)
  expect(refusals).toEqual([])
}
