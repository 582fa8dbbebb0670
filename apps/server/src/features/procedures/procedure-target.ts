import type { ProcedureTarget } from '@gatehouse/upstream'
import type { Row } from '../../db/tables.ts'
import { storedConnection } from './connection-of.ts'

/** Where the calls of an API go that stands for a stored procedure. */
export const procedureTarget = (
  api: Row<'api'>,
  password: string,
  isReadOnlyRequired: boolean,
): ProcedureTarget => ({
  kind: 'procedure',
  api: { id: String(api.id), connection: storedConnection(api, password) },
  name: api.func_name ?? '',
  isReadOnlyRequired,
})
