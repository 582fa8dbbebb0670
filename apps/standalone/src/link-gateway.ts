import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import {
  Fleet,
  SnapshotFile,
  workerDefaults,
  type ReportMessage,
} from '@gatehouse/gateway/supervisor'
import { openLog } from '@gatehouse/logging'
import {
  ownAddresses,
  readTls,
  StartError,
  type DataDir,
  type GatewayLink,
  type GatewayReport,
  type GatewayToken,
  type SeenProcedure,
  type Settings,
} from '@gatehouse/server'
import { accessLogMaxBytes, urlOf } from './gateway-settings.ts'
import { openSeal } from './open-seal.ts'
import { Traces } from './traces.ts'

const keepAliveMs = 5_000
const drainMs = 30_000

export interface RunningGateway extends GatewayLink {
  readonly keptRevision: number | undefined
  /** Settles when every worker listens; with a kept configuration that needs no control plane. */
  ready(): Promise<boolean>
  rollingRestart(): Promise<void>
}

/**
 * Starts the workers, which serve at once where a configuration was kept, and gives the control plane
 * what it needs of them. Throws a StartError where the port is in use.
 */
export async function startGateway(settings: Settings, dataDir: DataDir): Promise<RunningGateway> {
  const log = openLog(dataDir.path, 'gateway', settings.logLevel)
  const traces = new Traces()
  const ticketKeys = randomBytes(48).toString('base64')
  const listeners: ((report: GatewayReport) => void)[] = []
  const observers: ((apiId: number, seen: SeenProcedure) => void)[] = []
  let supply: Parameters<GatewayLink['onTokenWanted']>[0] | undefined
  const hear = (report: ReportMessage) => {
    for (const listener of listeners) listener(report)
  }
  const blocked = await ownAddresses(settings)
  if (settings.port !== 0) blocked.push({ address: settings.host, port: settings.port })
  let tls = settings.tls ? readTls(settings.tls) : null
  const readRenewed = () => {
    try {
      if (settings.tls) tls = readTls(settings.tls)
    } catch (error) {
      log.error(
        { err: error },
        'the certificate can’t be read again; the previous one stays in use',
      )
    }
    return tls && { ...tls, ticketKeys }
  }

  const fleet = openFleet(
    settings,
    () =>
      new Fleet({
        size: settings.gatewayWorkers,
        host: settings.host,
        port: settings.gatewayPort,
        settings: () => ({
          dataDir: dataDir.path,
          logLevel: settings.logLevel,
          accessLogMaxBytes: accessLogMaxBytes(settings),
          tls: readRenewed(),
          trustedProxies: settings.trustedProxies,
          internalNetworks: settings.internalNetworks,
          upstreamAllow: settings.upstreamAllow,
          upstreamDeny: settings.upstreamDeny,
          ownAddresses: blocked,
          traceSecret: traces.secret,
          spans: settings.spans,
          keepAliveMs,
          httpServer: settings.gatewayHttpServer,
          connectionsPerAddress: settings.gatewayConnectionsPerAddress,
          webSocketsMax: settings.gatewayWebSockets,
          upload: { ...workerDefaults.upload, maxMs: settings.gatewayUploadMaxMs },
          drainMs,
          staleAfterMs: settings.databaseUrl ? settings.gatewayStaleAfterMs : null,
          unheardMs: 0,
          redis: settings.redis ?? null,
          servers: 1,
        }),
        file: new SnapshotFile(
          dataDir.path,
          () => openSeal(settings, dataDir),
          (error) => log.error({ err: error }, 'the configuration can’t be kept on disk'),
        ),
        log: {
          info: (details, message) => log.info(details, message),
          warn: (details, message) => log.warn(details, message),
          error: (details, message) => log.error(details, message),
        },
        cacheFolder: join(dataDir.path, 'cache'),
        onReport: hear,
        onProcedureSeen: (seen) => {
          for (const listener of observers) listener(seen.api_id, seen)
        },
        onTokenWanted: async ({ api_id, refused }) => {
          if (!supply) throw new Error('The control plane does not run yet.')
          return toUpstreamToken(await supply(api_id, refused))
        },
        onTrace: (trace) => traces.receive(trace),
      }),
  )

  const { address } = fleet
  return {
    address,
    url: urlOf(settings, address),
    startTrace: (endpointId, as) => traces.begin(`e${endpointId}`, as),
    startUnsavedTrace: async (unsaved, as) => {
      const started = traces.begin('u', as)
      await fleet.holdUnsaved({ ...unsaved, trace_id: started.id })
      return started
    },
    keptRevision: fleet.keptRevision,
    ready: () => fleet.ready(),
    publish: (snapshot, changes) => fleet.publish(snapshot, changes),
    workers: () =>
      fleet
        .workers()
        .map(({ startedAt, rssBytes, inFlight, webSockets, openBreakers, ...worker }) => ({
          ...worker,
          started_at: startedAt.toISOString(),
          rss_bytes: rssBytes,
          in_flight: inFlight,
          web_sockets: webSockets,
          open_breakers: [...openBreakers],
        })),
    onReport: (listener) => listeners.push(listener),
    onProcedureSeen: (listener) => observers.push(listener),
    onTokenWanted: (supplier) => {
      supply = supplier
    },
    setToken: (apiId, token) => fleet.setToken(apiId, toUpstreamToken(token)),
    heard: () => fleet.heard(),
    setTokenUsage: (usages) => fleet.setTokenUsage(usages),
    setServers: (servers) => fleet.setServers(servers),
    limits: () => {
      const { state, reason, since, timesAway, servers } = fleet.limits
      return { state, reason, since: since.toISOString(), times_away: timesAway, servers }
    },
    forget: () => {
      listeners.length = 0
      observers.length = 0
      supply = undefined
    },
    blockAddresses: (own) => fleet.blockAddresses([...own]),
    rollingRestart: () => fleet.rollingRestart(),
    stop: async () => {
      await fleet.stop()
      log.flush()
    },
  }
}

const toUpstreamToken = ({ token, version, renewAt, expiresAt }: GatewayToken) => ({
  token,
  version,
  renew_at_ms: renewAt.getTime(),
  expires_at_ms: expiresAt.getTime(),
})

function openFleet({ host, gatewayPort }: Settings, open: () => Fleet): Fleet {
  try {
    return open()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const reason = code === 'EADDRINUSE' ? 'is in use' : `can't be opened (${message})`
    throw new StartError(
      `Port ${gatewayPort} on ${host} ${reason}. Stop what uses it, or set GATEWAY_PORT.`,
      { cause: error },
    )
  }
}
