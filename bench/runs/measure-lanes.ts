import { connect, type DatabaseSource, type Db } from '../../apps/server/src/db/connect.ts'
import { migrate } from '../../apps/server/src/db/migrate.ts'
import { seed } from '../../apps/server/src/db/seed.ts'
import { claimRuns } from '../../apps/server/src/features/lanes/claim-runs.ts'
import { systemClock } from '../../apps/server/src/kernel/clock.ts'
import { createStores, inTransactionOn } from '../../apps/server/src/stores.ts'
import { median, quantile, rounded } from './figures.ts'

const claims = 300
const batch = 500

/** Milliseconds of a claim of one run, of the figures of all lanes and of a look for work, in lanes with so many queued runs. */
export async function measureLanes(source: DatabaseSource, queued: number) {
  const db = connect(source)
  try {
    await migrate(db)
    await seed(db, new Date())
    const table = []
    for (const [lane, isStrict] of [
      ['without order', false],
      ['strict order, 1,000 keys', true],
    ] as const) {
      const laneId = await fillLane(db, lane, queued, isStrict)
      table.push({ lane, queued, ...(await measureClaims(db, laneId)) })
    }
    return table
  } finally {
    await db.destroy()
  }
}

async function fillLane(db: Db, name: string, queued: number, isStrict: boolean): Promise<number> {
  const now = new Date().toISOString()
  const { id: lane_id } = await db
    .insertInto('lane')
    .values({ name, concurrency: 64, is_strict_order: isStrict ? 1 : 0 })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (let first = 0; first < queued; first += batch) {
    const numbers = Array.from({ length: Math.min(batch, queued - first) }, (_, at) => first + at)
    await db.transaction().execute(async (transaction) => {
      const ids = await transaction
        .insertInto('run')
        .values(
          numbers.map(() => ({
            kind: 'general' as const,
            state: 'queued' as const,
            is_test: 0 as const,
            user_id: 1,
            user_name: 'bench',
            request_id: 'bench',
            created_at: now,
          })),
        )
        .returning('id')
        .execute()
      await transaction
        .insertInto('lane_entry')
        .values(
          ids.map(({ id }, index) => ({
            run_id: id,
            lane_id,
            priority: 1,
            state: 'queued' as const,
            order_key: isStrict ? `key-${(first + index) % 1000}` : null,
            is_first: !isStrict || first + index < 1000 ? (1 as const) : (0 as const),
            queued_at: now,
            deadline_at: '2999-01-01T00:00:00.000Z',
          })),
        )
        .execute()
    })
  }
  return lane_id
}

async function measureClaims(db: Db, laneId: number) {
  const inTransaction = inTransactionOn(db, systemClock)
  const stores = createStores(db, systemClock)
  const timed = async (work: () => Promise<unknown>) => {
    const from = performance.now()
    await work()
    return performance.now() - from
  }
  const claim = () =>
    inTransaction((within) =>
      claimRuns(within, {
        laneId,
        lease: { owner: 'bench', until: new Date().toISOString() },
        now: new Date().toISOString(),
        count: () => Promise.reject(new Error('The lane has no limits.')),
      }),
    )
  const times: number[] = []
  const commits: number[] = []
  for (let at = 0; at < claims; at++) {
    // Another run ends for each that begins.
    await db
      .deleteFrom('lane_entry')
      .where('lane_id', '=', laneId)
      .where('state', '=', 'running')
      .execute()
    await db.updateTable('lane').set({ concurrency: 1 }).where('id', '=', laneId).execute()
    times.push(await timed(claim))
    commits.push(
      await timed(() =>
        inTransaction(({ lanes }) => lanes.update(laneId, { pause_reason: `${at}` })),
      ),
    )
  }
  const looks: number[] = []
  const figures: number[] = []
  for (let at = 0; at < 20; at++) {
    looks.push(await timed(() => stores.lanes.listWithQueued()))
    figures.push(await timed(() => stores.lanes.listFigures({ since: new Date().toISOString() })))
  }
  return {
    'claim, p50 ms': rounded(median(times)),
    'claim, p95 ms': rounded(quantile(times, 0.95)),
    'a commit alone, p50 ms': rounded(median(commits)),
    'look, ms': rounded(median(looks)),
    'all figures, ms': rounded(median(figures)),
  }
}
