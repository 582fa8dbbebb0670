import { setTimeout as sleep } from 'node:timers/promises'
import { closeLog, openLog } from '@gatehouse/logging'
import {
  DatabaseAwayError,
  openStartingPort,
  untilDatabaseAnswers,
  type DataDir,
  type Settings,
} from '@gatehouse/server'

const firstRetryMs = 1_000
const longestRetryMs = 15_000

interface WaitingStart<T> {
  start: () => Promise<T>
  settings: Settings
  dataDir: DataDir
  /** Aborted when the product is to stop. */
  signal: AbortSignal
  /** It also waits for a database that answers, and can't be used. */
  isPatient: boolean
  /** The database is away; called for each try, and awaited. */
  onAway: (error: DatabaseAwayError) => Promise<void>
}

/**
 * Starts what needs the database. Where the database can't be reached, the port of the dashboard says so, and the
 * start is tried again when the database answers. Any other refusal is thrown. Undefined: it was stopped before.
 */
export async function startWithDatabase<T>(options: WaitingStart<T>): Promise<T | undefined> {
  const { start, settings, dataDir, signal, isPatient, onAway } = options
  for (let retryMs = firstRetryMs; !signal.aborted;) {
    try {
      return await start()
    } catch (error) {
      if (!(error instanceof DatabaseAwayError) || !(isPatient || error.isUnreachable)) throw error
      await whilePortAnswers(settings, dataDir, async () => {
        await onAway(error)
        if (error.isUnreachable) await untilDatabaseAnswers(settings.databaseUrl ?? '', signal)
        else await sleep(retryMs, undefined, { signal }).catch(() => undefined)
      })
      retryMs = Math.min(retryMs * 2, longestRetryMs)
    }
  }
  return undefined
}

/** The start that comes next opens the port itself. */
async function whilePortAnswers(
  settings: Settings,
  dataDir: DataDir,
  wait: () => Promise<void>,
): Promise<void> {
  const log = openLog(dataDir.path, 'admin', settings.logLevel)
  const port = await openStartingPort(log, settings)
  port.tell('waiting for the database')
  try {
    await wait()
  } finally {
    await port.close()
    closeLog(log)
  }
}
