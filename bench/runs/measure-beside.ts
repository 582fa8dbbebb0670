import { median, quantile, rounded } from './figures.ts'
import { openTimedClient, type TimedClient } from './timed-client.ts'

const rounds = 4
const callsPerRound = 250

const searches = [
  '/api/runs?search=clerk&kind=tax',
  '/api/documents?search=inv-',
  '/api/audit?search=clerk',
  '/api/audit?search=thing+77&action=api.update',
  '/api/runs?page=900',
]

/** How long a cheap call takes alone and while others search without a pause, in turns. */
export async function measureBeside(url: string) {
  const client = await openTimedClient(url, 1)
  const searcher = await openTimedClient(url, 2)
  const times: Record<'alone' | 'beside', number[]> = { alone: [], beside: [] }
  try {
    for (let round = 0; round < rounds; round++) {
      times.alone.push(...(await timesOf(client)))
      const search = searchOn(searcher, 2)
      times.beside.push(...(await timesOf(client)))
      await search.stop()
    }
  } finally {
    client.close()
    searcher.close()
  }
  return Object.entries(times).map(([when, all]) => ({
    when,
    'half, ms': rounded(median(all)),
    '90 %, ms': rounded(quantile(all, 0.9)),
    '99 %, ms': rounded(quantile(all, 0.99)),
  }))
}

async function timesOf(client: TimedClient): Promise<number[]> {
  const times: number[] = []
  for (let call = 0; call < callsPerRound; call++) times.push((await client.get('/api/auth')).ms)
  return times
}

function searchOn(client: TimedClient, callers: number) {
  let isStopped = false
  const loops = Array.from({ length: callers }, async (_, caller) => {
    for (let call = caller; !isStopped; call++)
      await client.get(searches[call % searches.length] ?? '')
  })
  return {
    stop: async () => {
      isStopped = true
      await Promise.all(loops)
    },
  }
}
