import { logLevels, type LogLevel } from '@gatehouse/logging'
import { passwordMaxLength, passwordMinLength } from '@gatehouse/contract'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { isAbsolute, resolve } from 'node:path'
import { createSecureContext } from 'node:tls'

/** Everything that can be set from outside, read once at start (docs/operations.md lists it). */
export interface Settings {
  host: string
  port: number
  gatewayPort: number
  /** Where clients reach the gateway, for the URLs that the dashboard shows. */
  gatewayUrl: string
  gatewayWorkers: number
  /** Connections that one client address may have to each worker. */
  gatewayConnectionsPerAddress: number
  /** How long the body of a request to the gateway may take to arrive. */
  gatewayUploadMaxMs: number
  /** Files with the gateway's certificate and key, in PEM; undefined: plain HTTP. */
  tls: { certFile: string; keyFile: string } | undefined
  /** Networks whose clients may call what is open internally. */
  internalNetworks: string[]
  dataDir: string
  databaseUrl: string | undefined
  adminEmail: string
  adminPassword: string | undefined
  /** 32 bytes that encrypt stored secrets; undefined: the key file in `dataDir`. */
  appKey: Buffer | undefined
  sessionIdleMs: number
  sessionMaxMs: number
  upstreamAllow: string[]
  upstreamDeny: string[]
  trustedProxies: string[]
  /** Folders of others whose logs the log viewer shows, beside our own. */
  logDirs: string[]
  logLevel: LogLevel
  /** After so long an unknown outcome is alarmed in the log. */
  unknownAlarmMinutes: number
  /** Opens /metrics; undefined: open to this machine alone. */
  metricsToken: string | undefined
}

const hourMs = 3_600_000
/** Loopback and the private ranges of RFC 1918 and RFC 4193. */
const internalNetworksDefault =
  '127.0.0.0/8,::1/128,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,fc00::/7'

/** A setting that can't be used: the message is the one line that the start prints. */
export class SettingError extends Error {
  override name = 'SettingError'
  constructor(name: string, value: string, allowed: string) {
    super(`${name}=${value} can't be used: ${allowed}`)
  }
}

type Read<T> = (value: string, fail: (allowed: string) => never) => T

/** Reads and checks the settings. Throws a SettingError for the first one that is wrong. */
export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  function read<T>(name: string, fallback: string, parse: Read<T>, isSecret = false): T {
    const value = environment[name]?.trim() || fallback
    return parse(value, (allowed) => {
      throw new SettingError(name, isSecret ? '(hidden)' : value, allowed)
    })
  }
  const optional =
    <T>(parse: Read<T>): Read<T | undefined> =>
    (value, fail) =>
      value === '' ? undefined : parse(value, fail)

  const adminPort = read('PORT', '3000', port)
  const gatewayPort = read('GATEWAY_PORT', '8080', (value, fail) => {
    const parsed = port(value, fail)
    const isTwice =
      parsed === adminPort && parsed !== 0 && environment['GATEWAY_PORT'] !== undefined
    return isTwice ? fail('PORT has the same number') : parsed
  })
  const tls = readTlsFiles(environment)
  const workers = String(Math.max(1, availableParallelism() - 1))
  return {
    host: read('HOST', '127.0.0.1', address),
    port: adminPort,
    gatewayPort,
    gatewayUrl: read(
      'GATEWAY_URL',
      `${tls ? 'https' : 'http'}://localhost:${gatewayPort}`,
      httpUrl,
    ),
    gatewayWorkers: read('GATEWAY_WORKERS', workers, whole(1, 256)),
    gatewayConnectionsPerAddress: read(
      'GATEWAY_CONNECTIONS_PER_ADDRESS',
      '512',
      whole(1, 1_000_000),
    ),
    gatewayUploadMaxMs: read('GATEWAY_UPLOAD_MAX_SECONDS', '3600', whole(10, 86_400)) * 1_000,
    tls,
    internalNetworks: read('INTERNAL_NETWORKS', internalNetworksDefault, networks),
    dataDir: read('DATA_DIR', './data', (value) => value),
    databaseUrl: read('DATABASE_URL', '', optional(postgresUrl), true),
    adminEmail: read('ADMIN_EMAIL', 'admin@example.com', email),
    adminPassword: read('ADMIN_PASSWORD', '', optional(password), true),
    appKey: read('APP_KEY', '', optional(key), true),
    sessionIdleMs: read('SESSION_IDLE_HOURS', '12', number(0.01, 720)) * hourMs,
    sessionMaxMs: read('SESSION_MAX_HOURS', '168', number(0.01, 8760)) * hourMs,
    upstreamAllow: read('UPSTREAM_ALLOW', '', networks),
    upstreamDeny: read('UPSTREAM_DENY', '', networks),
    trustedProxies: read('TRUSTED_PROXIES', '', networks),
    logDirs: read('LOG_DIRS', '', folders),
    logLevel: read('LOG_LEVEL', 'info', choice(logLevels)),
    unknownAlarmMinutes: read('UNKNOWN_ALARM_MINUTES', '60', whole(1, 10_080)),
    metricsToken: read('METRICS_TOKEN', '', optional(metricsToken), true),
  }
}

