import type { Kysely } from 'kysely'

/** Rules for circuit breakers that stay open, and for rounds of the archive that stop. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const rules = [
    ['breaker', 'Circuit breaker open', { minutes: 5 }],
    ['archive', 'Archive stopped', {}],
  ] as const
  for (const [kind, name, limits] of rules)
    await db
      .insertInto('alarm_rule' as never)
      .values({ kind, name, is_on: 1, settings: JSON.stringify({ limits }) })
      .execute()
}
