import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { newPage, openBrowser, signInByCall } from '../harness/open-browser.ts'
import { settle } from '../harness/open-as.ts'
import { registerEndpoints } from '../harness/register-endpoints.ts'
import { runProduct } from '../harness/run-product.ts'
import { runUpstream } from '../harness/run-upstream.ts'
import { findScreens, seedScreens } from '../harness/seed-screens.ts'
import { runTaxAuthority } from '../harness/tax-authority.ts'
import { contactSheet, type Shot } from './contact-sheet.ts'
import { patternsWithoutPicture } from './screen-patterns.ts'

// `npm run screenshots`: every screen, in both themes, at every width, and a page that shows them all.
// `-- --screen runs --theme dark --width 390` makes those alone; each may be given more than once.

const { values } = parseArgs({
  options: {
    screen: { type: 'string', multiple: true },
    theme: { type: 'string', multiple: true, default: ['light', 'dark'] },
    width: { type: 'string', multiple: true, default: ['390', '768', '1024', '1440', '2560'] },
    out: { type: 'string', default: 'screenshots' },
  },
})
const widths = values.width.map(Number)
const login = '/api/login/react'

function isWanted(screen: string): boolean {
  return values.screen?.some((wanted) => screen.includes(wanted)) ?? true
}

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-screenshots-'))
const [product, source, authority, browser] = await Promise.all([
  runProduct({ DATA_DIR: folder }),
  runUpstream(),
  runTaxAuthority(),
  openBrowser(),
])
try {
  const { url, gatewayUrl } = product
  const endpoints = await registerEndpoints({ url, source, authority })
  await seedScreens({ url, gatewayUrl, endpoints })
  const shots = await photographAll(browser, url)
  writeFileSync(join(resolve(values.out), 'index.html'), contactSheet(shots))
  console.log(`${shots.length} pictures: ${join(resolve(values.out), 'index.html')}`)
} finally {
  await browser.close()
  await Promise.all([product.end('SIGTERM'), source.stop(), authority.stop()])
  rmSync(folder, { recursive: true, force: true })
}

async function photographAll(browser: Browser, url: string): Promise<Shot[]> {
  mkdirSync(values.out, { recursive: true })
  const shots: Shot[] = []
  let screens: string[] | undefined
  for (const theme of values.theme) {
    const { page } = await newPage(browser, url)
    // Longer than in tests: nobody waits for it.
    page.setDefaultTimeout(60_000)
    await page.addInitScript(
      (scheme) => localStorage.setItem('mantine-color-scheme-value', scheme),
      theme,
    )
    await page.goto(login)
    await page.getByRole('button', { name: 'Login' }).waitFor()
    if (isWanted(login)) shots.push(...(await photograph(page, login, theme)))
    await signInByCall(page)
    if (!screens) {
      screens = await findScreens(page)
      for (const pattern of patternsWithoutPicture(screens)) console.log(`no link to ${pattern}`)
    }
    for (const screen of screens.filter(isWanted)) {
      await page.goto(screen)
      await settle(page)
      shots.push(...(await photograph(page, screen, theme)))
    }
    await page.context().close()
  }
  return shots
}

/** One picture for each width, of the whole length of the page. */
async function photograph(page: Page, screen: string, theme: string): Promise<Shot[]> {
  const shots: Shot[] = []
  for (const width of widths) {
    await page.setViewportSize({ width, height: width < 600 ? 844 : 900 })
    await page.waitForLoadState('networkidle')
    await page.evaluate('document.fonts.ready')
    const name = screen.replace('/dashboard', 'home').replaceAll(/\W+/g, '-').replace(/^-/, '')
    const file = `${name}.${theme}.${width}.png`
    await page.screenshot({ path: join(values.out, file), fullPage: true, timeout: 60_000 })
    shots.push({ screen, theme, width, file })
  }
  return shots
}
