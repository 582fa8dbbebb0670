import type { GatewayLink } from '../../publishing/gateway-link.ts'

/** Where our own gateway is reached from here, without a slash at its end. */
export function gatewayBase(gateway: Pick<GatewayLink, 'address' | 'url'>): string {
  const { address, port } = gateway.address
  const host = address === '0.0.0.0' ? '127.0.0.1' : address === '::' ? '::1' : address
  const scheme = new URL(gateway.url).protocol
  return `${scheme}//${host.includes(':') ? `[${host}]` : host}:${port}`
}
