import { gatewayClientId, permissions, seedRoles } from '@gatehouse/contract'
import { sql } from 'kysely'
import type { Db } from './connect.ts'
import { isPostgres } from './dialect.ts'

/**
 * Brings the permission catalogue up to date and, in a new database, adds the roles and the gateway
 * client that every installation starts with. Doing it again changes nothing.
 */
export async function seed(db: Db, now: Date): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    // Servers that start together on one PostgreSQL take turns; SQLite has one process only.
    if (isPostgres(transaction))
      await sql`lock table role in share row exclusive mode`.execute(transaction)
    await transaction
      .insertInto('permission')
      .values(permissions.map((name) => ({ name })))
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute()
    const existing = await transaction.selectFrom('role').select('id').limit(1).executeTakeFirst()
    if (existing) return
    for (const [name, granted] of Object.entries(seedRoles))
      await insertRole(transaction, name, granted)
    await insertGatewayClient(transaction, now)
  })
}

async function insertRole(db: Db, name: string, granted: readonly string[]): Promise<void> {
  const role = await db
    .insertInto('role')
    .values({ name, name_key: name.toLowerCase() })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (granted.length === 0) return
  await db
    .insertInto('role_permission')
    .columns(['role_id', 'permission_id'])
    .expression((select) =>
      select
        .selectFrom('permission')
        .select([sql.lit(role.id).as('role_id'), 'id as permission_id'])
        .where('name', 'in', granted),
    )
    .execute()
}

/** The account that the token screen names (spec: limits): it cannot sign in and only calls the gateway. */
async function insertGatewayClient(db: Db, now: Date): Promise<void> {
  await db
    .insertInto('user')
    .values({
      id: gatewayClientId,
      name: 'Gateway client',
      email: 'gateway-client@localhost',
      email_key: 'gateway-client@localhost',
      username: 'gateway-client',
      username_key: 'gateway-client',
      password_hash: null,
      created_at: now.toISOString(),
      updated_at: now.toISOString(),
    })
    .execute()
  await db
    .insertInto('user_role')
    .columns(['user_id', 'role_id'])
    .expression((select) =>
      select
        .selectFrom('role')
        .select([sql.lit(gatewayClientId).as('user_id'), 'id as role_id'])
        .where('name', '=', 'API Consumer'),
    )
    .execute()
  // The next account is number 5 on both databases; SQLite continues from the highest id.
  if (isPostgres(db))
    await sql`select setval(pg_get_serial_sequence('"user"', 'id'), ${gatewayClientId})`.execute(db)
}
