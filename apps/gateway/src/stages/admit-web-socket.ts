import type { Exchange } from '../exchange/exchange.ts'
import type { Verdict } from '../exchange/verdict.ts'

/** A request for a WebSocket goes on where its endpoint takes them and this worker has room for one more. */
export function admitWebSocket(exchange: Exchange): Verdict {
  const { webSocket, endpoint, gateway, res } = exchange
  if (webSocket === null || !endpoint?.webSocket)
    return exchange.refuse('client.upgrade', { isFatal: true })
  if (res.switchProtocols === undefined)
    return exchange.refuse('config.no_websockets', { isFatal: true })
  return gateway.isStopping ? exchange.refuse('gateway.stopping') : 'next'
}

/** The last look before the upstream is called. */
export function takePlace(exchange: Exchange): Verdict {
  const { webSocket, gateway } = exchange
  if (webSocket === null || gateway.webSockets.enter(webSocket)) return 'next'
  const detail = 'The worker holds as many WebSockets as it may.'
  return exchange.refuse('gateway.busy', { detail, headers: ['Retry-After', '1'] })
}
