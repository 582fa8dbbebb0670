import type { WebSocketEnd } from '@gatehouse/http1'

/** What the log says of a WebSocket that has ended; `code` is null where its sides have closed it as they may. */
export function describeEnd({ by, code, reason }: WebSocketEnd): {
  code: string | null
  detail: string
} {
  if (by === 'gateway') {
    const own = code === 1001 && reason === restarting ? 'gateway.stopping' : null
    return { code: code === 1008 ? 'client.access_denied' : own, detail: `closed: ${reason}` }
  }
  const isClient = by === 'client'
  const detail = `closed by the ${by} with ${code}${reason === '' ? '' : `: ${reason}`}`
  if (reason === '') return { code: code === 1006 ? leftCode(isClient) : null, detail }
  if (code === 1009) return { code: isClient ? 'client.too_large' : 'upstream.too_large', detail }
  return { code: isClient ? 'client.malformed' : 'upstream.protocol', detail }
}

const leftCode = (isClient: boolean) => (isClient ? 'client.left' : 'upstream.cut')

/** The reason that is given where the worker stops. */
export const restarting = 'the gateway is being restarted'
