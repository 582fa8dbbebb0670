import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'

/** What text of other users did to a page. */
interface PageFindings {
  /** Set by the text itself, had it run. */
  ran: unknown
  /** What the Content-Security-Policy had to stop. */
  violations: string[]
  /** Elements that the text made. */
  built: string[]
  /** Texts that reverse the text beside them. */
  astray: string[]
}

/** Keeps what the policy stops, from the first line of each page on. */
const keepStopped = `globalThis.stopped = []
document.addEventListener('securitypolicyviolation', (event) =>
  globalThis.stopped.push(event.violatedDirective + ' ' + event.blockedURI))`

const watched = new WeakMap<Page, { dialogs: string[] }>()

/** From now on the page, which is loaded again, keeps what its policy stops, and every dialog is noted. */
export async function watchPage(page: Page): Promise<{ dialogs: string[] }> {
  const known = watched.get(page)
  if (known) return known
  const watch = { dialogs: [] as string[] }
  watched.set(page, watch)
  page.on('dialog', (dialog) => {
    watch.dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  await page.addInitScript(keepStopped)
  await page.reload()
  return watch
}

/** Runs in the page itself. */
const readScript = readFileSync(new URL('../../fixtures/read-page.js', import.meta.url), 'utf8')

export const readPage = (page: Page) => page.evaluate<PageFindings>(readScript)
