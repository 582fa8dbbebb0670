import type { Socket } from 'node:net'
import { Connection } from 'tedious'
import type { ConnectorOptions } from '../../connector.ts'
import { openDatabaseSocket } from '../open-database-socket.ts'
import { ProcedureFailure } from '../procedure-failure.ts'
import type { ProcedureConnection } from '../procedure-types.ts'
import { readExactly } from './values/exact-reading.ts'
import { failureOfSignIn } from './sqlsrv-errors.ts'
import { SqlsrvSession } from './sqlsrv-session.ts'
import { patchTedious } from './tedious-internals.ts'

/** Time the server has to confirm that it stopped; after that the connection is dropped. */
const cancelTimeoutMs = 2_000

/**
 * Connects over a socket the guard has approved and signs in. Throws a ProcedureFailure, or the
 * signal's reason. A server that sends its clients elsewhere is not followed: the password is for
 * the address that was registered.
 */
export async function openSession(
  target: ProcedureConnection,
  connector: ConnectorOptions,
  signal: AbortSignal,
): Promise<SqlsrvSession> {
  patchTedious(readExactly)
  let socket: Socket | undefined
  const connection = new Connection({
    server: target.host,
    authentication: {
      type: 'default',
      options: { userName: target.username, password: target.password },
    },
    options: {
      port: target.port,
      database: target.database,
      appName: 'Gatehouse',
      workstationId: 'gatehouse',
      encrypt: target.tls !== 'off',
      trustServerCertificate: target.tls !== 'verified',
      ...(target.ca === undefined ? {} : { cryptoCredentialsDetails: { ca: target.ca } }),
      connectTimeout: target.connectTimeoutMs,
      // Our deadline bounds the whole call; that of tedious ends with the first byte of an answer.
      requestTimeout: 0,
      cancelTimeout: cancelTimeoutMs,
      maxRetriesOnTransientErrors: 0,
      lowerCaseGuids: true,
      connector: async () => {
        if (socket) throw sentElsewhere()
        socket = await openDatabaseSocket(target, connector, signal)
        return socket
      },
    },
  })
  let loginNumber: number | undefined
  const noteNumber = ({ number }: { number: number }) => (loginNumber = number)
  connection.on('errorMessage', noteNumber)
  // Each error reaches the request that runs, or shows in `isOpen`.
  connection.on('error', () => undefined)
  try {
    await signIn(connection, signal)
  } catch (error) {
    connection.close()
    socket?.destroy()
    signal.throwIfAborted()
    throw failureOfSignIn(error, loginNumber)
  }
  connection.removeListener('errorMessage', noteNumber)
  if (!socket) throw new Error('signed in without a socket')
  return new SqlsrvSession(connection, socket)
}

async function signIn(connection: Connection, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const leave = () => reject(signal.reason)
  signal.addEventListener('abort', leave, { once: true })
  connection.connect((error) => (error ? reject(error) : resolve()))
  try {
    await promise
  } finally {
    signal.removeEventListener('abort', leave)
  }
}

function sentElsewhere() {
  const detail = 'The server asks to sign in at another address. That is not followed.'
  return new ProcedureFailure('upstream.refused', { isSent: false, detail })
}
