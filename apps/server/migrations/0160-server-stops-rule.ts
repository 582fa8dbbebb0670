import type { Kysely } from 'kysely'

/** A rule for servers whose parts end again and again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db
    .insertInto('alarm_rule' as never)
    .values({
      kind: 'server_stops',
      name: 'Server keeps stopping',
      is_on: 1,
      settings: JSON.stringify({ limits: { times: 3, minutes: 10 } }),
    })
    .execute()
}
