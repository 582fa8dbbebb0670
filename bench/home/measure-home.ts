import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { connect, type DatabaseSource } from '../../apps/server/src/db/connect.ts'
import { documentCountStore } from '../../apps/server/src/features/documents/document-count-store.ts'
import { median, quantile, rounded } from '../runs/figures.ts'
import { openTimedClient } from '../runs/timed-client.ts'

const callsPerView = 50

/** Waits until the server has counted what is over. Returns how long that took, in seconds. */
export async function countedAll(source: DatabaseSource): Promise<number> {
  const began = performance.now()
  const db = connect(source)
  try {
    const counts = documentCountStore(db)
    const line = new Date(Date.now() - 45 * 60_000).toISOString()
    for (;;) {
      const next = await counts.findUncounted(new Date(Date.now() - 15 * 86_400_000).toISOString())
      if (next === undefined || next > line) return Math.round((performance.now() - began) / 1000)
      await setTimeout(500)
    }
  } finally {
    await db.destroy()
  }
}

/** Changes so many of the newest documents, as a late answer does; the server has not added them to its counts. */
export async function changeDocuments(source: DatabaseSource, documents: number): Promise<void> {
  const db = connect(source)
  try {
    await sql`update document set updated_at = ${new Date().toISOString()},
      state = case state when 'accepted' then 'pending' else 'accepted' end
      where id > (select max(id) - ${documents} from document)`.execute(db)
  } finally {
    await db.destroy()
  }
}

const day = (daysAgo: number) =>
  new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)

const home = ['/api/home?zone=Asia/Kathmandu', '/api/home?zone=America/New_York']
const views: Record<string, readonly string[]> = {
  'nothing of it (GET /api/auth)': ['/api/auth'],
  home,
  'home: lanes': ['/api/lanes'],
  'home: traffic': ['/api/traffic?range=hour'],
  'home: sign-ins': ['/api/sign-ins'],
  'home: the latest changes': ['/api/audit?limit=100'],
  'documents: today, of an API and state': ['accepted', 'not_accepted', 'pending'].map(
    (state) => `/api/documents?api=1&state=${state}&test=0&from=${day(0)}&to=${day(0)}`,
  ),
  'documents: first, any and last page': [1, 517, 1000].map(
    (page) => `/api/documents?page=${page}`,
  ),
  'documents: by state': ['unknown', 'pending', 'not_accepted'].map(
    (state) => `/api/documents?state=${state}`,
  ),
  'documents: an API without any': ['/api/documents?api=999'],
  'history: first, any and last page': [1, 517, 1000].map((page) => `/api/runs?page=${page}`),
  'history: open work by state': ['unknown', 'rejected', 'blocked', 'stopped'].map(
    (state) => `/api/runs?state=${state}&work=open`,
  ),
  'history: open work': ['/api/runs?work=open', '/api/runs?work=open&page=1000'],
  'history: pending, queued': ['/api/runs?state=pending', '/api/runs?state=queued'],
  'history: a day': [3, 90, 300].map((days) => `/api/runs?from=${day(days)}&to=${day(days)}`),
  'history: a workflow': [1, 2, 3].map((id) => `/api/runs?workflow=${id}`),
  'history: a workflow and state': [1, 2, 3].map((id) => `/api/runs?workflow=${id}&state=rejected`),
  'batches of a workflow': ['/api/workflows/report-invoices/batches?limit=10'],
}

/** Views fifty times each, one call after the other; only home where a note says what is different. */
export async function measureViews(url: string, note?: string) {
  const client = await openTimedClient(url, 1)
  try {
    const rows = []
    for (const [view, paths] of note ? [[`home, ${note}`, home] as const] : Object.entries(views)) {
      const times: number[] = []
      for (const path of paths) await client.get(path)
      for (let call = 0; call < callsPerView; call++)
        times.push((await client.get(paths[call % paths.length] ?? '')).ms)
      const [p50, p90] = [median(times), quantile(times, 0.9)]
      rows.push({ view, 'p50, ms': rounded(p50), 'p90, ms': rounded(p90) })
    }
    return rows
  } finally {
    client.close()
  }
}
