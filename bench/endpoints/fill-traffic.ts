import { connect, type DatabaseSource } from '../../apps/server/src/db/connect.ts'
import {
  allEndpoints,
  allOfApi,
  type TrafficTableName,
} from '../../apps/server/src/features/traffic/traffic-store.ts'

const minuteMs = 60_000
const rowsAtOnce = 500
const busy = 500

const spans: readonly (readonly [TrafficTableName, stepMs: number, count: number])[] = [
  ['traffic_minute', minuteMs, 120],
  ['traffic_hour', 60 * minuteMs, 8 * 24],
  ['traffic_day', 24 * 60 * minuteMs, 9],
]

/** What 500 endpoints of the first API did: two hours by the minute, eight days by the hour. No product may run. */
export async function fillTraffic(source: DatabaseSource): Promise<void> {
  const db = connect(source)
  try {
    const endpoints = await db.selectFrom('endpoint').select('id').limit(busy).execute()
    const ids = [allEndpoints, allOfApi(1), ...endpoints.map(({ id }) => id)]
    for (const [table, stepMs, count] of spans) {
      const last = Math.floor(Date.now() / stepMs) * stepMs
      for (let back = 0; back < count; back++) {
        const at = new Date(last - back * stepMs).toISOString()
        const rows = ids.map((endpoint_id) => ({
          at,
          endpoint_id,
          requests: 100 + ((endpoint_id * 7 + back) % 50),
          errors: (endpoint_id + back) % 3,
          b04: 60,
          b05: 40,
        }))
        for (let from = 0; from < rows.length; from += rowsAtOnce)
          await db
            .insertInto(table as 'traffic_minute')
            .values(rows.slice(from, from + rowsAtOnce) as never)
            .execute()
      }
    }
  } finally {
    await db.destroy()
  }
}
