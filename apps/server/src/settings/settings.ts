import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { createSecureContext } from 'node:tls'
import { healingModes, type HealingMode } from '@gatehouse/contract'
import { logLevels, type LogLevel } from '@gatehouse/logging'
import type { SpanSettings } from '@gatehouse/logging/spans'
import { z } from 'zod'
import type { MailAccount } from '../kernel/mail/mailer.ts'
import { mailAccountOf, smtpUrl } from './mail-settings.ts'
import { withSecretFiles } from './secret-files.ts'
import {
  address,
  choice,
  collectorUrl,
  email,
  folder,
  folders,
  headerList,
  httpUrl,
  key,
  keyPrefix,
  networks,
  number,
  optional,
  password,
  port,
  postgresUrl,
  redisUrl,
  visibleAscii,
  whole,
  withDefault,
} from './setting-schemas.ts'

const roles = ['all', 'control', 'gateway'] as const
type Role = (typeof roles)[number]

/** Everything that can be set from outside, read once at start (docs/settings.md lists it). */
export interface Settings {
  /** What this process does: all there is to do, or one of the two parts; each needs PostgreSQL then. */
  role: Role
  /** Set for a gateway that runs alone: opens what the control plane has sealed for it. */
  gatewayKey: Buffer | undefined
  host: string
  port: number
  gatewayPort: number
  /** Where clients reach the gateway, for the URLs that the dashboard shows. */
  gatewayUrl: string
  gatewayWorkers: number
  /** Connections that one client address may have to each worker. */
  gatewayHttpServer: 'http1' | 'node'
  gatewayConnectionsPerAddress: number
  /** How long the body of a request to the gateway may take to arrive. */
  gatewayWebSockets: number
  gatewayUploadMaxMs: number
  /** `/readyz` says no where the database was silent for longer; null: it does not matter. */
  gatewayStaleAfterMs: number | null
  /** A server that is to stop serves on for so long, while `/readyz` refuses. */
  shutdownDelayMs: number
  /** Where spans go, by OTLP; null: none are made. */
  spans: SpanSettings | null
  /** Files with the gateway's certificate and key, in PEM; undefined: plain HTTP. */
  tls: { certFile: string; keyFile: string } | undefined
  /** Networks whose clients may call what is open internally. */
  internalNetworks: string[]
  dataDir: string
  databaseUrl: string | undefined
  /** To PostgreSQL at most; one more listens for changes. */
  databaseConnections: number
  /** A SQLite database is copied before an upgrade. */
  isBackedUp: boolean
  /** Where rate limits are counted together with other servers; undefined: each server counts its share. */
  redis: { url: string; prefix: string } | undefined
  adminEmail: string
  adminPassword: string | undefined
  /** 32 bytes that encrypt stored secrets; undefined: the key file in `dataDir`. */
  appKey: Buffer | undefined
  /** Opens what `appKey` does not, while the key is rotated; nothing is sealed with it. */
  appKeyPrevious: Buffer | undefined
  sessionIdleMs: number
  sessionMaxMs: number
  upstreamAllow: string[]
  upstreamDeny: string[]
  trustedProxies: string[]
  /** Where the archive's files are; several servers may share it. */
  archiveDir: string
  /** Folders outside of `dataDir` whose logs the log viewer shows too. */
  logDirs: string[]
  logLevel: LogLevel
  /** Of the gateway's access log on this server; the oldest files go. */
  gatewayLogMaxBytes: number
  /** What is done at most without a person about unknown outcomes (docs/runs/unclear.md). */
  healing: HealingMode
  /** How old an unknown outcome is when the log warns of it. */
  unknownAlarmMinutes: number
  /** Where users reach the dashboard, for the links in messages; undefined: links are paths. */
  publicUrl: string | undefined
  /** Sends e-mails of the product itself; undefined: there are none. `publicUrl` is set beside it. */
  mail: MailAccount | undefined
  /** A folder in which backups arrive, whose newest file a rule of alarms watches. */
  backupDir: string | undefined
  /** Silent for longer, the control plane or the keeper of the workers is stuck and is started again. */
  watchdogMs: number
  /** Opens /metrics; undefined: open to this machine only. */
  metricsToken: string | undefined
}

const hourMs = 3_600_000
/** Loopback and the private ranges of RFC 1918 and RFC 4193. */
const internalNetworksDefault =
  '127.0.0.0/8,::1/128,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,fc00::/7'

