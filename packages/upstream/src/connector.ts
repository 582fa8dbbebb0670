import { lookup as systemLookup } from 'node:dns'
import type { LookupAddress, LookupOptions } from 'node:dns'
import { connect as connectTcp, isIP } from 'node:net'
import type { LookupFunction, OnReadOpts, Socket, TcpNetConnectOpts } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { SecureContext } from 'node:tls'
import type { buildConnector } from 'undici'
import type { AddressGuard } from './address-guard.ts'
import { classifyConnectError, UpstreamFailure } from './failures.ts'
import type { ConnectPhase } from './failures.ts'

/** `dns.lookup` with `all: true`. */
export type LookupAll = (
  hostname: string,
  options: LookupOptions & { all: true },
  callback: (error: Error | null, addresses: LookupAddress[]) => void,
) => void

export interface ConnectorOptions {
  guard: AddressGuard
  /** Bounds name lookup, TCP and TLS together. */
  connectTimeoutMs: number
  /** The system's resolver unless given. */
  lookup?: LookupAll
  /** Certificate authorities (PEM) to trust instead of Node's own. */
  ca?: string | readonly string[]
  /** A client certificate, and authorities of its own, for secure connections. */
  secureContext?: SecureContext
}

interface GuardedTarget {
  /** With its colon. */
  protocol: string
  /** IPv6 addresses with or without brackets. */
  hostname: string
  /** Empty for the scheme's own. */
  port: string
  /** Memory to read into, for a connection that is not secure; see `net.connect`. */
  onread?: OnReadOpts
}

/** The connection, or why there is none: an UpstreamFailure. */
export type Connected = (...got: [UpstreamFailure, null] | [null, Socket]) => void

/**
 * Connects to a host, and asks the guard about every address a name resolves to and connects to no
 * other: the answer that was checked is the answer that is used, so rebinding finds no gap. Refuses
 * if any of them is blocked. Certificates are always verified, HTTP/1.1 only, and no proxy variable
 * is looked at. Calls back once, later. Returns the socket on its way, null where it was refused.
 */
export function openGuardedSocket(
  options: ConnectorOptions,
  target: GuardedTarget,
  callback: Connected,
): Socket | null {
  const isTls = target.protocol === 'https:'
  const host = target.hostname.replace(/^\[(.*)\]$/, '$1')
  const port = Number(target.port || (isTls ? 443 : 80))
  // net.connect never looks a literal up, so the guard must be asked about it here.
  const refusal = isIP(host) === 0 ? undefined : options.guard.refusal(host, port)
  if (refusal !== undefined) {
    queueMicrotask(() => callback(new UpstreamFailure('blocked_address', refusal), null))
    return null
  }
  const { onread } = target
  const socket = openSocket(options, { host, port, isTls, ...(onread ? { onread } : {}) })
  settleOnce({ socket, isTls, connectTimeoutMs: options.connectTimeoutMs, callback })
  return socket
}

/** The same as a connector for undici. */
export function createGuardedConnector(options: ConnectorOptions): buildConnector.connector {
  return ({ protocol, hostname, port }, callback) => {
    openGuardedSocket(options, { protocol, hostname, port }, callback)
  }
}

interface SocketTarget {
  host: string
  port: number
  isTls: boolean
  onread?: OnReadOpts
}

function openSocket(options: ConnectorOptions, target: SocketTarget): Socket {
  const { host, port, isTls, onread } = target
  const tcp: TcpNetConnectOpts = {
    host,
    port,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: 60_000,
    lookup: guardedLookup(options.guard, port, options.lookup ?? systemLookup),
    autoSelectFamily: true,
    // Node's 250 ms would give up on a far address for the sake of one that does not work at all.
    autoSelectFamilyAttemptTimeout: Math.max(10, Math.floor(options.connectTimeoutMs / 3)),
  }
  if (!isTls) return connectTcp(onread === undefined ? tcp : { ...tcp, onread })
  return connectTls({
    ...tcp,
    ALPNProtocols: ['http/1.1'],
    // Said out loud so that NODE_TLS_REJECT_UNAUTHORIZED cannot switch it off.
    rejectUnauthorized: true,
    ...(isIP(host) === 0 ? { servername: host.replace(/\.$/, '') } : {}),
    ...(options.ca === undefined ? {} : { ca: [options.ca].flat() }),
    ...(options.secureContext ? { secureContext: options.secureContext } : {}),
  })
}

interface Pending {
  socket: Socket
  isTls: boolean
  connectTimeoutMs: number
  callback: Connected
}

function settleOnce({ socket, isTls, connectTimeoutMs, callback }: Pending) {
  let phase: ConnectPhase = 'tcp'
  let isSettled = false
  const timer = setTimeout(() => {
    const what = phase === 'tls' ? 'no secure connection' : 'no connection'
    const detail = `${what} within ${connectTimeoutMs} ms`
    socket.destroy(new UpstreamFailure('connect_timeout', detail))
  }, connectTimeoutMs)
  socket.once('connect', () => {
    if (isTls) phase = 'tls'
  })
  socket.once(isTls ? 'secureConnect' : 'connect', () => {
    clearTimeout(timer)
    isSettled = true
    callback(null, socket)
  })
  socket.on('error', (error) => {
    clearTimeout(timer)
    if (isSettled) return hideReset(error)
    isSettled = true
    callback(classifyConnectError(error, phase), null)
  })
}

/**
 * undici takes ECONNRESET for the end of a body that has no length, and would hand out the torn
 * part as whole. Under another code it fails the exchange. This listener runs before undici's.
 */
function hideReset(error: Error) {
  if ('code' in error && error.code === 'ECONNRESET') error.code = 'GATEHOUSE_RESET'
}

function guardedLookup(guard: AddressGuard, port: number, lookup: LookupAll): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, [])
      const [first] = addresses
      if (!first) return callback(new UpstreamFailure('dns', `${hostname} has no address`), [])
      const refusals = addresses.flatMap(({ address }) => guard.refusal(address, port) ?? [])
      if (refusals.length > 0) {
        const detail = `${hostname} resolves to an address that is not called: ${refusals.join('; ')}`
        return callback(new UpstreamFailure('blocked_address', detail), [])
      }
      if (options.all) return callback(null, addresses)
      return callback(null, first.address, first.family)
    })
  }
}
