import { callUpstream } from '../calls/call-upstream.ts'
import { askForBody, collectBody, collectedBytesMax, Upload } from '../calls/upload.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { Verdict } from '../exchange/verdict.ts'
import { takePlace } from './admit-web-socket.ts'
import type { Stage } from './stage.ts'

export const forward: Stage = {
  name: 'forward',
  run: sendRequest,
  traceDetails: () => ({}),
  isTracedAtEnd: true,
}

/** Sends the request to the API's address. What comes back is the call's affair. */
function sendRequest(exchange: Exchange): Verdict {
  const { endpoint } = exchange
  const target = exchange.policy?.chooseTarget?.(exchange) ?? endpoint?.api.target
  if (!endpoint || !target) return exchange.refuse('config.no_upstream')
  if (exchange.webSocket !== null && takePlace(exchange) === 'stop') return 'stop'
  if (!exchange.hasBody) {
    callUpstream(exchange, target, null)
    return 'stop'
  }
  if (exchange.heldBody !== null) callUpstream(exchange, target, exchange.heldBody)
  else if (exchange.contentLength !== -1 && exchange.contentLength <= collectedBytesMax) {
    collectBody(exchange, (body) => callUpstream(exchange, target, body))
  } else {
    askForBody(exchange)
    const upload = new Upload(exchange)
    if (exchange.contentLength !== -1) callUpstream(exchange, target, upload)
    else {
      // An upstream must not be asked for what breaks off before it has begun.
      upload.whenBegun(() => callUpstream(exchange, target, upload))
    }
  }
  return 'stop'
}
