import { createConnectionPool } from '../connection-pool.ts'
import { toSignal } from '../deadline.ts'
import type { Deadline } from '../deadline.ts'
import type { BackendCall, BackendResult, ProcedureBackend } from '../procedure-backend.ts'
import { poolSizeDefault } from '../procedure-types.ts'
import type { ProcedureConnection } from '../procedure-types.ts'
import { callProcedure } from './call-procedure.ts'
import { describeProcedure, listProcedures } from './mysql-catalogue.ts'
import { classifyMysqlError, isServerError } from './mysql-errors.ts'
import type { MysqlSession } from './mysql-session.ts'
import { toBoundValues } from './values/mysql-values.ts'
import { openSession } from './open-session.ts'
import type { SessionOptions } from './open-session.ts'

/** A connection that was idle for longer is pinged first: the server or a firewall may have dropped it. */
const restMs = 5_000
const killTimeoutMs = 5_000

/** MySQL and MariaDB. */
export function createMysqlBackend(
  connection: ProcedureConnection,
  options: SessionOptions,
): ProcedureBackend {
  const pool = createConnectionPool<MysqlSession, AbortSignal | Deadline>({
    size: connection.poolSize ?? poolSizeDefault,
    open: (limit) => openSession(connection, options, toSignal(limit)),
    check: isFit,
    destroy: (session) => session.end(),
  })

  function isFit(session: MysqlSession): boolean | Promise<boolean> {
    if (!session.isUsable) return false
    return performance.now() - session.restingSince < restMs || isAlive(session)
  }

  async function isAlive(session: MysqlSession): Promise<boolean> {
    const timer = setTimeout(() => session.destroy(), killTimeoutMs)
    try {
      await session.ping()
      return true
    } catch {
      return false
    } finally {
      clearTimeout(timer)
    }
  }

  /** Runs `work` on one session. Cleans the session for the next call, or ends it. */
  async function withSession<Result>(
    limit: AbortSignal | Deadline,
    work: (session: MysqlSession) => Promise<{ result: Result; isDirty: boolean }>,
  ): Promise<Result> {
    const acquired = pool.acquire(limit)
    const session = acquired instanceof Promise ? await acquired : acquired
    try {
      const { result, isDirty } = await work(session)
      giveBack(session, isDirty)
      return result
    } catch (error) {
      // The server has ended the statement, but an earlier part of the call may have changed the session.
      if (isServerError(error) && session.isUsable) giveBack(session, true)
      else if (session.isUsable) void kill(session)
      else pool.discard(session)
      throw error
    }
  }

  function giveBack(session: MysqlSession, isDirty: boolean) {
    session.restingSince = performance.now()
    if (isDirty) void clean(session)
    else pool.release(session)
  }

  /** The session keeps its place in the pool until it is clean. */
  async function clean(session: MysqlSession) {
    const timer = setTimeout(() => session.destroy(), killTimeoutMs)
    try {
      await session.reset()
      pool.release(session)
    } catch {
      session.destroy()
      pool.discard(session)
    } finally {
      clearTimeout(timer)
    }
  }

  /**
   * Ends the statement on the server, where it would run on after the connection is closed. An
   * account may end its own statements. A procedure that runs as its definer is not one of them: to
   * end it takes CONNECTION ADMIN, and without that it runs until the server's own limit.
   */
  async function kill(session: MysqlSession) {
    const { threadId } = session
    session.destroy()
    try {
      const signal = AbortSignal.timeout(killTimeoutMs)
      const killer = await openSession(connection, options, signal)
      try {
        await killer.command(`KILL QUERY ${Math.trunc(threadId)}`, signal)
      } finally {
        killer.end()
      }
    } catch {
      // The statement is over, or the server refused, or it did not answer. There is no other way.
    } finally {
      pool.discard(session)
    }
  }

  return {
    list: ({ limit, signal }) =>
      withSession(signal, async (session) => ({
        result: await listProcedures(session, limit, signal),
        isDirty: false,
      })),
    describe: (name, signal) =>
      withSession(signal, async (session) => ({
        result: await describeProcedure(session, name, signal),
        isDirty: false,
      })),
    async run(call: BackendCall): Promise<BackendResult> {
      const values = toBoundValues(call.parameters)
      let isCalled = false
      const onSend = () => {
        call.markSent()
        isCalled = true
      }
      try {
        return await withSession(call.deadline, (session) =>
          callProcedure(session, call, values, onSend),
        )
      } catch (error) {
        throw classifyMysqlError(error, isCalled, call.signature)
      }
    },
    classify: classifyMysqlError,
    close: () => pool.close(),
  }
}
