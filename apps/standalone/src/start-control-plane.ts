import { setTimeout as sleep } from 'node:timers/promises'
import {
  DatabaseAwayError,
  startServer,
  type RunningServer,
  type StartOptions,
} from '@gatehouse/server'
import type { RunningGateway } from './link-gateway.ts'

const firstRetryMs = 1_000
const longestRetryMs = 15_000

interface StartControlPlaneOptions {
  gateway: RunningGateway
  options: StartOptions
  /** Aborted when the product is to stop. */
  signal: AbortSignal
  say: (line: string) => void
}

/**
 * Starts the control plane. A database that is away stops the start, unless the gateway serves the
 * configuration it has kept: then one line says so, and the start is tried until it succeeds. Undefined when
 * the product was stopped before.
 */
export async function startControlPlane({
  gateway,
  options,
  signal,
  say,
}: StartControlPlaneOptions): Promise<RunningServer | undefined> {
  let isTold = false
  for (
    let retryMs = firstRetryMs;
    !signal.aborted;
    retryMs = Math.min(retryMs * 2, longestRetryMs)
  ) {
    try {
      const server = await startServer(options)
      sayFirstAdministrator(server, say)
      return server
    } catch (error) {
      const canServe = error instanceof DatabaseAwayError && gateway.keptRevision !== undefined
      if (!canServe) throw error
      if (!isTold && (await gateway.ready())) {
        say(
          `${error.message}\nThe gateway serves revision ${gateway.keptRevision} at ${gateway.url} meanwhile; ` +
            'the dashboard starts when the database is there.',
        )
        isTold = true
      }
      await sleep(retryMs, undefined, { signal }).catch(() => undefined)
    }
  }
  return undefined
}

function sayFirstAdministrator({ firstAdministrator }: RunningServer, say: (line: string) => void) {
  if (!firstAdministrator) return
  const { email, generatedPassword } = firstAdministrator
  say('')
  say(`First administrator: ${email}`)
  say(
    generatedPassword
      ? `Password:            ${generatedPassword}   (shown this once)`
      : 'Password:            as ADMIN_PASSWORD says',
  )
  say('')
}
