import { ProcedureFailure } from './procedure-failure.ts'

const idleTimeoutMs = 60_000
const queueLimit = 1_000

export interface PoolOptions<Connection> {
  size: number
  /** Opens one more. Throws a ProcedureFailure. */
  open: (signal: AbortSignal) => Promise<Connection>
  /** Whether an idle one is still fit for use; asked right before it is handed out. */
  check: (connection: Connection) => boolean | Promise<boolean>
  destroy: (connection: Connection) => void
}

/** Connections of one API: held by one call at a time, the most recently used first. */
export interface ConnectionPool<Connection> {
  /**
   * Waits its turn. Throws what `open` throws, the signal's reason, or `procedure.busy` when time is
   * up, or 1,000 wait already, while all connections are taken. What is there is given at once.
   */
  acquire(signal: AbortSignal): Connection | Promise<Connection>
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

export function createConnectionPool<Connection>(
  options: PoolOptions<Connection>,
): ConnectionPool<Connection> {
  const idle: Idle<Connection>[] = []
  const waiting: ((connection: Connection | undefined) => void)[] = []
  let places = 0
  let isClosed = false
  let onEmpty: (() => void) | undefined
  let sweep: NodeJS.Timeout | undefined

  function acquire(signal: AbortSignal): Connection | Promise<Connection> {
    signal.throwIfAborted()
    if (isClosed) throw cancelled()
    const free = idle.pop()?.connection
    if (free !== undefined) return checked(free, signal)
    if (places < options.size) {
      places++
      return opened(signal)
    }
    if (waiting.length >= queueLimit) throw busy(`${queueLimit} calls wait already.`)
    return turn(signal)
  }

  /** A connection, or a place in which one is opened. */
  async function turn(signal: AbortSignal): Promise<Connection> {
    const given = await new Promise<Connection | undefined>((resolve, reject) => {
      const take = (connection: Connection | undefined) => {
        signal.removeEventListener('abort', leave)
        resolve(connection)
      }
      const leave = () => {
        waiting.splice(waiting.indexOf(take), 1)
        reject(whileWaiting(signal))
      }
      waiting.push(take)
      signal.addEventListener('abort', leave, { once: true })
    })
    return given === undefined ? opened(signal) : checked(given, signal)
  }

  function checked(given: Connection, signal: AbortSignal): Connection | Promise<Connection> {
    const isFit = options.check(given)
    if (isFit === true) return given
    return isFit === false ? replaced(given, signal) : checkedLater(given, isFit, signal)
  }

  async function checkedLater(given: Connection, isFit: Promise<boolean>, signal: AbortSignal) {
    try {
      if (await isFit) return given
    } catch (error) {
      givePlace()
      throw error
    }
    return replaced(given, signal)
  }

  function replaced(given: Connection, signal: AbortSignal) {
    options.destroy(given)
    return opened(signal)
  }

  async function opened(signal: AbortSignal): Promise<Connection> {
    try {
      return await options.open(signal)
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
function whileWaiting({ reason }: AbortSignal): unknown {
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
