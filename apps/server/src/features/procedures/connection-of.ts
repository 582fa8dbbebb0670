import {
  connectTimeoutDefaultMs,
  tlsDefaults,
  type ProcedureConnectionInput,
} from '@gatehouse/contract'
import type { ProcedureConnection } from '@gatehouse/upstream'
import type { Row } from '../../db/tables.ts'

type Given = Pick<
  ProcedureConnectionInput,
  'driver' | 'host' | 'port' | 'database' | 'username' | 'db_tls' | 'connect_timeout_ms'
> & { db_ca: string | null }

/** How to reach the database of a definition, as typed or as stored. The password comes in clear. */
export function connectionOf(given: Given, password: string): ProcedureConnection {
  if (given.driver === null || given.port === null)
    throw new Error('A stored procedure has a driver and a port: validation refuses anything else.')
  return {
    driver: given.driver,
    host: given.host,
    port: given.port,
    database: given.database,
    username: given.username,
    password,
    tls: given.db_tls ?? tlsDefaults[given.driver],
    ...(given.db_ca ? { ca: given.db_ca } : {}),
    connectTimeoutMs: given.connect_timeout_ms ?? connectTimeoutDefaultMs,
  }
}

export function storedConnection(api: Row<'api'>, password: string): ProcedureConnection {
  const { host, database, username } = api
  if (host === null || database === null || username === null)
    throw new Error('A stored procedure has a host, a database and a user name.')
  return connectionOf({ ...api, host, database, username }, password)
}
