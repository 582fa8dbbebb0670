import { setTimeout as sleep } from 'node:timers/promises'
import {
  startGatewayNode,
  type DataDir,
  type RunningServer,
  type Settings,
} from '@gatehouse/server'
import { startGateway, type RunningGateway } from './link-gateway.ts'
import { startControlPlane } from './start-control-plane.ts'
import { startWithDatabase } from './start-with-database.ts'

const readyMaxMs = 10_000

/** What this process is made of, whatever its role. */
export interface Parts {
  settings: Settings
  dataDir: DataDir
  version: string
  dashboardFolder: string
  say: (line: string) => void
  /** Aborted when the process is to stop. */
  signal: AbortSignal
  /** Says how to stop what runs by now. */
  onStop: (work: () => Promise<void>) => void
  /** Another process has taken the identity of this one. */
  onLost: () => void
}

/** Control plane and gateway in one. */
export async function runAll(parts: Parts): Promise<void> {
  const gateway = await openGateway(parts)
  const server = await startControl(parts, gateway)
  if (!server) return
  // A configuration that workers refuse is shown in the dashboard, which therefore has to be there.
  const isServing = await isReady(gateway)
  const { version, say } = parts
  say(`Gatehouse ${version} is ready at ${server.url}, its gateway at ${gateway.url}`)
  if (!isServing) say('The gateway does not serve yet: the dashboard and logs/gateway tell why.')
}

/** The control plane: gateways run elsewhere. */
export async function runControl(parts: Parts): Promise<void> {
  // Without a listener it would end the process; there is no gateway whose certificate could be renewed.
  process.on('SIGHUP', () => {})
  const server = await startControl(parts, undefined)
  if (server) parts.say(`Gatehouse ${parts.version} is ready at ${server.url}, without a gateway`)
}

/** The gateway: control planes run elsewhere, and may be away. */
export async function runGateway(parts: Parts): Promise<void> {
  const { settings, dataDir, version, say, signal } = parts
  const gateway = await openGateway(parts)
  const { keptRevision } = gateway
  const ownSettings = withPortOf(settings, gateway)
  let isTold = false
  const node = await startWithDatabase({
    start: () =>
      startGatewayNode({ settings: ownSettings, dataDir, version, gateway, keptRevision }),
    settings: ownSettings,
    dataDir,
    signal,
    isPatient: false,
    onAway: async ({ message }) => {
      if (!isTold)
        say(
          `${message}\nThe gateway has kept no configuration, and serves when the database is there.`,
        )
      isTold = true
    },
  })
  if (!node) return
  parts.onStop(() => node.stop())
  void node.lost.then(parts.onLost)
  if (node.awayBecause !== undefined)
    say(`${node.awayBecause}\nThe gateway serves revision ${keptRevision} meanwhile.`)
  const isServing = await isReady(gateway)
  say(`Gatehouse ${version} is ready at ${node.url}, its gateway at ${gateway.url}`)
  if (!isServing) say('The gateway does not serve yet: logs/gateway tells why.')
}

async function openGateway({ settings, dataDir, onStop }: Parts): Promise<RunningGateway> {
  const gateway = await startGateway(settings, dataDir)
  onStop(() => gateway.stop())
  // New workers, one after the other, with the certificate as it is now.
  process.on('SIGHUP', () => void gateway.rollingRestart())
  return gateway
}

async function startControl(
  parts: Parts,
  gateway: RunningGateway | undefined,
): Promise<RunningServer | undefined> {
  const { settings, dataDir, version, dashboardFolder, say, signal } = parts
  const server = await startControlPlane({
    gateway,
    signal,
    say,
    options: {
      settings: gateway ? withPortOf(settings, gateway) : settings,
      dataDir,
      gateway,
      version,
      dashboardFolder,
    },
  })
  if (!server) return undefined
  parts.onStop(() => server.stop())
  void server.lost.then(parts.onLost)
  return server
}

const isReady = (gateway: RunningGateway): Promise<boolean> =>
  Promise.race([gateway.ready(), sleep(readyMaxMs, false, { ref: false })])

/** Port 0 is any port, and by now it is known which. */
const withPortOf = (settings: Settings, { address: { port } }: RunningGateway): Settings => ({
  ...settings,
  gatewayPort: port,
  gatewayUrl: settings.gatewayUrl.replace(/:0$/, `:${port}`),
})
