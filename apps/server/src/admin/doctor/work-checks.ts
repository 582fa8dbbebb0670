import { nodeState, type AlarmKind } from '@gatehouse/contract'
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { failed, ok, warning, type Check, type Finding } from '../checks.ts'
import { sinceOf } from './database-checks.ts'

const [silentMs, goneMs, dayMs] = [30_000, 24 * 3_600_000, 24 * 3_600_000]
const skewMaxMs = 2_000
const lowShare = 0.1
const shownMax = 5
/** What nobody should learn of by chance. */
const neededKinds = new Set<AlarmKind>([
  'unknown',
  'held',
  'deadline',
  'expiry',
  'disk',
  'server_stops',
])

/** What waits for a person, and what would not reach one. */
export const workChecks: Record<string, Check> = {
  servers: async (_settings, db) => serversFinding(db),
  held: async (_settings, db) => {
    const hold = await db
      .selectFrom('installation_hold')
      .select('held_since')
      .where('released_at', 'is', null)
      .executeTakeFirst()
    return hold
      ? failed(`since ${hold.held_since} nothing is sent`)
      : ok('the installation is not held')
  },
  lanes: async (_settings, db) => {
    const paused = await db
      .selectFrom('lane')
      .select(['name', 'paused_at', 'pause_reason'])
      .where('is_paused', '=', 1)
      .execute()
    const words = paused.map(({ name, paused_at, pause_reason }) =>
      [name, paused_at && `since ${paused_at}`, pause_reason].filter(Boolean).join(' '),
    )
    return some(words, 'paused', 'none is paused')
  },
  outages: async (_settings, db) => {
    const lanes = await db
      .selectFrom('lane')
      .select(['name', 'outage_since'])
      .where('outage_since', 'is not', null)
      .execute()
    const words = lanes.map(({ name, outage_since }) => `${name} since ${outage_since}`)
    return some(words, 'authorities that do not answer', 'each authority answers')
  },
  unknown: async (_settings, db) => {
    const runs = await countOf(db, sql`run where state = 'unknown'`)
    return runs > 0 ? warning(`${runs} runs have an unknown outcome`) : ok('each outcome is known')
  },
  alarms: async (_settings, db) => {
    const open = await db
      .selectFrom('alarm')
      .select('title')
      .where('ended_at', 'is', null)
      .where('acknowledged_at', 'is', null)
      .where('raised_at', '<', sinceOf(dayMs))
      .execute()
    return some(
      open.map(({ title }) => title),
      'open for more than a day, and acknowledged by nobody',
      'none waits for a person',
    )
  },
  channels: async (_settings, db) => {
    const channels = await countOf(db, sql`alarm_channel where is_on = 1`)
    return channels > 0
      ? ok(`alarms are told to ${channels}`)
      : warning('alarms reach nobody: no channel is on')
  },
  rules: async (_settings, db) => {
    const rules = await db
      .selectFrom('alarm_rule')
      .select(['name', 'kind', 'is_on', 'settings'])
      .execute()
    const off = rules
      .filter(({ is_on, kind }) => is_on === 0 && neededKinds.has(kind))
      .map(({ name }) => `${name} (off)`)
    const untold = rules
      .filter(({ is_on, settings }) => is_on === 1 && isUntold(settings))
      .map(({ name }) => `${name} (no channel)`)
    return some(
      [...untold, ...off],
      'tell nobody',
      'those that matter are on, and each has channels',
    )
  },
  expiry: async (_settings, db) => {
    const ending = await db
      .selectFrom('alarm')
      .select('title')
      .where('kind', '=', 'expiry')
      .where('ended_at', 'is', null)
      .execute()
    return some(
      ending.map(({ title }) => title),
      'end soon',
      'no certificate, token or key ends soon',
    )
  },
  deliveries: async (_settings, db) => {
    const dead = await countOf(db, sql`delivery where state = 'dead'`)
    return dead > 0 ? warning(`${dead} were given up`) : ok('none was given up')
  },
  retention: async (_settings, db) => {
    const days = await db
      .selectFrom('archive_setting')
      .select(['test_days', 'read_days', 'submit_days'])
      .executeTakeFirst()
    const kept = Object.entries(days ?? {}).filter(([, each]) => each !== null)
    return kept.length > 0
      ? ok(kept.map(([name, each]) => `${name.replace('_days', '')} ${each} days`).join(', '))
      : warning('bodies and answers stay for ever')
  },
  archive: async (_settings, db) => {
    const round = await db
      .selectFrom('archive_round')
      .select(['problem', 'problem_text', 'problem_at'])
      .executeTakeFirst()
    return round?.problem
      ? warning(`since ${round.problem_at}: ${round.problem_text ?? round.problem}`)
      : ok('its last round met no problem')
  },
}

async function serversFinding(db: Db): Promise<Finding> {
  const rows = await db
    .selectFrom('node')
    .select(['name', 'version', 'seen_at', 'state'])
    .where('stopped_at', 'is', null)
    .where('seen_at', '>', sinceOf(goneMs))
    .orderBy('name')
    .execute()
  const alive = rows.filter(({ seen_at }) => seen_at > sinceOf(silentMs))
  const versions = new Set(alive.map(({ version }) => version))
  const words = [
    ...rows.filter((row) => !alive.includes(row)).map(({ name }) => `${name} is silent`),
    ...(versions.size > 1 ? [`they are of different versions (${[...versions].join(', ')})`] : []),
    ...alive.flatMap(({ name, state }) => troublesOf(state).map((each) => `${name} ${each}`)),
  ]
  return words.length > 0 ? warning(words.join('; ')) : ok(`${alive.length} run`)
}

/** What a server says of itself that is not in order. */
function troublesOf(text: string | null): string[] {
  const state = nodeState.safeParse(text === null ? null : JSON.parse(text)).data
  if (!state) return []
  const { clock, disk, refusal, ends, isolated_apis } = state
  return [
    clock && Math.abs(clock.offset_ms) > skewMaxMs
      ? `has a clock that is ${clock.offset_ms} ms off`
      : '',
    disk && disk.free_bytes < disk.total_bytes * lowShare ? 'has little room on its disk' : '',
    refusal ? `does not run on the stored configuration (${refusal.reason})` : '',
    isolated_apis > 0 ? `can’t read ${isolated_apis} APIs` : '',
    ends.length > 2 ? `had ${ends.length} ends of its parts, the last: ${ends.at(-1)?.reason}` : '',
  ].filter(Boolean)
}

function isUntold(settings: string): boolean {
  const { channels } = JSON.parse(settings) as { channels?: { is_all?: boolean; ids?: number[] } }
  return channels !== undefined && channels.is_all === false && (channels.ids ?? []).length === 0
}

function some(words: readonly string[], what: string, none: string): Finding {
  if (words.length === 0) return ok(none)
  const more = words.length > shownMax ? ` and ${words.length - shownMax} more` : ''
  return warning(`${what}: ${words.slice(0, shownMax).join('; ')}${more}`)
}

async function countOf(db: Db, rows: RawBuilder<unknown>): Promise<number> {
  const { rows: found } = await sql<{
    count: number
  }>`select count(*) as count from ${rows}`.execute(db)
  return found[0]?.count ?? 0
}
