import { IncomingMessage } from 'node:http'

/**
 * A request whose header object is never built: the pipeline reads `rawHeaders` once and Node itself
 * only wants to know `expect` and `host`, which the guard stage deals with. Code that needs a header asks the exchange.
 */
export class NodeRequest extends IncomingMessage {}

const noHeaders = Object.freeze({})

Object.defineProperty(NodeRequest.prototype, 'headers', {
  get: () => noHeaders,
})
