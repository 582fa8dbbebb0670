import { sql } from 'kysely'
import type { Db } from '../db/connect.ts'
import { isPostgres } from '../db/dialect.ts'
import { giveRightsAgain, RoleRefused } from '../db/gateway-role.ts'

/**
 * Gives accounts of gateways their rights in a database that was just filled: PostgreSQL keeps accounts beside
 * databases, and rights in them. Calls `note` for those that can't have them.
 */
export async function giveGatewayRights(db: Db, note: (line: string) => void): Promise<void> {
  // A backup may be older than these accounts.
  if (!isPostgres(db) || !(await hasAccounts(db))) return
  for (const { name } of await db.selectFrom('gateway_account').select('name').execute())
    try {
      const isThere = await db.transaction().execute((one) => giveRightsAgain(one, name))
      if (!isThere) note(`PostgreSQL has no account ${name}: make one for the gateways again.`)
    } catch (error) {
      if (!(error instanceof RoleRefused)) throw error
      note(`Gateways of ${name} can't read this database: ${error.message}`)
    }
}

async function hasAccounts(db: Db): Promise<boolean> {
  const { rows } = await sql<{
    found: string | null
  }>`select to_regclass('gateway_account') as found`.execute(db)
  return rows[0]?.found !== null
}
