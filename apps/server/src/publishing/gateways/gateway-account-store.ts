import type { RevisionId } from '@gatehouse/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { isPostgres, lockedForChange } from '../../db/dialect.ts'
import type { NewRow } from '../../db/tables.ts'

/** The channel on which the control plane tells gateways that run alone what is new. */
export const gatewaysChannel = 'gatehouse_gateways'
/** The channel on which such gateways report and ask. */
export const reportsChannel = 'gatehouse_reports'

/** Accounts of gateways that run alone, and what is kept for them to read. */
export function gatewayAccountStore(db: Db) {
  return {
    list: () => db.selectFrom('gateway_account').selectAll().orderBy('name').execute(),
    find: (name: string) =>
      db.selectFrom('gateway_account').selectAll().where('name', '=', name).executeTakeFirst(),
    insert: async (account: NewRow<'gateway_account'>) => {
      await db.insertInto('gateway_account').values(account).execute()
    },
    remove: async (name: string) => {
      await db.deleteFrom('gateway_account').where('name', '=', name).execute()
    },
    /** Names of the accounts whose gateways have another configuration, or none, to read. */
    listWithout: async ({ revision, mark }: RevisionId): Promise<string[]> => {
      const rows = await db
        .selectFrom('gateway_account')
        .leftJoin('gateway_config', 'account', 'name')
        .select(['name', 'revision', 'mark'])
        .orderBy('name')
        .execute()
      return rows.flatMap((row) =>
        row.revision === revision && row.mark === mark ? [] : [row.name],
      )
    },
    /**
     * Locks the account until the commit, so that of two servers that write for it one waits. False where it is
     * gone.
     */
    hold: async (name: string): Promise<boolean> => {
      const found = db.selectFrom('gateway_account').select('name').where('name', '=', name)
      return (await lockedForChange(db, found).executeTakeFirst()) !== undefined
    },
    putConfig: async (config: NewRow<'gateway_config'>) => {
      const { account: _, ...change } = config
      await db
        .insertInto('gateway_config')
        .values(config)
        .onConflict((conflict) => conflict.column('account').doUpdateSet(change))
        .execute()
    },
    putToken: async (token: NewRow<'gateway_token'>) => {
      const { version, sealed } = token
      await db
        .insertInto('gateway_token')
        .values(token)
        .onConflict((conflict) =>
          conflict
            .columns(['account', 'api_id'])
            .doUpdateSet({ version, sealed })
            .where('gateway_token.version', '<=', version),
        )
        .execute()
    },
    /** At the commit. */
    tell: async (channel: string, payload: string) => {
      if (isPostgres(db)) await sql`select pg_notify(${channel}, ${payload})`.execute(db)
    },
  }
}
