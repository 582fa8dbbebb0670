import type { Db } from '../../../db/connect.ts'
import type { NewRow, Row, RowChange } from '../../../db/tables.ts'

export type HookRow = Row<'hook'>

/** Webhooks, and the messages that were taken. */
export function hookStore(db: Db) {
  return {
    list: (workflowId: number, limit: number) =>
      db
        .selectFrom('hook')
        .selectAll()
        .where('workflow_id', '=', workflowId)
        .orderBy('id')
        .limit(limit)
        .execute(),
    find: (id: number) => db.selectFrom('hook').selectAll().where('id', '=', id).executeTakeFirst(),
    /** With the workflow that it starts; undefined where that was deleted. */
    findByName: (name: string) =>
      db
        .selectFrom('hook')
        .innerJoin('workflow', 'workflow.id', 'hook.workflow_id')
        .selectAll('hook')
        .select('workflow.slug')
        .where('hook.name', '=', name)
        .where('workflow.deleted_at', 'is', null)
        .executeTakeFirst(),
    insert: (row: NewRow<'hook'>) =>
      db.insertInto('hook').values(row).returning('id').executeTakeFirstOrThrow(),
    update: (id: number, change: RowChange<'hook'>) =>
      db.updateTable('hook').set(change).where('id', '=', id).execute(),
    remove: async (id: number) => {
      await db.deleteFrom('hook_receipt').where('hook_id', '=', id).execute()
      await db.deleteFrom('hook').where('id', '=', id).execute()
    },
    findReceipt: (hookId: number, key: string) =>
      db
        .selectFrom('hook_receipt')
        .select('run_id')
        .where('hook_id', '=', hookId)
        .where('receipt_key', '=', key)
        .executeTakeFirst(),
    /** False where the message was taken before. */
    insertReceipt: async (row: NewRow<'hook_receipt'>): Promise<boolean> => {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('hook_receipt')
        .values(row)
        .onConflict((conflict) => conflict.columns(['hook_id', 'receipt_key']).doNothing())
        .executeTakeFirst()
      return (numInsertedOrUpdatedRows ?? 0n) > 0n
    },
    removeReceipts: (now: string) =>
      db.deleteFrom('hook_receipt').where('remove_at', '<=', now).execute(),
  }
}
