import type { Browser, Page } from 'playwright-core'
import { newPage, signInByCall } from '../open-browser.ts'

/** How much slower than this machine, and on which line; undefined: as fast as it is. */
export interface Slowness {
  cpu: number
  line?: { latencyMs: number; downKbits: number; upKbits: number }
}

/** A phone of the middle class on a line of 3G, as Lighthouse has it. */
export const slowPhone: Slowness = {
  cpu: 4,
  line: { latencyMs: 150, downKbits: 1600, upKbits: 750 },
}

export interface SpeedRow {
  what: string
  'median, ms': number
  'most, ms': number
  'goal, ms': number
}

/** On a busy machine a slow page is slower yet; how slow it is, is what is measured. */
const pageMaxMs = 60_000

/** A page in a browser that has loaded nothing yet. */
export async function openSlowPage(
  browser: Browser,
  url: string,
  { slowness, isSignedIn }: { slowness: Slowness; isSignedIn: boolean },
): Promise<Page> {
  const { page } = await newPage(browser, url)
  page.setDefaultTimeout(pageMaxMs)
  if (isSignedIn) await signInByCall(page)
  await page.goto('about:blank')
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.clearBrowserCache')
  const { cpu, line } = slowness
  if (line)
    await devtools.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: line.latencyMs,
      downloadThroughput: (line.downKbits * 1000) / 8,
      uploadThroughput: (line.upKbits * 1000) / 8,
    })
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: cpu })
  return page
}

export function rowOf(what: string, times: number[], goal: number): SpeedRow {
  const sorted = times.toSorted((a, b) => a - b)
  return {
    what,
    'median, ms': Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0),
    'most, ms': Math.round(sorted.at(-1) ?? 0),
    'goal, ms': goal,
  }
}
