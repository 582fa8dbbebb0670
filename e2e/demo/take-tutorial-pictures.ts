import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { newPage, openBrowser, signInByCall } from '../harness/open-browser.ts'
import { startDemo } from './start-demo.ts'
import { runTutorialCommand, tutorialCommands } from './tutorial-page.ts'
import { settleLostInvoice, walkTutorial, type Look } from './walk-tutorial.ts'

// `npm run screenshots -- --tutorial`: the pictures of docs/tutorial.md, taken while it is followed.

const folder = fileURLToPath(new URL('../../docs/images/tutorial/', import.meta.url))
mkdirSync(folder, { recursive: true })

const [demo, browser] = await Promise.all([
  startDemo({ dashboard: 0, gateway: 0, authority: 0, erp: 0 }),
  openBrowser(),
])
try {
  const { authorityUrl, product } = demo
  const { page } = await newPage(browser, product.url)
  const look: Look = async (name, seen) => {
    await page.evaluate('document.fonts.ready')
    await seen?.evaluate((element) => element.scrollIntoView({ block: 'center' }))
    await page.mouse.move(0, 0)
    const path = `${folder}${name}.png`
    await page.screenshot({ path, animations: 'disabled', style: '.Toastify { display: none }' })
    console.log(`docs/images/tutorial/${name}.png`)
  }
  await signInByCall(page, '/dashboard')
  const token = await walkTutorial(page, authorityUrl, look)
  for (const command of tutorialCommands)
    await runTutorialCommand(command, { dashboardUrl: product.url, authorityUrl, token })
  await settleLostInvoice(page, look)
} finally {
  await browser.close()
  await demo.stop()
}
