import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { newPage, openBrowser, signInByCall } from '../harness/open-browser.ts'
import { settle } from '../harness/open-as.ts'
import { registerEndpoints } from '../harness/register-endpoints.ts'
import { runProduct } from '../harness/run-product.ts'
import { runUpstream } from '../harness/upstreams/run-upstream.ts'
import { findScreens, seedScreens } from '../harness/seed-screens.ts'
import { runTaxAuthority } from '../harness/upstreams/tax-authority.ts'
import { contactSheet, type Shot } from './contact-sheet.ts'
import { holdInstallation } from './hold-installation.ts'
import { patternsWithoutPicture } from './screen-patterns.ts'

// `npm run screenshots`: every screen, in both themes and languages, at every width, and a page with them all.
// `-- --screen runs --theme dark --width 390` makes those alone; each may be given more than once.

const { values } = parseArgs({
  options: {
    screen: { type: 'string', multiple: true },
    theme: { type: 'string', multiple: true, default: ['light', 'dark'] },
    language: { type: 'string', multiple: true, default: ['en', 'ar'] },
    width: { type: 'string', multiple: true, default: ['390', '768', '1024', '1440', '2560'] },
    out: { type: 'string', default: 'screenshots' },
  },
})
const widths = values.width.map(Number)
const login = '/api/login/react'
/** Not an address: what every screen shows while the installation is held. */
const held = '/held'

interface Look {
  theme: string
  language: string
}

const looks: Look[] = values.language.flatMap((language) =>
  values.theme.map((theme) => ({ theme, language })),
)

function isWanted(screen: string): boolean {
  return values.screen?.some((wanted) => screen.includes(wanted)) ?? true
}

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-screenshots-'))
const [started, source, authority, browser] = await Promise.all([
  runProduct({ DATA_DIR: folder }),
  runUpstream(),
  runTaxAuthority(),
  openBrowser(),
])
let product = started
try {
  const { url, gatewayUrl } = product
  const endpoints = await registerEndpoints({ url, source, authority })
  const named = await seedScreens({ url, gatewayUrl, endpoints })
  const isHeldAlone = values.screen?.every((wanted) => wanted === held) ?? false
  const shots = isHeldAlone ? [] : await photographAll(browser, url, named)
  if (isWanted(held)) {
    product = await holdInstallation(product, folder)
    shots.push(...(await photographHeld(browser, product.url)))
  }
  writeFileSync(join(resolve(values.out), 'index.html'), contactSheet(shots))
  console.log(`${shots.length} pictures: ${join(resolve(values.out), 'index.html')}`)
} finally {
  await browser.close()
  await Promise.all([product.end('SIGTERM'), source.stop(), authority.stop()])
  rmSync(folder, { recursive: true, force: true })
}

async function openPage(browser: Browser, url: string, look: Look): Promise<Page> {
  const { page } = await newPage(browser, url)
  // Longer than in tests: nobody waits for it.
  page.setDefaultTimeout(60_000)
  await page.addInitScript(({ theme, language }) => {
    localStorage.setItem('mantine-color-scheme-value', theme)
    localStorage.setItem('gatehouse-language', language)
  }, look)
  return page
}

async function photographAll(
  browser: Browser,
  url: string,
  named: readonly string[],
): Promise<Shot[]> {
  mkdirSync(values.out, { recursive: true })
  const shots: Shot[] = []
  let screens: string[] | undefined
  for (const look of looks) {
    const page = await openPage(browser, url, look)
    await page.goto(login)
    await page.locator('form button[type=submit]').waitFor()
    if (isWanted(login)) shots.push(...(await photograph(page, login, look)))
    await signInByCall(page)
    if (!screens) {
      screens = await findScreens(page, named)
      for (const pattern of patternsWithoutPicture(screens)) console.log(`no link to ${pattern}`)
    }
    for (const screen of screens.filter(isWanted)) {
      await page.goto(screen)
      await settle(page)
      shots.push(...(await photograph(page, screen, look)))
    }
    await page.context().close()
  }
  return shots
}

/** The banner of an installation that is held, and the two dialogs behind it. */
async function photographHeld(browser: Browser, url: string): Promise<Shot[]> {
  mkdirSync(values.out, { recursive: true })
  const shots: Shot[] = []
  for (const look of looks) {
    const page = await openPage(browser, url, look)
    await page.goto(login)
    await page.locator('form button[type=submit]').waitFor()
    await signInByCall(page)
    await page.goto('/dashboard')
    await settle(page)
    shots.push(...(await photograph(page, held, look)))
    const buttons = page.getByRole('alert').getByRole('button')
    for (const [at, dialog] of ['gap', 'release'].entries()) {
      await buttons.nth(at).click()
      await page.getByRole('dialog').waitFor()
      if (dialog === 'gap') await page.getByRole('dialog').getByRole('button').last().click()
      await settle(page)
      shots.push(...(await photograph(page, `${held}/${dialog}`, look)))
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    await page.context().close()
  }
  return shots
}

/** One picture for each width, of the whole length of the page. */
async function photograph(page: Page, screen: string, { theme, language }: Look): Promise<Shot[]> {
  const look = language === 'en' ? theme : `${theme}-${language}`
  const shots: Shot[] = []
  for (const width of widths) {
    await page.setViewportSize({ width, height: width < 600 ? 844 : 900 })
    await page.waitForLoadState('networkidle')
    await page.evaluate('document.fonts.ready')
    const name = screen.replace('/dashboard', 'home').replaceAll(/\W+/g, '-').replace(/^-/, '')
    const file = `${name}.${look}.${width}.png`
    await page.screenshot({ path: join(values.out, file), fullPage: true, timeout: 60_000 })
    shots.push({ screen, look, width, file })
  }
  return shots
}
