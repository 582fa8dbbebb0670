import { sql, type Kysely } from 'kysely'

/** A rule about tokens that have used most of their requests of a month. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`insert into alarm_rule (kind, name, is_on, settings)
    values ('quota', 'Quota nearly used up', 1, '{"limits":{"percent":80}}')`.execute(db)
}
