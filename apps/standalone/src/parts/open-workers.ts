import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import {
  Fleet,
  SnapshotFile,
  workerDefaults,
  type FleetOptions,
  type WorkerSettings,
} from '@gatehouse/gateway/supervisor'
import type { openLog } from '@gatehouse/logging'
import { ownAddresses, readTls, StartError, type Settings } from '@gatehouse/server/environment'
import { accessLogMaxBytes } from './gateway-settings.ts'
import { openSeal } from './open-seal.ts'

const keepAliveMs = 5_000
const drainMs = 30_000

type Hearing = Pick<
  FleetOptions,
  'onReport' | 'onProcedureSeen' | 'onTokenWanted' | 'onAgentAsked' | 'onTrace'
>

interface OpenWorkersOptions extends Hearing {
  settings: Settings
  /** `DATA_DIR`, whole. */
  folder: string
  log: ReturnType<typeof openLog>
  traceSecret: string
  /** See `FleetOptions`. */
  held: unknown
}

/**
 * Starts the workers, which serve at once where a configuration was kept. Throws a StartError where the port is
 * in use.
 */
export async function openWorkers(options: OpenWorkersOptions): Promise<Fleet> {
  const { settings, folder, log, held } = options
  const blocked = await ownAddresses(settings)
  if (settings.port !== 0) blocked.push({ address: settings.host, port: settings.port })
  const readRenewed = renewedTls(settings, log)
  return openFleet(settings, {
    ...options,
    size: settings.gatewayWorkers,
    host: settings.host,
    port: settings.gatewayPort,
    held,
    settings: () => ({
      ...settingsOf(options),
      tls: readRenewed(),
      ownAddresses: blocked,
    }),
    file: new SnapshotFile(
      folder,
      () => openSeal(settings, folder),
      (error) => log.error({ err: error }, 'the configuration can’t be kept on disk'),
    ),
    log: {
      info: (details, message) => log.info(details, message),
      warn: (details, message) => log.warn(details, message),
      error: (details, message) => log.error(details, message),
    },
    cacheFolder: join(folder, 'cache'),
  })
}

function settingsOf({ settings, folder, traceSecret }: OpenWorkersOptions) {
  return {
    dataDir: folder,
    logLevel: settings.logLevel,
    accessLogMaxBytes: accessLogMaxBytes(settings),
    trustedProxies: settings.trustedProxies,
    internalNetworks: settings.internalNetworks,
    upstreamAllow: settings.upstreamAllow,
    upstreamDeny: settings.upstreamDeny,
    traceSecret,
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
  }
}

/** Reads the certificate at each call; one that can't be read leaves the previous one in use. */
function renewedTls(
  { tls: files }: Settings,
  log: OpenWorkersOptions['log'],
): () => WorkerSettings['tls'] {
  const ticketKeys = randomBytes(48).toString('base64')
  let tls = files ? readTls(files) : null
  return () => {
    try {
      if (files) tls = readTls(files)
    } catch (error) {
      log.error(
        { err: error },
        'the certificate can’t be read again; the previous one stays in use',
      )
    }
    return tls && { ...tls, ticketKeys }
  }
}

function openFleet({ host, gatewayPort }: Settings, options: FleetOptions): Fleet {
  try {
    return new Fleet(options)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const reason = code === 'EADDRINUSE' ? 'is in use' : `can't be opened (${message})`
    throw new StartError(
      `Port ${gatewayPort} on ${host} ${reason}. Stop what uses it, or set GATEWAY_PORT.`,
      { cause: error },
    )
  }
}
