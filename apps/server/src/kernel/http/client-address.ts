import { isIP } from 'node:net'
import { entryOfOutermost, forwardedAddress } from '@gatehouse/upstream/http'
import type { FastifyRequest } from 'fastify'

/**
 * The address of a client. A proxy may append the port, which would make each connection another client.
 * A connection that has ended already has no address any more.
 */
export const addressOf = (ip = '') => (isIP(ip) === 0 ? (forwardedAddress(ip) ?? 'unknown') : ip)

/** Whether the client speaks TLS, to us or to the outermost proxy that is trusted. */
export function isSecure({ ips = [], headers, protocol }: FastifyRequest): boolean {
  const said = String(headers['x-forwarded-proto'] ?? '')
  // The peer and the client; between them, proxies that are trusted.
  const isProxied = ips.length > 1 && said !== ''
  return (isProxied ? entryOfOutermost(said, ips.length - 2) : protocol) === 'https'
}
