import type { Kysely } from 'kysely'
import { byDefault, createIndexes, idColumn, ownedBy, required } from '../src/db/columns.ts'

/** Alarms: the rules, what they have raised, what is muted, and the channels that are told. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createAlarmRule(db)
  await createAlarm(db)
  await createAlarmMute(db)
  await createAlarmChannel(db)
}

async function createAlarmRule(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('alarm_rule')
    .addColumn('id', ...idColumn(db))
    .addColumn('name', 'text', required)
    .addColumn('kind', 'text', required)
    .addColumn('is_on', 'integer', required)
    // JSON: limits, where, calendar, channels.
    .addColumn('settings', 'text', required)
    // The first check since it was switched on; what was before is no alarm.
    .addColumn('on_since', 'text')
    .addColumn('version', 'integer', byDefault(1))
    .execute()
  for (const [kind, name, is_on, limits] of rules)
    await db
      .insertInto('alarm_rule' as never)
      .values({ kind, name, is_on, settings: JSON.stringify({ limits }) })
      .execute()
}

/** The rules that every installation begins with. */
const rules = [
  ['unknown', 'Outcome unknown', 1, {}],
  ['pending', 'Decision pending for long', 1, {}],
  ['lane_outage', 'Authority does not answer', 1, { minutes: 15 }],
  ['lane_depth', 'Lane too full', 1, { runs: 10_000 }],
  ['deadline', 'Deadline near', 1, { minutes: 60 }],
  ['rejected', 'Document rejected', 1, {}],
  ['sign_in', 'Sign-in refused', 1, {}],
  ['expiry', 'Certificate or token expires', 1, { days: 30 }],
  ['silence', 'No accepted run', 0, { hours: 8 }],
  ['error_rate', 'Many errors at the gateway', 1, { percent: 20, minutes: 5, requests: 50 }],
  ['drift', 'Procedure changed', 1, {}],
  ['disk', 'Disk nearly full', 1, { percent: 10 }],
  ['backup', 'Backup too old', 0, { hours: 26 }],
  ['check', 'Alarms not checked', 1, { minutes: 5 }],
  ['schedule', 'Schedule did not work', 1, { minutes: 10 }],
  ['dead_letter', 'Deliveries given up', 1, {}],
  ['breaker', 'Circuit breaker open', 1, { minutes: 5 }],
  ['archive', 'Archive stopped', 1, {}],
  ['held', 'Held after a restore', 1, {}],
  ['server_stops', 'Server keeps stopping', 1, { times: 3, minutes: 10 }],
] as const

async function createAlarm(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('alarm')
    .addColumn('id', ...idColumn(db))
    .addColumn('rule_id', 'integer', required)
    .addColumn('rule_name', 'text', required)
    .addColumn('kind', 'text', required)
    // What it is about: `run:12`.
    .addColumn('subject', 'text', required)
    // How severe, where that grows: the days until a certificate expires.
    .addColumn('level', 'text', byDefault(''))
    .addColumn('title', 'text', required)
    .addColumn('path', 'text', required)
    .addColumn('since', 'text', required)
    .addColumn('raised_at', 'text', required)
    .addColumn('told_at', 'text')
    .addColumn('escalated_at', 'text')
    .addColumn('acknowledged_at', 'text')
    .addColumn('acknowledged_by', 'text')
    .addColumn('note', 'text', byDefault(''))
    .addColumn('ended_at', 'text')
    .execute()
  // The same thing has one alarm at a time.
  await createIndexes(db, 'alarm', {
    alarm_open: { columns: ['rule_id', 'subject'], where: 'ended_at is null', isUnique: true },
    alarm_by_kind: ['kind', 'id'],
  })
}

async function createAlarmMute(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('alarm_mute')
    .addColumn('rule_id', 'integer', ownedBy('alarm_rule.id'))
    // Blank: everything of the rule.
    .addColumn('subject', 'text', required)
    .addColumn('until', 'text', required)
    .addPrimaryKeyConstraint('alarm_mute_pk', ['rule_id', 'subject'])
    .execute()
}

async function createAlarmChannel(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('alarm_channel')
    .addColumn('id', ...idColumn(db))
    .addColumn('name', 'text', required)
    // e-mail or webhook.
    .addColumn('kind', 'text', required)
    .addColumn('is_on', 'integer', required)
    // 1: it is also told when an alarm is over.
    .addColumn('tells_end', 'integer', required)
    // More news than this in one check are one message.
    .addColumn('digest_above', 'integer', required)
    // JSON, without secrets.
    .addColumn('settings', 'text', required)
    .addColumn('secret_encrypted', 'text')
    .addColumn('version', 'integer', byDefault(1))
    .execute()
}
