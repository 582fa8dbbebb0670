import type { Kysely } from 'kysely'

/** Rules for schedules and for deliveries that were given up. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const limits = { schedule: { minutes: 10 }, dead_letter: {} }
  const names = { schedule: 'Schedule did not work', dead_letter: 'Deliveries given up' }
  for (const kind of ['schedule', 'dead_letter'] as const)
    await db
      .insertInto('alarm_rule' as never)
      .values({
        kind,
        name: names[kind],
        is_on: 1,
        settings: JSON.stringify({ limits: limits[kind] }),
      })
      .execute()
}