const variables = z.object({
  ROLE: withDefault('all', choice(roles)),
  GATEWAY_KEY: optional(key),
  PORT: withDefault('3000', port),
  GATEWAY_PORT: withDefault('8080', port),
  HOST: withDefault('127.0.0.1', address),
  GATEWAY_URL: optional(httpUrl),
  GATEWAY_WORKERS: withDefault(String(Math.max(1, availableParallelism() - 1)), whole(1, 256)),
  GATEWAY_HTTP_SERVER: withDefault('http1', choice(['http1', 'node'])),
  GATEWAY_CONNECTIONS_PER_ADDRESS: withDefault('512', whole(1, 1_000_000)),
  GATEWAY_WEBSOCKETS: withDefault('1000', whole(0, 100_000)),
  GATEWAY_UPLOAD_MAX_SECONDS: withDefault('3600', whole(10, 86_400)),
  GATEWAY_STALE_AFTER: optional(whole(2, 86_400)),
  SHUTDOWN_DELAY_SECONDS: withDefault('0', whole(0, 300)),
  TLS_CERT: z.string(),
  TLS_KEY: z.string(),
  INTERNAL_NETWORKS: withDefault(internalNetworksDefault, networks),
  DATA_DIR: withDefault('./data', z.string()),
  DATABASE_URL: optional(postgresUrl),
  DATABASE_CONNECTIONS: withDefault('10', whole(2, 500)),
  UPGRADE_BACKUP: withDefault('on', choice(['on', 'off'])),
  REDIS_URL: optional(redisUrl),
  REDIS_PREFIX: withDefault('gatehouse:', keyPrefix),
  ADMIN_EMAIL: withDefault('admin@example.com', email),
  ADMIN_PASSWORD: optional(password),
  APP_KEY: optional(key),
  APP_KEY_PREVIOUS: optional(key),
  SESSION_IDLE_HOURS: withDefault('12', number(0.01, 720)),
  SESSION_MAX_HOURS: withDefault('168', number(0.01, 8760)),
  UPSTREAM_ALLOW: networks,
  UPSTREAM_DENY: networks,
  TRUSTED_PROXIES: networks,
  ARCHIVE_DIR: optional(folder),
  GATEWAY_LOG_MAX_MB: withDefault('4096', whole(128, 10_000_000)),
  LOG_DIRS: folders,
  LOG_LEVEL: withDefault('info', choice(logLevels)),
  HEALING: withDefault('ask_and_send', choice(healingModes)),
  UNKNOWN_ALARM_MINUTES: withDefault('60', whole(1, 10_080)),
  PUBLIC_URL: optional(httpUrl),
  SMTP_URL: optional(smtpUrl),
  SMTP_FROM: optional(email),
  SMTP_CA: optional(folder),
  BACKUP_DIR: optional(folder),
  WATCHDOG_SECONDS: withDefault('30', whole(1, 3_600)),
  METRICS_TOKEN: optional(visibleAscii),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(collectorUrl),
  OTEL_EXPORTER_OTLP_HEADERS: headerList,
  OTEL_SERVICE_NAME: withDefault('gatehouse', z.string()),
  OTEL_TRACES_SAMPLER_ARG: withDefault('1', number(0, 1)),
})

type Name = keyof typeof variables.shape

/** Settings whose values no message repeats. */
const secretNames = new Set<string>([
  'DATABASE_URL',
  'REDIS_URL',
  'ADMIN_PASSWORD',
  'APP_KEY',
  'APP_KEY_PREVIOUS',
  'GATEWAY_KEY',
  'METRICS_TOKEN',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'SMTP_URL',
] satisfies Name[])

/** A setting that can't be used: the message is the one line that the start prints. */
export class SettingError extends Error {
  override name = 'SettingError'
  constructor(name: string, value: string, allowed: string) {
    super(`${name}=${value} can't be used: ${allowed}`)
  }
}

/** Reads and checks the settings. Throws a SettingError for the first one that is wrong. */
export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  const given = parseVariables(environment)
  refusePortTwice(given, environment)
  refuseRole(given)
  const { GATEWAY_PORT: gatewayPort } = given
  const tls = tlsFiles({ certFile: given.TLS_CERT, keyFile: given.TLS_KEY })
  return {
    role: given.ROLE,
    gatewayKey: given.GATEWAY_KEY,
    host: given.HOST,
    port: given.PORT,
    gatewayPort,
    gatewayUrl: given.GATEWAY_URL ?? `${tls ? 'https' : 'http'}://localhost:${gatewayPort}`,
    gatewayWorkers: given.GATEWAY_WORKERS,
    gatewayHttpServer: given.GATEWAY_HTTP_SERVER,
    gatewayConnectionsPerAddress: given.GATEWAY_CONNECTIONS_PER_ADDRESS,
    gatewayWebSockets: given.GATEWAY_WEBSOCKETS,
    gatewayUploadMaxMs: given.GATEWAY_UPLOAD_MAX_SECONDS * 1_000,
    gatewayStaleAfterMs: secondsToMs(given.GATEWAY_STALE_AFTER),
    shutdownDelayMs: given.SHUTDOWN_DELAY_SECONDS * 1_000,
    tls,
    internalNetworks: given.INTERNAL_NETWORKS,
    dataDir: given.DATA_DIR,
    databaseUrl: given.DATABASE_URL,
    databaseConnections: given.DATABASE_CONNECTIONS,
    isBackedUp: given.UPGRADE_BACKUP === 'on',
    redis: given.REDIS_URL ? { url: given.REDIS_URL, prefix: given.REDIS_PREFIX } : undefined,
    adminEmail: given.ADMIN_EMAIL,
    adminPassword: given.ADMIN_PASSWORD,
    appKey: given.APP_KEY,
    appKeyPrevious: given.APP_KEY_PREVIOUS,
    sessionIdleMs: given.SESSION_IDLE_HOURS * hourMs,
    sessionMaxMs: given.SESSION_MAX_HOURS * hourMs,
    upstreamAllow: given.UPSTREAM_ALLOW,
    upstreamDeny: given.UPSTREAM_DENY,
    trustedProxies: given.TRUSTED_PROXIES,
    archiveDir: given.ARCHIVE_DIR ?? join(given.DATA_DIR, 'archive'),
    gatewayLogMaxBytes: given.GATEWAY_LOG_MAX_MB * 1024 * 1024,
    logDirs: given.LOG_DIRS,
    logLevel: given.LOG_LEVEL,
    healing: given.HEALING,
    unknownAlarmMinutes: given.UNKNOWN_ALARM_MINUTES,
    publicUrl: given.PUBLIC_URL,
    mail: mailAccountOf(given, (...refused) => {
      throw new SettingError(...refused)
    }),
    backupDir: given.BACKUP_DIR,
    watchdogMs: given.WATCHDOG_SECONDS * 1_000,
    metricsToken: given.METRICS_TOKEN,
    spans: spansOf(given),
  }
}

