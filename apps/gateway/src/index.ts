export { createGateway } from './gateway.ts'
export type { Gateway, GatewayOptions } from './gateway.ts'
export { traceHeaderName, traceSignature } from './trace-signature.ts'
export * from './worker-messages.ts'
