import { allFields, webSocketAccept, WebSocketTunnel } from '@gatehouse/http1'
import type { AnswerHead, SwitchedConnection } from '@gatehouse/http1'
import { UpstreamFailure } from '@gatehouse/upstream/http'
import { passedFields } from './answer-fields.ts'
import type { Exchange } from '../exchange/exchange.ts'

/**
 * The upstream of a call has switched protocols, and the client may now. From here on bytes pass both ways.
 * Throws UpstreamFailure where the upstream answers another request than it was sent (RFC 6455 §4.1).
 */
export function openWebSocket(
  exchange: Exchange,
  head: AnswerHead,
  upstream: SwitchedConnection,
): void {
  const { webSocket, endpoint, gateway } = exchange
  if (webSocket === null || !endpoint?.webSocket) throw new Error('No WebSocket was asked for.')
  checkAnswer(head, webSocket.key)
  exchange.policy?.onSwitched?.(exchange)
  const client = exchange.switchProtocols(passedFields(head))
  webSocket.tunnel = new WebSocketTunnel(client, upstream, endpoint.webSocket, {
    onEnd: () => exchange.endWebSocket(),
    onGone: () => gateway.webSockets.remove(exchange),
  })
  gateway.webSockets.add(exchange)
}

function checkAnswer(head: AnswerHead, key: string): void {
  const fields = allFields(head)
  const isSwitched =
    String(fields['upgrade']).toLowerCase() === 'websocket' &&
    String(fields['connection'])
      .toLowerCase()
      .split(',')
      .some((each) => each.trim() === 'upgrade')
  if (isSwitched && fields['sec-websocket-accept'] === webSocketAccept(key)) return
  throw new UpstreamFailure('protocol', 'the answer switches to no WebSocket that was asked for')
}
