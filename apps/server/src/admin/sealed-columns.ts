import type { Database, Row } from '../db/tables.ts'

type Found = Readonly<Record<string, string | number | null>>

/** Columns of a table that hold secrets, sealed, and how a row of it is found. */
export interface SealedColumns {
  table: keyof Database
  /** Names one row. */
  keys: readonly string[]
  columns: readonly string[]
  /** Where the secret was sealed for: the feature says the same where it seals. */
  placeOf(row: Found, column: string): { table?: 'api'; row: number; field: string }
}

const byId = ({ id }: Found, column: string) => ({ row: Number(id), field: column })

/** A column that is not in the table does not compile. */
const sealed = <T extends keyof Database>(
  table: T,
  keys: readonly (keyof Row<T> & string)[],
  columns: readonly (keyof Row<T> & string)[],
  placeOf: SealedColumns['placeOf'] = byId,
): SealedColumns => ({ table, keys, columns, placeOf })

/** Every secret that is sealed with the key of the servers. A new one is a line here; a test asks for it. */
export const sealedColumns: readonly SealedColumns[] = [
  sealed(
    'api',
    ['id'],
    [
      'password_encrypted',
      'upstream_token_encrypted',
      'test_credential_encrypted',
      'tls_encrypted',
    ],
  ),
  // A draft that is published becomes the API: its secrets are sealed for that row.
  sealed(
    'api_draft',
    ['api_id'],
    ['upstream_token_encrypted', 'test_credential_encrypted', 'tls_encrypted'],
    ({ api_id }, column) => ({ table: 'api', row: Number(api_id), field: column }),
  ),
  sealed('alarm_channel', ['id'], ['secret_encrypted'], ({ id }) => ({
    row: Number(id),
    field: 'secret',
  })),
  sealed(
    'sign_in_token',
    ['api_id', 'which'],
    ['credential_seal', 'token_encrypted', 'refresh_token_encrypted'],
    ({ api_id, which }, column) => ({ row: Number(api_id), field: `${which}.${column}` }),
  ),
  sealed('second_factor', ['user_id'], ['secret_encrypted'], (row, column) => ({
    row: Number(row['user_id']),
    field: column,
  })),
  sealed('sign_on_provider', ['id'], ['client_secret_encrypted']),
  sealed('personal_token', ['id'], ['signing_secret']),
  sealed('hook', ['id'], ['secret', 'old_secret']),
  sealed('workflow_callback', ['workflow_id'], ['secret', 'old_secret'], (row, column) => ({
    row: Number(row['workflow_id']),
    field: column,
  })),
  sealed('gateway_account', ['name'], ['key_encrypted'], ({ name }) => ({
    row: 0,
    field: `key_encrypted ${name}`,
  })),
]