function spansOf(given: z.output<typeof variables>): Settings['spans'] {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = given
  if (endpoint === undefined) return null
  return {
    url: `${endpoint}/v1/traces`,
    headers: given.OTEL_EXPORTER_OTLP_HEADERS,
    serviceName: given.OTEL_SERVICE_NAME,
    ratio: given.OTEL_TRACES_SAMPLER_ARG,
  }
}

const secondsToMs = (seconds: number | undefined) =>
  seconds === undefined ? null : seconds * 1_000

function parseVariables(environment: NodeJS.ProcessEnv): z.output<typeof variables> {
  const names = Object.keys(variables.shape)
  const given = withSecretFiles(environment, secretNames, (...refused) => {
    throw new SettingError(...refused)
  })
  const texts = Object.fromEntries(names.map((name) => [name, given[name]?.trim() ?? '']))
  const parsed = variables.safeParse(texts)
  if (parsed.success) return parsed.data
  const { path, message } = parsed.error.issues[0]!
  const name = String(path[0])
  throw new SettingError(name, secretNames.has(name) ? '(hidden)' : (texts[name] ?? ''), message)
}

/** The default of GATEWAY_PORT may be the number that PORT has; the listener then reports it. */
function refusePortTwice(
  { PORT, GATEWAY_PORT }: z.output<typeof variables>,
  environment: NodeJS.ProcessEnv,
): void {
  const isSet = environment['GATEWAY_PORT'] !== undefined
  if (isSet && PORT === GATEWAY_PORT && PORT !== 0)
    throw new SettingError('GATEWAY_PORT', String(GATEWAY_PORT), 'PORT has the same number')
}

/** A part that runs alone shares the database with the other; and a gateway holds no more keys than it needs. */
function refuseRole({
  ROLE,
  DATABASE_URL,
  GATEWAY_KEY,
  APP_KEY,
  APP_KEY_PREVIOUS,
}: z.output<typeof variables>): void {
  if (ROLE === 'all') return
  const refuse = (why: string) => {
    throw new SettingError('ROLE', ROLE, why)
  }
  if (DATABASE_URL === undefined)
    refuse('it needs PostgreSQL: set DATABASE_URL, or run everything in one process without ROLE')
  if (ROLE === 'control') return
  if (GATEWAY_KEY === undefined)
    refuse('set GATEWAY_KEY, which `npm run admin -- gateway-account` prints')
  if (APP_KEY !== undefined || APP_KEY_PREVIOUS !== undefined)
    refuse('APP_KEY is set, which opens more than a gateway needs: take it out of its environment')
}

interface TlsFiles {
  certFile: string
  keyFile: string
}

/** Both files or neither; they must be readable and belong together. */
function tlsFiles(files: TlsFiles): Settings['tls'] {
  const { certFile, keyFile } = files
  if (certFile === '' && keyFile === '') return undefined
  if (certFile === '') throw new SettingError('TLS_CERT', certFile, 'TLS_KEY is set: set both')
  if (keyFile === '') throw new SettingError('TLS_KEY', keyFile, 'TLS_CERT is set: set both')
  readTls(files)
  return files
}

/** Reads certificate and key, which may have been renewed. Throws a SettingError where they can't be used. */
export function readTls({ certFile, keyFile }: TlsFiles): { cert: string; key: string } {
  const readPem = (name: string, file: string): string => {
    try {
      return readFileSync(file, 'utf8')
    } catch (error) {
      throw new SettingError(name, file, `it can't be read (${(error as Error).message})`)
    }
  }
  const pair = { cert: readPem('TLS_CERT', certFile), key: readPem('TLS_KEY', keyFile) }
  try {
    createSecureContext(pair)
  } catch (error) {
    throw new SettingError(
      'TLS_CERT',
      certFile,
      `a certificate in PEM that belongs to TLS_KEY (${(error as Error).message})`,
    )
  }
  return pair
}
