import type { Browser } from 'playwright-core'
import { openBrowser } from '../open-browser.ts'

let opened: Promise<Browser> | undefined

/** Its pages live for seconds: they never earn what the compilers cost that optimise. */
const open = () => openBrowser(['--js-flags=--no-opt --no-maglev'])

/** The one browser of all journeys that run in this process, one after the other. */
export async function sharedBrowser(): Promise<Browser> {
  const browser = await (opened ??= open())
  if (browser.isConnected()) return browser
  // A journey has ended it.
  opened = open()
  return opened
}
