import type { ConnectorOptions } from '../../connector.ts'
import type { ProcedureBackend } from '../procedure-backend.ts'
import type { ProcedureConnection } from '../procedure-types.ts'
import type { SqlsrvDriver } from './sqlsrv-driver.ts'
import { failureOfLoss } from './sqlsrv-errors.ts'

/**
 * SQL Server. The first call loads the driver, because tedious imports Azure's libraries: some 50 MB
 * and half a second, which a process without a SQL Server does not spend.
 */
export function createSqlsrvBackend(
  connection: ProcedureConnection,
  options: Pick<ConnectorOptions, 'guard' | 'lookup'>,
): ProcedureBackend {
  let loading: Promise<SqlsrvDriver> | undefined
  const load = () => (loading ??= loadDriver(connection, options))
  return {
    list: async (given) => (await load()).list(given),
    describe: async (name, signal) => (await load()).describe(name, signal),
    run: async (call) => (await load()).run(call),
    classify: (error, isSent) => failureOfLoss(error, isSent),
    close: async () => (await loading)?.close(),
  }
}

async function loadDriver(
  connection: ProcedureConnection,
  options: Pick<ConnectorOptions, 'guard' | 'lookup'>,
) {
  const { createSqlsrvDriver } = await import('./sqlsrv-driver.ts')
  return createSqlsrvDriver(connection, options)
}
