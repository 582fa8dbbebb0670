import type { Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { openLacking, startJourney, type Journey } from './journey.ts'
import type { SignedInPage } from './open-as.ts'
import { nowhere } from './open-browser.ts'
import { registerEndpoints } from './register-endpoints.ts'
import { signIn } from './run-product.ts'
import { runUpstream, type Upstream } from './upstreams/run-upstream.ts'
import { runTaxAuthority, type TaxAuthority } from './upstreams/tax-authority.ts'

export const taxScreen = '/dashboard/admin/tax'

interface TaxJourney extends Journey {
  source: Upstream
  authority: TaxAuthority
  /** Ids of the endpoints, by their summery. */
  endpoints: Record<string, number>
}

/** The product with a source of data and an authority, and endpoints of both. */
export function startTaxJourney(on: Journey = startJourney()): TaxJourney {
  const journey = on as TaxJourney
  beforeAll(async () => {
    ;[journey.source, journey.authority] = await Promise.all([runUpstream(), runTaxAuthority()])
    journey.endpoints = await registerEndpoints(journey)
  })
  afterAll(async () => {
    await Promise.all([journey.source?.stop(), journey.authority?.stop()])
  })
  return journey
}

export const card = (page: Page, position: number) =>
  page.getByRole('region', { name: `Endpoint ${position}`, exact: true })

export async function fill(
  page: Page,
  position: number,
  summery: string,
  body: string,
): Promise<void> {
  await card(page, position).getByRole('combobox').click()
  await page.getByRole('option', { name: summery }).last().click()
  await card(page, position).getByRole('textbox', { name: 'Body' }).fill(body)
}

/** The run that a tax or credit screen shows. */
export const shownRun = (page: Page) => page.getByRole('region', { name: /^run \d+$/i })

export const pressSend = (page: Page) => page.getByRole('button', { name: 'Send Request' }).click()

/** Opens the tax screen as a user sees it who has sent nothing from this window. */
export async function openAfresh(page: Page): Promise<void> {
  // Elsewhere, where no form writes back what it holds.
  await page.goto(nowhere)
  await page.evaluate(() => sessionStorage.clear())
  await page.goto(taxScreen)
  await card(page, 4).waitFor()
}

/** Signs in a user who holds every permission but one, and whose role may call the endpoints. */
export async function openLackingWithAccess(
  journey: TaxJourney,
  lacking: string,
): Promise<SignedInPage> {
  const opened = await openLacking(journey, lacking)
  const call = await signIn(journey.url)
  const path = `/api/api-permission/${opened.person.role.id}/update`
  await call('PUT', path, { endpoints: Object.values(journey.endpoints) })
  return opened
}
