export { createGateway } from './gateway.ts'
export type { Gateway, GatewayOptions } from './gateway.ts'
export { traceHeaderName, traceSignature } from './trace/trace-signature.ts'
export * from './messages/worker-messages.ts'
