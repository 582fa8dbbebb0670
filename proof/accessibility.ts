import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { barriersOf } from '../e2e/harness/barriers.ts'
import { newPage, openBrowser, signInByCall } from '../e2e/harness/open-browser.ts'
import { registerEndpoints } from '../e2e/harness/register-endpoints.ts'
import { runProduct } from '../e2e/harness/run-product.ts'
import { runUpstream } from '../e2e/harness/upstreams/run-upstream.ts'
import { findScreens, seedScreens } from '../e2e/harness/seed-screens.ts'
import { runTaxAuthority } from '../e2e/harness/upstreams/tax-authority.ts'
import { foundPrograms } from '../scripts/set-up/programs.mjs'

// Looks for barriers on every screen that a link leads to, with axe-core: WCAG 2.2 A and AA, what is pressed
// large enough, in the light and in the dark.
//
//   npm run proof accessibility [part of a screen's address]

const wanted = process.argv[2] ?? ''
Object.assign(process.env, foundPrograms())
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-accessibility-'))
const [product, source, authority, browser] = await Promise.all([
  runProduct({ DATA_DIR: folder }),
  runUpstream(),
  runTaxAuthority(),
  openBrowser(),
])
try {
  const { url, gatewayUrl } = product
  const endpoints = await registerEndpoints({ url, source, authority })
  const named = await seedScreens({ url, gatewayUrl, endpoints })
  const { page } = await newPage(browser, url)
  page.setDefaultTimeout(60_000)
  await signInByCall(page)
  const barriers: string[] = []
  const screens = await findScreens(page, named, async (screen) => {
    if (!screen.includes(wanted)) return
    const found = (await barriersOf(page)).map((barrier) => `${screen} in the ${barrier}`)
    barriers.push(...found)
    console.log(found.length === 0 ? `${screen}: none` : found.join('\n'))
  })
  console.log(`${screens.length} screens, ${barriers.length} barriers`)
  if (barriers.length > 0) process.exitCode = 1
} finally {
  await browser.close()
  await Promise.all([product.end('SIGTERM'), source.stop(), authority.stop()])
  rmSync(folder, { recursive: true, force: true })
}
