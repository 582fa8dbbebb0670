import type { Abortable } from './deadline.ts'
import { ProcedureFailure } from './procedure-failure.ts'

const idleTimeoutMs = 60_000
const queueLimit = 1_000

interface PoolOptions<Connection, Limit extends Abortable> {
  size: number
  /** Opens a connection. Throws a ProcedureFailure. */
  open: (limit: Limit) => Promise<Connection>
  /** Whether an idle connection can still be used. Called right before it is handed out. */
  check: (connection: Connection) => boolean | Promise<boolean>
  destroy: (connection: Connection) => void
}

/** The connections of one API. One call at a time holds a connection; the last used is next. */
interface ConnectionPool<Connection, Limit extends Abortable> {
  /**
   * Waits for a free connection, and returns one without a promise where it can. Throws what `open`
   * throws, or the limit's reason. Throws `procedure.busy` when all connections are taken and either
   * time is up or 1,000 calls wait already.
   */
  acquire(limit: Limit): Connection | Promise<Connection>
  release(connection: Connection): void
  /** Destroys the connection and frees its place. */
  discard(connection: Connection): void
  /** Refuses new calls, waits until all connections are given back, and destroys them. */
  close(): Promise<void>
}

interface Idle<Connection> {
  connection: Connection
  since: number
}

export function createConnectionPool<Connection, Limit extends Abortable = AbortSignal>(
  options: PoolOptions<Connection, Limit>,
): ConnectionPool<Connection, Limit> {
  const idle: Idle<Connection>[] = []
  const waiting: ((connection: Connection | undefined) => void)[] = []
  let places = 0
  let isClosed = false
  let onEmpty: (() => void) | undefined
  let sweep: NodeJS.Timeout | undefined

  function acquire(limit: Limit): Connection | Promise<Connection> {
    limit.throwIfAborted()
    if (isClosed) throw cancelled()
    const free = idle.pop()?.connection
    if (free !== undefined) return checked(free, limit)
    if (places < options.size) {
      places++
      return opened(limit)
    }
    if (waiting.length >= queueLimit) throw busy(`${queueLimit} calls wait already.`)
    return turn(limit)
  }

  /** Waits for a connection, or for a free place and opens one. */
  async function turn(limit: Limit): Promise<Connection> {
    const given = await new Promise<Connection | undefined>((resolve, reject) => {
      const take = (connection: Connection | undefined) => {
        limit.removeEventListener('abort', leave)
        resolve(connection)
      }
      const leave = () => {
        waiting.splice(waiting.indexOf(take), 1)
        reject(whileWaiting(limit))
      }
      waiting.push(take)
      limit.addEventListener('abort', leave, { once: true })
    })
    return given === undefined ? opened(limit) : checked(given, limit)
  }

  function checked(given: Connection, limit: Limit): Connection | Promise<Connection> {
    const isFit = options.check(given)
    if (isFit === true) return given
    return isFit === false ? replaced(given, limit) : checkedLater(given, isFit, limit)
  }

  async function checkedLater(given: Connection, isFit: Promise<boolean>, limit: Limit) {
    try {
      if (await isFit) return given
    } catch (error) {
      givePlace()
      throw error
    }
    return replaced(given, limit)
  }

  function replaced(given: Connection, limit: Limit) {
    options.destroy(given)
    return opened(limit)
  }

  async function opened(limit: Limit): Promise<Connection> {
    try {
      return await options.open(limit)
    } catch (error) {
      givePlace()
      throw error
    }
  }

  /** One timer for all: `idle` begins with the connections that have rested longest. */
  function sweepLater() {
    const [oldest] = idle
    if (sweep || !oldest) return
    const restMs = Math.max(oldest.since + idleTimeoutMs - performance.now(), 0)
    sweep = setTimeout(() => {
      sweep = undefined
      const limit = performance.now() - idleTimeoutMs
      const fresh = idle.findIndex(({ since }) => since > limit)
      const resting = idle.splice(0, fresh < 0 ? idle.length : fresh)
      for (const { connection } of resting) retire(connection)
      sweepLater()
    }, Math.ceil(restMs))
    sweep.unref()
  }

  function givePlace() {
    const next = waiting.shift()
    if (next) return next(undefined)
    places--
    if (isClosed && places === 0) onEmpty?.()
  }

  function retire(connection: Connection) {
    options.destroy(connection)
    givePlace()
  }

  return {
    acquire,
    discard: retire,
    release(connection) {
      const next = waiting.shift()
      if (next) return next(connection)
      if (isClosed) return retire(connection)
      idle.push({ connection, since: performance.now() })
      sweepLater()
    },
    async close() {
      isClosed = true
      clearTimeout(sweep)
      for (const { connection } of idle.splice(0)) retire(connection)
      if (places > 0) await new Promise<void>((resolve) => (onEmpty = resolve))
    },
  }
}

/** Time that is up in the queue says something about the database's load, not about its speed. */
function whileWaiting({ reason }: Abortable): unknown {
  const isLate = reason instanceof ProcedureFailure && reason.code === 'upstream.timeout'
  return isLate ? busy('All connections were taken for the whole time.') : reason
}

const busy = (detail: string) =>
  new ProcedureFailure('procedure.busy', { isSent: false, detail, retryAfterSeconds: 1 })

const cancelled = () =>
  new ProcedureFailure('procedure.cancelled', {
    isSent: false,
    detail: 'Calls to this database are being stopped.',
  })
