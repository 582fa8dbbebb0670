import type { Socket } from 'node:net'
import pg from 'pg'
import { DatabaseAway, DatabaseReadOnly, markDatabaseError } from '../outages/database-away.ts'
import type { PostgresAddress, PostgresHost } from './postgres-hosts.ts'
import { postgresTimeouts } from './postgres-timeouts.ts'

/** Where connections go, and what they have in common. */
export interface ConnectionTarget extends PostgresAddress {
  /** Tests: the schema that names are looked up in. */
  schema?: string | undefined
}

/** A connection with what pg does not type. */
export type PostgresConnection = pg.Client & {
  /** False while PostgreSQL works on a query. */
  readonly readyForQuery: boolean
  readonly connection: { readonly stream: Socket }
  /** The process of PostgreSQL that serves it. */
  backendPid: number
  /** What ended it between two queries. */
  fault?: Error
}

interface OpenOptions {
  /** Aborted: the connection is not wanted any more. */
  signal?: AbortSignal | undefined
  /** How long each host may take. Unless it is given, all of them have 5 s together, each 1 s at least. */
  timeoutMs?: number
}

const connectMinMs = 1_000

// By default PostgreSQL expects spinning disks (4). It then scans a whole table of wide rows although
// an index could answer. A value that the operator has set is kept. Of a client whose network is cut off,
// PostgreSQL learns by `tcp_user_timeout`: it then ends the transaction, and the locks are free.
const prepare = `select pg_backend_pid() as pid,
  case when current_setting('random_page_cost') = '4' then set_config('random_page_cost', '1.1', false) end,
  set_config('tcp_user_timeout', '10000', false), set_config('tcp_keepalives_idle', '10', false),
  pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as is_read_only`

/** The host that was good last: behind one that is silent, each connection would wait for its time-out. */
const lastGood = new WeakMap<ConnectionTarget, PostgresHost>()

/**
 * Connects to the first host that answers and, where the target asks for it, takes writes; the one that
 * was good last is asked first. Throws the error of the last host. Nothing stays open then.
 */
export async function openConnection(
  target: ConnectionTarget,
  options: OpenOptions = {},
): Promise<PostgresConnection> {
  const { connectMs } = postgresTimeouts
  const { hosts } = target
  const { timeoutMs = Math.max(connectMs / hosts.length, connectMinMs) } = options
  const first = lastGood.get(target)
  const ordered = first ? [first, ...hosts.filter((host) => host !== first)] : hosts
  let last: unknown
  for (const host of ordered) {
    try {
      const connection = await openAt(host, target, { ...options, timeoutMs })
      lastGood.set(target, host)
      return connection
    } catch (error) {
      last = error
      if (options.signal?.aborted) break
    }
  }
  throw last
}

async function openAt(
  host: PostgresHost,
  { schema, isWritable }: ConnectionTarget,
  { signal, timeoutMs }: OpenOptions & { timeoutMs: number },
): Promise<PostgresConnection> {
  const client = new pg.Client({
    connectionString: host.url,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
    statement_timeout: postgresTimeouts.statementMs,
    lock_timeout: postgresTimeouts.lockMs,
    idle_in_transaction_session_timeout: postgresTimeouts.idleMs,
    ...(schema ? { options: `-c search_path=${schema}` } : {}),
  }) as PostgresConnection
  // A connection that breaks between two queries: the next one fails. Without a listener, the process ends.
  client.on('error', (error) => (client.fault ??= markDatabaseError(error, { isLost: true })))
  markErrorsOf(client)
  const { promise: ended, reject } = Promise.withResolvers<never>()
  const giveUp = () => reject(new DatabaseAway(`${host.host} has not answered in time.`))
  const timer = setTimeout(giveUp, timeoutMs)
  signal?.addEventListener('abort', giveUp)
  try {
    const { rows } = await Promise.race([ended, prepared(client)])
    if (isWritable && rows[0]?.is_read_only)
      throw new DatabaseReadOnly(`${host.host} does not take writes.`)
    client.backendPid = rows[0]?.pid ?? 0
    return client
  } catch (error) {
    // The other side has closed it without a word, as a proxy does that finds no server.
    const isLost = client.connection.stream.destroyed && !(error as { code?: string }).code
    cut(client)
    throw markDatabaseError(error, { isLost })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', giveUp)
  }
}

/** Of queries that go out one by one; `BatchedConnection` marks those of its own. */
function markErrorsOf(client: PostgresConnection): void {
  client.query = function marking(...given: unknown[]) {
    const answer: unknown = (pg.Client.prototype.query as AnyQuery).apply(client, given)
    if (!(answer instanceof Promise)) return answer
    return answer.catch((error: unknown) => {
      throw markDatabaseError(error, { isLost: client.fault !== undefined })
    })
  } as typeof client.query
}

type AnyQuery = (...given: unknown[]) => unknown

async function prepared(client: PostgresConnection) {
  await client.connect()
  return client.query<{ pid: number; is_read_only: boolean }>(prepare)
}

/** Closes the connection without a word to the server, which may not listen. Its queries fail. */
export function cut(client: PostgresConnection): void {
  client.connection.stream.destroy()
}
