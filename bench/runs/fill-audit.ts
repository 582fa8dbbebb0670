import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { connect, type DatabaseSource } from '../../apps/server/src/db/connect.ts'
import type { NewRow } from '../../apps/server/src/db/tables.ts'
import { days, dice, firstDay, userNames } from './planned-run.ts'

/** So many events go into one statement. */
const batch = 500

/** Puts so many events of one administrator a minute into the audit trail, oldest first. */
export async function fillAudit(source: DatabaseSource, events: number): Promise<void> {
  const db = connect(source)
  try {
    for (let first = 0; first < events; first += batch) {
      const numbers = Array.from({ length: Math.min(batch, events - first) }, (_, at) => first + at)
      await db
        .insertInto('audit_event')
        .values(numbers.map((number) => auditEvent(number, events)))
        .execute()
    }
    if (source.kind === 'postgres') await sql`vacuum analyze audit_event`.execute(db)
  } finally {
    await db.destroy()
  }
}

const auditActions = ['session.login', 'api.update', 'endpoint.update', 'user.create'] as const

function auditEvent(number: number, events: number): NewRow<'audit_event'> {
  const action = auditActions[dice(number, 10, auditActions.length)] ?? 'session.login'
  return {
    at: new Date(firstDay + Math.floor((number / events) * days * 86_400_000)).toISOString(),
    actor_id: 1,
    actor: userNames[dice(number, 11, userNames.length)] ?? '',
    address: `10.0.${dice(number, 12, 256)}.${dice(number, 13, 256)}`,
    request_id: randomUUID(),
    action,
    outcome: 'done',
    thing: 'api',
    thing_id: 1 + dice(number, 14, 500),
    thing_name: `Thing ${dice(number, 14, 500)}`,
    before: null,
    after: `{"name":"Thing ${number}","status":"active"}`,
  }
}
