import {
  startServer,
  type DatabaseAwayError,
  type FirstAdministrator,
  type RunningServer,
  type StartOptions,
} from '@gatehouse/server'
import type { RemoteGateway } from '../link/remote-gateway.ts'
import { startWithDatabase } from './start-with-database.ts'

interface StartControlPlaneOptions {
  /** Undefined: this server runs no gateway. */
  gateway: RemoteGateway | undefined
  options: Omit<StartOptions, 'showFirstAdministrator'>
  /** Aborted when the product is to stop. */
  signal: AbortSignal
  say: (line: string) => void
  /** The database is away, and the start is tried until it succeeds. */
  onAway: () => void
}

/**
 * Starts the control plane. A database that can't be reached is waited for, and one line says so. One that answers
 * and can't be used stops the start, unless the gateway serves the configuration it has kept. Undefined when
 * the product was stopped before.
 */
export async function startControlPlane({
  gateway,
  options,
  signal,
  say,
  onAway,
}: StartControlPlaneOptions): Promise<RunningServer | undefined> {
  let isTold = false
  return startWithDatabase({
    start: () =>
      startServer({
        ...options,
        showFirstAdministrator: (made) => sayFirstAdministrator(made, say),
      }),
    settings: options.settings,
    dataDir: options.dataDir,
    signal,
    isPatient: gateway?.keptRevision !== undefined,
    onAway: async (error) => {
      onAway()
      if (!isTold) isTold = await tell(error, gateway, say)
    },
  })
}

/** False: the gateway does not serve yet, so that the operator can't be told what it does. */
async function tell(
  { message }: DatabaseAwayError,
  gateway: RemoteGateway | undefined,
  say: (line: string) => void,
): Promise<boolean> {
  if (gateway?.keptRevision === undefined) {
    say(`${message}\nGatehouse starts when the database is there.`)
    return true
  }
  if (!(await gateway.ready())) return false
  say(
    `${message}\nThe gateway serves revision ${gateway.keptRevision} at ${gateway.url} meanwhile; ` +
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
