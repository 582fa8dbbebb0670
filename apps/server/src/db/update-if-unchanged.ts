import { AppError } from '../kernel/app-error.ts'
import type { Db } from './connect.ts'
import type { Row, RowChange } from './tables.ts'

/** Tables whose rows count their changes in `version`. */
type Versioned =
  | 'alarm_channel'
  | 'alarm_rule'
  | 'api'
  | 'endpoint'
  | 'personal_token'
  | 'reconciliation'
  | 'role'
  | 'saved_mapping'
  | 'schedule'
  | 'sign_on_provider'
  | 'token_issuer'
  | 'user'
  | 'workflow'

/**
 * Changes a row if it still has this version, and increments the version. Throws `record.changed` when
 * another user has changed the row since, or when it is gone.
 */
export async function updateIfUnchanged<T extends Versioned>(
  db: Db,
  table: T,
  id: number,
  version: number,
  change: RowChange<T>,
): Promise<Row<T>> {
  // One statement serves all these tables; to the compiler it is always the first of them.
  const row = await db
    .updateTable(table as 'api')
    .set({ ...(change as RowChange<'api'>), version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .returningAll()
    .executeTakeFirst()
  if (!row) throw new AppError('record.changed')
  return row as Row<T>
}
