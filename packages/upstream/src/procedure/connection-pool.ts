import { ProcedureFailure } from './procedure-failure.ts'

const idleTimeoutMs = 60_000
const queueLimit = 1_000

export interface PoolOptions<Connection> {
  size: number
  /** Opens one more. Throws a ProcedureFailure. */
  open: (signal: AbortSignal) => Promise<Connection>
  /** Whether an idle one is still fit for use; asked right before it is handed out. */
  check: (connection: Connection) => Promise<boolean>
  destroy: (connection: Connection) => void
}

/** Connections of one API: held by one call at a time, the most recently used first. */
export interface ConnectionPool<Connection> {
  /**
   * Waits its turn. Throws what `open` throws, the signal's reason, or `procedure.busy` when time is
   * up, or 1,000 wait already, while all connections are taken.
   */
  acquire(signal: AbortSignal): Promise<Connection>
  release(connection: Connection): void
  /** Gives the place back without the connection, which is destroyed. */
  discard(connection: Connection): void
  /** Takes no more, waits until all are given back, destroys them. */
  close(): Promise<void>
}

interface Idle<Connection> {
  connection: Connection
  timer: NodeJS.Timeout
}

export function createConnectionPool<Connection>(
  options: PoolOptions<Connection>,
): ConnectionPool<Connection> {
  const idle: Idle<Connection>[] = []
  const waiting: ((connection: Connection | undefined) => void)[] = []
  let places = 0
  let isClosed = false
  let onEmpty: (() => void) | undefined

  function takeIdle(): Connection | undefined {
    const last = idle.pop()
    clearTimeout(last?.timer)
    return last?.connection
  }

  /** A connection, or undefined for a place in which the caller opens one. */
  async function turn(signal: AbortSignal): Promise<Connection | undefined> {
    signal.throwIfAborted()
    if (isClosed) throw cancelled()
    const free = takeIdle()
    if (free !== undefined) return free
    if (places < options.size) {
      places++
      return undefined
    }
    if (waiting.length >= queueLimit) throw busy(`${queueLimit} calls wait already.`)
    return new Promise((resolve, reject) => {
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
  }

  async function acquire(signal: AbortSignal): Promise<Connection> {
    const given = await turn(signal)
    try {
      if (given !== undefined) {
        if (await options.check(given)) return given
        options.destroy(given)
      }
      return await options.open(signal)
    } catch (error) {
      givePlace()
      throw error
    }
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
      const timer = setTimeout(() => {
        const index = idle.findIndex((each) => each.connection === connection)
        if (index < 0) return
        idle.splice(index, 1)
        retire(connection)
      }, idleTimeoutMs)
      timer.unref()
      idle.push({ connection, timer })
    },
    async close() {
      isClosed = true
      for (let free = takeIdle(); free !== undefined; free = takeIdle()) retire(free)
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
