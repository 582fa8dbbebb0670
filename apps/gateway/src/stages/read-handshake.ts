import { isWebSocketKey, webSocketVersion } from '@gatehouse/http1'
import type { Exchange } from '../exchange/exchange.ts'
import { WebSocketRequest } from '../websockets/web-socket-request.ts'

/**
 * A request that has an Upgrade field. Null where it does not ask for a WebSocket by the letter of RFC 6455
 * §4.1, without a body: no other switch of protocols is carried. `connection`: all of `Connection`.
 */
export function readHandshake(
  { method, req, hasBody }: Exchange,
  connection: string | null,
): WebSocketRequest | null {
  if (method !== 'GET' || req.httpVersionMinor !== 1 || hasBody) return null
  const options = (connection ?? '').toLowerCase().split(',')
  const isAsked = options.some((each) => each.trim() === 'upgrade')
  const upgrade = onlyValue(req.rawHeaders, 'upgrade')
  const version = onlyValue(req.rawHeaders, 'sec-websocket-version')
  const key = onlyValue(req.rawHeaders, 'sec-websocket-key')
  if (!isAsked || upgrade?.toLowerCase() !== 'websocket' || version !== webSocketVersion)
    return null
  return key !== null && isWebSocketKey(key) ? new WebSocketRequest(key) : null
}

/** Null: there is none, or more than one. */
function onlyValue(raw: readonly string[], lowerName: string): string | null {
  let value: string | null = null
  for (let at = 0; at + 1 < raw.length; at += 2) {
    if (raw[at]?.toLowerCase() !== lowerName) continue
    if (value !== null) return null
    value = raw[at + 1] ?? ''
  }
  return value
}
