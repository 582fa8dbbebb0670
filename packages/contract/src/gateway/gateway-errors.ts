import { upstreamErrors } from '../kernel/upstream-errors.ts'

/**
 * Every refusal of the gateway: its code, HTTP status and public text. The first part of a code says
 * whose fault it is: the client's, the configuration's, the upstream's or our own. Names of hosts and
 * what went wrong inside are in the log under the request id. Codes of stored procedures
 * (`procedure.*`) are those of `errorTable`. docs/errors.md explains each; a test keeps them equal.
 */
export const gatewayErrorTable = {
  'client.malformed': { status: 400, message: 'The request could not be read as HTTP/1.1.' },
  'client.headers_too_large': {
    status: 431,
    message: 'The request headers exceed 16 KiB or 200 fields.',
  },
  'client.target_too_long': { status: 414, message: 'The request target exceeds 16 KiB.' },
  'client.unknown_method': { status: 501, message: 'The method is not known.' },
  'client.version': { status: 505, message: 'Only HTTP/1.x is spoken here.' },
  'client.content_type': { status: 400, message: 'The Content-Type is given more than once.' },
  'client.transfer_encoding': {
    status: 400,
    message: 'The only Transfer-Encoding that is accepted is chunked.',
  },
  'client.length': { status: 400, message: 'The length of the body is stated twice or wrongly.' },
  'client.host': { status: 400, message: 'The request needs exactly one valid Host.' },
  'client.target': {
    status: 400,
    message: 'The path holds something that is not accepted: //, dot segments or hidden slashes.',
  },
  'client.header_name': {
    status: 400,
    message: 'Header names with an underscore are not accepted.',
  },
  'client.connection': {
    status: 400,
    message: 'The Connection header names a header that must reach the other side.',
  },
  'client.upgrade': { status: 400, message: 'Switching to another protocol is not supported.' },
  'client.authorization_twice': {
    status: 400,
    message: 'The Authorization header is given more than once.',
  },
  'client.expectation': { status: 417, message: 'The only expectation met is 100-continue.' },
  'client.timeout': { status: 408, message: 'The request did not arrive in time.' },
  'client.not_json': { status: 400, message: 'The body is not valid JSON.' },
  'client.body_not_object': {
    status: 422,
    message: 'A stored procedure takes a JSON object: its fields are the parameters.',
  },
  'client.not_found': { status: 404, message: 'There is no endpoint at this path.' },
  'client.method': { status: 405, message: 'The endpoint does not take this method.' },
  'client.unauthenticated': { status: 401, message: 'Unauthenticated.' },
  'client.token_invalid': {
    status: 401,
    message: 'The token is unknown, has expired or was revoked.',
  },
  'client.signature': {
    status: 401,
    message: 'This API takes signed requests alone.',
  },
  'client.certificate': {
    status: 403,
    message: 'This API takes calls with a client certificate alone.',
  },
  'client.access_denied': {
    status: 403,
    message: 'None of the token’s roles has access to this endpoint.',
  },
  'client.token_scope': {
    status: 403,
    message: 'This token was not made for this call.',
  },
  'client.address_denied': {
    status: 403,
    message: 'This API does not take calls from your address.',
  },
  'client.origin': {
    status: 403,
    message: 'Pages of this origin may not act as an agent here.',
  },
  'client.internal_only': {
    status: 403,
    message: 'This API can only be called from internal networks.',
  },
  'client.too_large': { status: 413, message: 'The request body is larger than is accepted.' },
  'client.unfit': {
    status: 422,
    message: 'The request does not fit what this endpoint takes. “errors” names each place.',
  },
  'client.rate_limited': { status: 429, message: 'Too many requests. Try again later.' },
  'client.quota_exceeded': { status: 429, message: 'The quota of this token is used up.' },
  'client.only_if_cached': {
    status: 504,
    message: 'Only an answer from the cache was asked for, and none is there.',
  },
  'client.left': { status: 499, message: 'The client left before the answer was complete.' },
  'config.api_disabled': { status: 503, message: 'This API is disabled.' },
  'config.endpoint_disabled': { status: 503, message: 'This endpoint is disabled.' },
  'config.api_unreadable': {
    status: 503,
    message: 'The definition of this API can’t be read. An administrator has to save it again.',
  },
  'config.custom_output': {
    status: 500,
    message: 'The custom output of this endpoint can’t be used.',
  },
  'config.transformation': {
    status: 500,
    message: 'What this endpoint changes can’t be used. An administrator has to save it again.',
  },
  'config.validation': {
    status: 500,
    message: 'A schema of this endpoint can’t be used. An administrator has to save it again.',
  },
  'config.no_websockets': {
    status: 501,
    message: 'This gateway passes no WebSockets on.',
  },
  'config.loop': {
    status: 508,
    message: 'The request has been here before: the upstream sends it back to this gateway.',
  },
  'config.no_upstream': { status: 503, message: 'This API has no address to call.' },
  ...upstreamErrors,
  'upstream.too_large': {
    status: 502,
    message: 'The upstream sent more than is accepted as an answer.',
  },
  'upstream.unmapped': {
    status: 502,
    message: 'The upstream answered, but the answer can’t be changed as the endpoint says.',
  },
  'upstream.circuit_open': {
    status: 503,
    message: 'The upstream has been failing and is not called for a moment. Try again later.',
  },
  'gateway.busy': {
    status: 503,
    message: 'This API has too many requests at once. Try again in a moment.',
  },
  'gateway.connections': {
    status: 503,
    message: 'Too many connections are open from this address.',
  },
  'gateway.stopping': { status: 503, message: 'The gateway is being restarted. Try again.' },
  'gateway.failed': { status: 500, message: 'Something went wrong on our side.' },
} as const satisfies Record<string, { status: number; message: string }>

export type GatewayErrorCode = keyof typeof gatewayErrorTable
