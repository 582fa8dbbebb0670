import type { Abortable } from './deadline.ts'
import { ProcedureFailure } from './procedure-failure.ts'

const idleTimeoutMs = 60_000
const queueLimit = 1_000

export interface PoolOptions<Connection, Limit extends Abortable> {
  size: number
  /** Opens one more. Throws a ProcedureFailure. */
  open: (limit: Limit) => Promise<Connection>
  /** Whether an idle one is still fit for use; asked right before it is handed out. */
  check: (connection: Connection) => boolean | Promise<boolean>
  destroy: (connection: Connection) => void
}

/** Connections of one API: held by one call at a time, the most recently used first. */
export interface ConnectionPool<Connection, Limit extends Abortable> {
  /**
   * Waits its turn. Throws what `open` throws, the limit's reason, or `procedure.busy` when time is
   * up, or 1,000 wait already, while all connections are taken. What is there is given at once.
   */
  acquire(limit: Limit): Connection | Promise<Connection>
  release(connection: Connection): void
  /** Gives the place back without the connection, which is destroyed. */
  discard(connection: Connection): void
  /** Takes no more, waits until all are given back, destroys them. */
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

  /** A connection, or a place in which one is opened. */
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

  /** One timer for all: those that rest longest stand first. */
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
