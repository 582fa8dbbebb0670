import type { BrowserContext, Page, Route } from 'playwright-core'
import { waitMaxMs } from '../../scripts/tests/wait-max.mjs'

/**
 * `GATEHOUSE_TEST_SLOW`, a number: journeys run as on a slow machine. Which answer is earlier and which later
 * differs with the number. Undefined: as fast as this machine is.
 */
const seed = process.env.GATEHOUSE_TEST_SLOW
export const isSlow = seed !== undefined

/** How many times longer a browser computes. */
const cpuRate = 6
const answerMaxMs = 1500
const fileMaxMs = 600

/** Slows a new page down: its scripts, its files, and each answer by another time. */
export async function slowDown(context: BrowserContext, page: Page): Promise<void> {
  if (seed === undefined) return
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: cpuRate })
  const counts = new Map<string, number>()
  await context.route('**/*', async (route) => {
    const request = route.request()
    const { pathname } = new URL(request.url())
    const key = `${seed} ${request.method()} ${pathname}`
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    const share = shareOf(`${key} ${count}`)
    if (pathname.startsWith('/api/')) await delayAnswer(route, share)
    else await delayRequest(route, share * fileMaxMs)
  })
}

/** Half of them reach the server late; of the others what the server said is late. */
async function delayAnswer(route: Route, share: number): Promise<void> {
  const ms = share * answerMaxMs
  const isStream = route.request().headers()['accept']?.includes('text/event-stream') === true
  if (isStream || Math.round(ms) % 2 === 0) return delayRequest(route, ms)
  try {
    const response = await route.fetch({ maxRedirects: 0, timeout: waitMaxMs })
    await pause(ms)
    await route.fulfill({ response })
  } catch {
    // The page has given the request up, or is gone.
    await route.abort().catch(() => undefined)
  }
}

async function delayRequest(route: Route, ms: number): Promise<void> {
  await pause(ms)
  await route.continue().catch(() => undefined)
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** From 0 to 1, always the same for a text (FNV-1a, mixed once more). */
function shareOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0
  return ((hash ^ (hash >>> 12)) >>> 0) / 2 ** 32
}
