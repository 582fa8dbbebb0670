import { sql, type Kysely } from 'kysely'
import { idColumn } from '../src/db/columns.ts'
import { allowLongStatements } from '../src/db/dialect.ts'

/** Alarms: the rules, what they have raised, what is muted, and the channels that are told. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createRules(db)
  await createAlarms(db)
  await createChannels(db)
  await allowLongStatements(db)
  await createSourceIndexes(db)
  // A lane that has paused itself is an alarm.
  await db.schema.alterTable('lane').dropColumn('is_alarmed').execute()
}

async function createRules(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('alarm_rule')
    .addColumn('id', ...idColumn(db))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('is_on', 'integer', (column) => column.notNull())
    // JSON: limits, where, calendar, channels.
    .addColumn('settings', 'text', (column) => column.notNull())
    // The first check since it was switched on; what was before is no alarm.
    .addColumn('on_since', 'text')
    .addColumn('version', 'integer', (column) => column.notNull().defaultTo(1))
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
] as const

async function createAlarms(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('alarm')
    .addColumn('id', ...idColumn(db))
    .addColumn('rule_id', 'integer', (column) => column.notNull())
    .addColumn('rule_name', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    // What it is about: `run:12`.
    .addColumn('subject', 'text', (column) => column.notNull())
    // How severe, where that grows: the days until a certificate expires.
    .addColumn('level', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('path', 'text', (column) => column.notNull())
    .addColumn('since', 'text', (column) => column.notNull())
    .addColumn('raised_at', 'text', (column) => column.notNull())
    .addColumn('told_at', 'text')
    .addColumn('escalated_at', 'text')
    .addColumn('acknowledged_at', 'text')
    .addColumn('acknowledged_by', 'text')
    .addColumn('note', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('ended_at', 'text')
    .execute()
  // The same thing has one alarm at a time.
  await db.schema
    .createIndex('alarm_open')
    .unique()
    .on('alarm')
    .columns(['rule_id', 'subject'])
    .where(sql.ref('ended_at'), 'is', null)
    .execute()
  await db.schema.createIndex('alarm_by_kind').on('alarm').columns(['kind', 'id']).execute()
  await db.schema
    .createTable('alarm_mute')
    .addColumn('rule_id', 'integer', (column) =>
      column.notNull().references('alarm_rule.id').onDelete('cascade'),
    )
    // Blank: everything of the rule.
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('until', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('alarm_mute_pk', ['rule_id', 'subject'])
    .execute()
}

async function createChannels(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('alarm_channel')
    .addColumn('id', ...idColumn(db))
    .addColumn('name', 'text', (column) => column.notNull())
    // e-mail or webhook.
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('is_on', 'integer', (column) => column.notNull())
    // 1: it is also told when an alarm is over.
    .addColumn('tells_end', 'integer', (column) => column.notNull())
    // More news than this in one check are one message.
    .addColumn('digest_above', 'integer', (column) => column.notNull())
    // JSON, without secrets.
    .addColumn('settings', 'text', (column) => column.notNull())
    .addColumn('secret_encrypted', 'text')
    .addColumn('version', 'integer', (column) => column.notNull().defaultTo(1))
    .execute()
}

/** What the rules look for, without reading the millions of runs that are as they should be. */
async function createSourceIndexes(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('run_unknown')
    .on('run')
    .columns(['unknown_since', 'id'])
    .where(sql.ref('state'), '=', sql.lit('unknown'))
    .execute()
  await db.schema
    .createIndex('run_refused')
    .on('run')
    .columns(['finished_at', 'id'])
    .where(
      sql<boolean>`state in ('rejected', 'partial') and overtaken_by is null and closed_at is null`,
    )
    .execute()
  await db.schema
    .createIndex('pending_step_since')
    .on('pending_step')
    .columns(['since', 'run_id'])
    .where(sql.ref('poll_id'), 'is not', null)
    .execute()
}
