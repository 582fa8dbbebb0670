import type { Settings } from '@gatehouse/server/environment'

/** Where the gateway listens, as a browser on this machine reaches it. */
export function urlOf(
  { tls }: Settings,
  { address, port }: { address: string; port: number },
): string {
  const isLocal = ['127.0.0.1', '::1', '0.0.0.0', '::'].includes(address)
  const host = isLocal ? 'localhost' : address.includes(':') ? `[${address}]` : address
  return `${tls ? 'https' : 'http'}://${host}:${port}`
}

/** Each worker has its share of what the server may keep, but at least two files. */
export const accessLogMaxBytes = ({ gatewayLogMaxBytes, gatewayWorkers }: Settings) =>
  Math.max(64 * 1024 * 1024, Math.floor(gatewayLogMaxBytes / gatewayWorkers))
