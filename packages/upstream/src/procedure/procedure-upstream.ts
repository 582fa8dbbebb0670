import type { AddressGuard } from '../address-guard.ts'
import type { LookupAll } from '../connector.ts'
import { createMysqlBackend } from './mysql/mysql-backend.ts'
import type { ProcedureBackend } from './procedure-backend.ts'
import { createProcedureCaller } from './procedure-caller.ts'
import type { ProcedureCaller, ReadOptions } from './procedure-caller.ts'
import { ProcedureFailure } from './procedure-failure.ts'
import type {
  ProcedureAnswer,
  ProcedureCall,
  ProcedureConnection,
  ProcedureDescription,
  ProcedureList,
} from './procedure-types.ts'
import { createSqlsrvBackend } from './sqlsrv/sqlsrv-backend.ts'

/** What an API definition says about its database. */
export interface ProcedureApi {
  /** The API's id. When its connection changes, its old pool is closed. */
  id: string
  connection: ProcedureConnection
}

export interface ProcedureUpstreamOptions {
  guard: AddressGuard
  /** The system's resolver unless given. */
  lookup?: LookupAll
}

/**
 * Calls stored procedures of the databases that administrators registered. One pool for each API,
 * made on its first call; its sockets go to checked addresses only. No method throws, none retries.
 */
export interface ProcedureUpstream {
  call(api: ProcedureApi, call: ProcedureCall): Promise<ProcedureAnswer>
  /** Reads the catalogue again: after a save, and for the hourly check of the contract lock. */
  describe(api: ProcedureApi, name: string, options?: ReadOptions): Promise<ProcedureDescription>
  /** Opens a connection of its own and lists the procedures with their parameters. */
  testConnection(connection: ProcedureConnection, options?: ReadOptions): Promise<ProcedureList>
  /** Runs one procedure in a transaction that is rolled back, over a connection of its own. */
  runSample(
    connection: ProcedureConnection,
    call: Omit<ProcedureCall, 'isSample'>,
  ): Promise<ProcedureAnswer>
  /** Closes the pool of an API that was deleted, after its running calls. */
  forget(apiId: string): void
  /** Refuses new calls, waits for the running ones, then closes all connections. */
  close(): Promise<void>
}

interface Pooled {
  connection: ProcedureConnection
  caller: ProcedureCaller
}

export function createProcedureUpstream(options: ProcedureUpstreamOptions): ProcedureUpstream {
  const pools = new Map<string, Pooled>()
  const draining = new Set<Promise<void>>()
  let isClosed = false

  function open(connection: ProcedureConnection): ProcedureCaller {
    return createProcedureCaller(createBackend(connection, options))
  }

  function callerOf({ id, connection }: ProcedureApi): ProcedureCaller | undefined {
    if (isClosed) return undefined
    const known = pools.get(id)
    if (known && isSame(known.connection, connection)) return known.caller
    forget(id)
    const caller = open(connection)
    pools.set(id, { connection, caller })
    return caller
  }

  function drain(caller: ProcedureCaller) {
    const closing = caller.close().finally(() => draining.delete(closing))
    draining.add(closing)
  }

  function forget(apiId: string) {
    const known = pools.get(apiId)
    if (!known) return
    pools.delete(apiId)
    drain(known.caller)
  }

  async function once<Answer>(
    connection: ProcedureConnection,
    work: (caller: ProcedureCaller) => Promise<Answer>,
  ) {
    if (isClosed) return closedFailure()
    const caller = open({ ...connection, poolSize: 1 })
    try {
      return await work(caller)
    } finally {
      drain(caller)
    }
  }

  return {
    // Not async: each layer of it costs the call a promise.
    call: (api, call) => callerOf(api)?.call(call) ?? Promise.resolve(closedFailure()),
    describe: async (api, name, read) =>
      (await callerOf(api)?.describe(name, read)) ?? closedFailure(),
    testConnection: (connection, read) => once(connection, (caller) => caller.list(read)),
    runSample: (connection, call) =>
      once(connection, (caller) => caller.call({ ...call, isSample: true })),
    forget,
    async close() {
      isClosed = true
      for (const id of pools.keys()) forget(id)
      await Promise.all(draining)
    },
  }
}

function createBackend(
  connection: ProcedureConnection,
  options: ProcedureUpstreamOptions,
): ProcedureBackend {
  return connection.driver === 'mysql'
    ? createMysqlBackend(connection, options)
    : createSqlsrvBackend(connection, options)
}

/** Most calls pass the same object as the call before. */
function isSame(one: ProcedureConnection, other: ProcedureConnection): boolean {
  if (one === other) return true
  const keys = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...keys].every((key) => Reflect.get(one, key) === Reflect.get(other, key))
}

function closedFailure() {
  const detail = 'Calls to upstreams are being stopped.'
  return new ProcedureFailure('procedure.cancelled', { isSent: false, detail }).toFailed(0)
}
