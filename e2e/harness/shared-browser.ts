import type { Browser } from 'playwright-core'
import { openBrowser } from './open-browser.ts'

let opened: Promise<Browser> | undefined

/** The one browser of all journeys that run in this process, one after the other. */
export async function sharedBrowser(): Promise<Browser> {
  const browser = await (opened ??= openBrowser())
  if (browser.isConnected()) return browser
  // A journey has ended it.
  opened = openBrowser()
  return opened
}
