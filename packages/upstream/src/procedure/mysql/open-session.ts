import { isIP } from 'node:net'
import type { Socket } from 'node:net'
import mysql from 'mysql2'
import type { ConnectorOptions } from '../../connector.ts'
import { openDatabaseSocket } from '../open-database-socket.ts'
import { ProcedureFailure } from '../procedure-failure.ts'
import { callTimeoutDefaultMs } from '../procedure-types.ts'
import type { ProcedureConnection } from '../procedure-types.ts'
import { classifySignInError } from './mysql-errors.ts'
import { MysqlSession } from './mysql-session.ts'

export type SessionOptions = Pick<ConnectorOptions, 'guard' | 'lookup'>

/**
 * Connects to a checked address and signs in within `connectTimeoutMs`. Throws a ProcedureFailure
 * with `isSent: false`.
 */
export async function openSession(
  connection: ProcedureConnection,
  options: SessionOptions,
  signal: AbortSignal,
): Promise<MysqlSession> {
  const { connectTimeoutMs } = connection
  const late = AbortSignal.timeout(connectTimeoutMs)
  const either = AbortSignal.any([signal, late])
  try {
    const connector = { ...options, connectTimeoutMs }
    const socket = await openDatabaseSocket(connection, connector, either)
    const session = await signIn(connection, socket, either)
    try {
      await session.prepareFor(callTimeoutDefaultMs, either)
    } catch (error) {
      session.destroy()
      throw error
    }
    return session
  } catch (error) {
    if (late.aborted && !signal.aborted) throw tooLate(connectTimeoutMs)
    if (signal.aborted) throw signal.reason
    throw classifySignInError(error)
  }
}

function signIn(
  connection: ProcedureConnection,
  socket: Socket,
  signal: AbortSignal,
): Promise<MysqlSession> {
  const { host, port, database, username, password } = connection
  nameForTls(socket, host)
  const tls = tlsOptions(connection)
  const wire = mysql.createConnection(
    connectOptions({
      host,
      port,
      database,
      user: username,
      password,
      stream: socket,
      // The timer of mysql2 would not include the lookup and the TCP connection.
      connectTimeout: 0,
      ...(tls ? { ssl: tls } : {}),
    }),
  )
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => {
      signal.removeEventListener('abort', leave)
      wire.destroy()
      socket.destroy()
      reject(error)
    }
    const leave = () => fail(signal.reason)
    signal.addEventListener('abort', leave, { once: true })
    // This listener stays: an error event without a listener would end the process.
    wire.on('error', fail)
    wire.once('connect', () => {
      signal.removeEventListener('abort', leave)
      try {
        resolve(new MysqlSession(wire, socket, database))
      } catch (error) {
        fail(error)
      }
    })
  })
}

function tlsOptions({ tls, ca }: ProcedureConnection): mysql.SslOptions | undefined {
  if (tls === 'off') return undefined
  if (tls === 'encrypted') return { rejectUnauthorized: false, minVersion: 'TLSv1.2' }
  return {
    rejectUnauthorized: true,
    verifyIdentity: true,
    minVersion: 'TLSv1.2',
    ...(ca === undefined ? {} : { ca }),
  }
}

/**
 * For an IP address mysql2 passes Node no name to check the certificate against, and Node would
 * use `localhost`. Node reads the socket's name first, so that is set here. If Node stops reading it,
 * such certificates are refused.
 */
function nameForTls(socket: Socket, host: string) {
  if (isIP(host) !== 0) Object.assign(socket, { _host: host })
}

function tooLate(connectTimeoutMs: number) {
  const detail = `No connection and sign-in within ${connectTimeoutMs} ms.`
  return new ProcedureFailure('upstream.connect_timeout', { isSent: false, detail })
}

/** The options of every connection. docs/security/data.md says what they defend against. */
function connectOptions(options: mysql.ConnectionOptions): mysql.ConnectionOptions {
  return {
    ...options,
    charset: 'utf8mb4_unicode_ci',
    // LOCAL_FILES would let a hostile server read our files. The others change what procedures see.
    flags: ['-LOCAL_FILES', '-FOUND_ROWS', '-IGNORE_SPACE', '-ODBC'],
    multipleStatements: false,
    // mysql2 would otherwise generate code from column names, which the server sends.
    disableEval: true,
    rowsAsArray: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
    dateStrings: true,
    jsonStrings: true,
  }
}
