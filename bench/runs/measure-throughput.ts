import { bundleOf } from './bench-upstream.ts'
import { median, quantile, rounded } from './figures.ts'
import { openTimedClient } from './timed-client.ts'

/** Runs of four steps from so many callers at once, each of whom sends the next when one is answered. */
export async function measureThroughput(
  url: string,
  endpoints: readonly number[],
  callers: number,
  seconds: number,
) {
  const client = await openTimedClient(url, callers)
  const times: number[] = []
  let number = 0
  const callUntil = async (end: number, kept: number[]) => {
    while (performance.now() < end) {
      const reference = `RATE-${callers}-${Date.now()}-${++number}`
      kept.push((await client.post('/api/tax', bundleOf(endpoints, reference))).ms)
    }
  }
  const all = (end: number, kept: number[]) =>
    Promise.all(Array.from({ length: callers }, () => callUntil(end, kept)))
  try {
    await all(performance.now() + 1_000, [])
    const began = performance.now()
    await all(began + seconds * 1000, times)
    const perSecond = times.length / ((performance.now() - began) / 1000)
    return {
      'callers at once': callers,
      'runs a second': rounded(perSecond),
      'steps a second': rounded(perSecond * endpoints.length),
      'ms a run, half': rounded(median(times)),
      'ms a run, 99 %': rounded(quantile(times, 0.99)),
    }
  } finally {
    client.close()
  }
}
