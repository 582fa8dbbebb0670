import { setTimeout as sleep } from 'node:timers/promises'
import {
  DatabaseAwayError,
  startServer,
  type FirstAdministrator,
  type RunningServer,
  type StartOptions,
} from '@gatehouse/server'
import type { RunningGateway } from './link-gateway.ts'

const firstRetryMs = 1_000
const longestRetryMs = 15_000

interface StartControlPlaneOptions {
  /** Undefined: this process runs no gateway. */
  gateway: RunningGateway | undefined
  options: Omit<StartOptions, 'showFirstAdministrator'>
  /** Aborted when the product is to stop. */
  signal: AbortSignal
  say: (line: string) => void
}

/**
 * Starts the control plane. A database that is away stops the start, unless the gateway serves the
 * configuration it has kept: then one line says so, and the start is tried until it succeeds. Undefined when
 * the product was stopped before.
 */
export async function startControlPlane(
  given: StartControlPlaneOptions,
): Promise<RunningServer | undefined> {
  const { options, signal, say } = given
  let isTold = false
  for (
    let retryMs = firstRetryMs;
    !signal.aborted;
    retryMs = Math.min(retryMs * 2, longestRetryMs)
  ) {
    try {
      return await startServer({
        ...options,
        showFirstAdministrator: (made) => sayFirstAdministrator(made, say),
      })
    } catch (error) {
      isTold = (await tellWithout(error, given, isTold)) || isTold
      await sleep(retryMs, undefined, { signal }).catch(() => undefined)
    }
  }
  return undefined
}

/** Says once that the gateway serves without its database. Throws where it can't, or where that is not why. */
async function tellWithout(
  error: unknown,
  { gateway, say }: StartControlPlaneOptions,
  isTold: boolean,
): Promise<boolean> {
  if (!(error instanceof DatabaseAwayError) || gateway?.keptRevision === undefined) throw error
  if (isTold || !(await gateway.ready())) return false
  say(
    `${error.message}\nThe gateway serves revision ${gateway.keptRevision} at ${gateway.url} meanwhile; ` +
      'the dashboard starts when the database is there.',
  )
  return true
}

function sayFirstAdministrator(
  { email, generatedPassword }: FirstAdministrator,
  say: (line: string) => void,
) {
  say('')
  say(`First administrator: ${email}`)
  say(
    generatedPassword
      ? `Password:            ${generatedPassword}   (shown this once)`
      : 'Password:            as ADMIN_PASSWORD says',
  )
  say('')
}
