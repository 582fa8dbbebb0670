import { setTimeout as sleep } from 'node:timers/promises'
import {
  startGatewayNode,
  type DataDir,
  type RunningServer,
  type Settings,
} from '@gatehouse/server'
import { RemoteGateway } from '../link/remote-gateway.ts'
import type { PartProcess } from './part-process.ts'
import { startControlPlane } from './start-control-plane.ts'
import { startWithDatabase } from './start-with-database.ts'

const readyMaxMs = 10_000

/** What this process is made of, whatever the role of the server. */
interface Parts {
  part: PartProcess
  settings: Settings
  dataDir: DataDir
  version: string
  dashboardFolder: string
  say: (line: string) => void
  /** Another server has taken the identity of this one. */
  onLost: () => void
}

/** The control plane, with the gateway in the process beside it. */
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
  const server = await startControl(parts, undefined)
  if (server) parts.say(`Gatehouse ${parts.version} is ready at ${server.url}, without a gateway`)
}

/** What connects the gateway in the process beside this one to control planes elsewhere, which may be away. */
export async function runGateway(parts: Parts): Promise<void> {
  const { part, settings, dataDir, version, say } = parts
  const gateway = await openGateway(parts)
  const { keptRevision } = gateway
  const ownSettings = withPortOf(settings, gateway)
  let isTold = false
  const node = await startWithDatabase({
    start: () => {
      const { ends } = part
      return startGatewayNode({
        settings: ownSettings,
        dataDir,
        version,
        gateway,
        keptRevision,
        ends,
      })
    },
    settings: ownSettings,
    dataDir,
    signal: part.signal,
    isPatient: false,
    onAway: async ({ message }) => {
      part.up({ watchdogMs: settings.watchdogMs })
      if (!isTold)
        say(
          `${message}\nThe gateway has kept no configuration, and serves when the database is there.`,
        )
      isTold = true
    },
  })
  if (!node) return
  part.onStop((isUrgent) => node.stop(isUrgent))
  void node.lost.then(parts.onLost)
  upAt(parts, node.url)
  if (node.awayBecause !== undefined)
    say(`${node.awayBecause}\nThe gateway serves revision ${keptRevision} meanwhile.`)
  const isServing = await isReady(gateway)
  say(`Gatehouse ${version} is ready at ${node.url}, its gateway at ${gateway.url}`)
  if (!isServing) say('The gateway does not serve yet: logs/gateway tells why.')
}

const openGateway = ({ part }: Parts): Promise<RemoteGateway> =>
  RemoteGateway.open({
    stream: part.openLink(),
    // What nobody waits for must not end the control plane.
    onFault: (error) => process.stderr.write(`${(error as Error).stack}\n`),
  })

async function startControl(
  parts: Parts,
  gateway: RemoteGateway | undefined,
): Promise<RunningServer | undefined> {
  const { part, settings, dataDir, version, dashboardFolder, say } = parts
  const server = await startControlPlane({
    gateway,
    signal: part.signal,
    say,
    onAway: () => part.up({ watchdogMs: settings.watchdogMs }),
    options: {
      settings: gateway ? withPortOf(settings, gateway) : settings,
      dataDir,
      gateway,
      version,
      dashboardFolder,
      ends: part.ends,
    },
  })
  if (!server) return undefined
  part.onStop((isUrgent) => server.stop(isUrgent))
  void server.lost.then(parts.onLost)
  upAt(parts, server.url)
  return server
}

const upAt = ({ part, settings: { watchdogMs } }: Parts, url: string): void =>
  part.up({ watchdogMs, port: Number(new URL(url).port || 80) })

const isReady = (gateway: RemoteGateway): Promise<boolean> =>
  Promise.race([gateway.ready(), sleep(readyMaxMs, false, { ref: false })])

/** Port 0 is any port, and by now it is known which. */
const withPortOf = (settings: Settings, { address: { port } }: RemoteGateway): Settings => ({
  ...settings,
  gatewayPort: port,
  gatewayUrl: settings.gatewayUrl.replace(/:0$/, `:${port}`),
})
