import { sql, type Transaction } from 'kysely'
import pg from 'pg'
import type { Database } from './tables.ts'

/** All that gateways that run alone may read, and they may write nothing. */
const gatewayTables = ['gateway_config', 'gateway_token'] as const

/** Why an account of PostgreSQL was not made or removed; a message for the operator. */
export class RoleRefused extends Error {
  override name = 'RoleRefused'
}

/** Makes an account of PostgreSQL that may sign in and read what is kept for gateways. Throws a RoleRefused. */
export async function createGatewayRole(
  db: Transaction<Database>,
  name: string,
  password: string,
): Promise<void> {
  const role = sql.ref(name)
  const secret = sql.raw(pg.escapeLiteral(password))
  await explained(name, async () => {
    await sql`create role ${role} login noinherit nocreatedb nocreaterole noreplication password ${secret}`.execute(
      db,
    )
    const { schema } = await place(db)
    await changeRights(db, name, 'grant', 'to')
    const { rows } = await sql<{
      may: boolean
    }>`select has_schema_privilege(${name}, ${schema}, 'create') as may`.execute(db)
    if (rows[0]?.may)
      throw new RoleRefused(
        `Every account may create tables in this database. Take that away first: ` +
          `revoke create on schema ${schema} from public`,
      )
  })
}

/** Whether PostgreSQL has the account; its rights are given again, as in a database that was restored. */
export async function giveRightsAgain(db: Transaction<Database>, name: string): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_roles where rolname = ${name}`.execute(db)
  if (rows.length === 0) return false
  await explained(name, () => changeRights(db, name, 'grant', 'to'))
  return true
}

/** Takes its rights away and removes it; connections that it still has can read nothing any more. */
export async function dropGatewayRole(db: Transaction<Database>, name: string): Promise<void> {
  await explained(name, async () => {
    await changeRights(db, name, 'revoke', 'from')
    await sql`drop role ${sql.ref(name)}`.execute(db)
  })
}

async function changeRights(
  db: Transaction<Database>,
  name: string,
  verb: 'grant' | 'revoke',
  preposition: 'to' | 'from',
): Promise<void> {
  const { database, schema } = await place(db)
  const rights = [
    sql`connect on database ${sql.ref(database)}`,
    sql`usage on schema ${sql.ref(schema)}`,
    ...gatewayTables.map((table) => sql`select on ${sql.table(table)}`),
  ]
  for (const right of rights)
    await sql`${sql.raw(verb)} ${right} ${sql.raw(preposition)} ${sql.ref(name)}`.execute(db)
}

async function place(db: Transaction<Database>) {
  const { rows } = await sql<{
    database: string
    schema: string
  }>`select current_database() as database, current_schema() as schema`.execute(db)
  return rows[0]!
}

/** Codes of PostgreSQL, and what the operator can do. */
async function explained(name: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const refusal = {
      '42710': `PostgreSQL has an account ${name} already. Choose another name, or remove it first.`,
      '42704': `PostgreSQL has no account ${name}.`,
      '42501': `The account of DATABASE_URL may not do this. Let it make accounts: alter role … createrole`,
    }[String((error as { code?: string }).code)]
    throw refusal === undefined ? error : new RoleRefused(refusal, { cause: error })
  }
}