/** Both files or neither; they must be readable and belong together. */
function readTlsFiles(environment: NodeJS.ProcessEnv): Settings['tls'] {
  const certFile = environment['TLS_CERT']?.trim() ?? ''
  const keyFile = environment['TLS_KEY']?.trim() ?? ''
  if (certFile === '' && keyFile === '') return undefined
  if (certFile === '') throw new SettingError('TLS_CERT', certFile, 'TLS_KEY is set: set both')
  if (keyFile === '') throw new SettingError('TLS_KEY', keyFile, 'TLS_CERT is set: set both')
  readTls({ certFile, keyFile })
  return { certFile, keyFile }
}

/** Reads certificate and key, which may have been renewed. Throws a SettingError where they can't be used. */
export function readTls({ certFile, keyFile }: { certFile: string; keyFile: string }): {
  cert: string
  key: string
} {
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

const port: Read<number> = (value, fail) =>
  /^\d{1,5}$/.test(value) && Number(value) <= 65_535
    ? Number(value)
    : fail('a port is a number from 0 to 65535')

const address: Read<string> = (value, fail) =>
  isIP(value) || value === 'localhost'
    ? value
    : fail('an IP address to listen on, like 127.0.0.1 or 0.0.0.0')

const httpUrl: Read<string> = (value, fail) =>
  /^https?:\/\/[^/?#]+\/?$/.test(value) && URL.canParse(value)
    ? value.replace(/\/$/, '')
    : fail('a URL without a path, like https://gateway.example.com')

const postgresUrl: Read<string> = (value, fail) =>
  /^postgres(ql)?:\/\//.test(value) &&
  URL.canParse(value.replace(/^postgres(ql)?:/, 'http:').replace('///', '//localhost/'))
    ? value
    : fail('a connection string that starts with postgres://')

const email: Read<string> = (value, fail) =>
  /^[^\s@]+@[^\s@]+$/.test(value) && value.length <= 254 ? value : fail('an e-mail address')

const password: Read<string> = (value, fail) =>
  value.length >= passwordMinLength && value.length <= passwordMaxLength
    ? value
    : fail(`a password has ${passwordMinLength} to ${passwordMaxLength} characters`)

const key: Read<Buffer> = (value, fail) => {
  const bytes = Buffer.from(value, 'base64')
  return bytes.length === 32
    ? bytes
    : fail('32 random bytes in base64, as `openssl rand -base64 32` prints them')
}

const number =
  (min: number, max: number): Read<number> =>
  (value, fail) => {
    const parsed = Number(value)
    return parsed >= min && parsed <= max ? parsed : fail(`a number from ${min} to ${max}`)
  }

const whole =
  (min: number, max: number): Read<number> =>
  (value, fail) =>
    /^\d{1,9}$/.test(value) && Number(value) >= min && Number(value) <= max
      ? Number(value)
      : fail(`a whole number from ${min} to ${max}`)

const metricsToken: Read<string> = (value, fail) =>
  /^[\x21-\x7e]{16,512}$/.test(value) ? value : fail('16 to 512 visible ASCII characters')

const networks: Read<string[]> = (value, fail) => {
  const list = value
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)
  for (const entry of list) {
    const [network = '', bits, ...rest] = entry.split('/')
    const family = isIP(network)
    const isBits =
      bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
    if (!family || !isBits || rest.length > 0) fail('a list of networks like 10.0.0.0/8,fd00::/8')
  }
  return list
}

const folders: Read<string[]> = (value, fail) => {
  const list = value
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)
  return list.every((entry) => isAbsolute(entry))
    ? list.map((entry) => resolve(entry))
    : fail('a list of absolute paths like /var/log/nginx,/var/log/php')
}

const choice =
  <const C extends readonly string[]>(choices: C): Read<C[number]> =>
  (value, fail) =>
    choices.includes(value) ? value : fail(`one of ${choices.join(', ')}`)
