import type { Db } from '../../db/connect.ts'
import type { NewRow, Row, RowChange } from '../../db/tables.ts'

export type ProcedureStore = ReturnType<typeof procedureStore>
export type ContractRow = Row<'procedure_contract'>

export function procedureStore(db: Db) {
  return {
    find: (apiId: number) =>
      db
        .selectFrom('procedure_contract')
        .selectAll()
        .where('api_id', '=', apiId)
        .executeTakeFirst(),
    /** Forgets what was promised before: the definition names another procedure, or a user accepted the drift. */
    replace: (contract: NewRow<'procedure_contract'>) =>
      db
        .insertInto('procedure_contract')
        .values(contract)
        .onConflict((conflict) => {
          const { api_id: _, ...rest } = contract
          return conflict.column('api_id').doUpdateSet(rest)
        })
        .execute(),
    /** Only while it is still the same procedure: a save in the meantime takes precedence. */
    update: (apiId: number, method: string, change: RowChange<'procedure_contract'>) =>
      db
        .updateTable('procedure_contract')
        .set(change)
        .where('api_id', '=', apiId)
        .where('method', '=', method)
        .execute(),
    /** Stored procedure APIs that were not checked since the time given. */
    listDue: (before: string) =>
      db
        .selectFrom('api')
        .leftJoin('procedure_contract', 'procedure_contract.api_id', 'api.id')
        .selectAll('api')
        .where('api.api_protocol', '=', 'stored_procedure')
        .where((where) =>
          where.or([
            where('procedure_contract.checked_at', 'is', null),
            where('procedure_contract.checked_at', '<', before),
          ]),
        )
        .orderBy('api.id')
        .execute(),
  }
}
