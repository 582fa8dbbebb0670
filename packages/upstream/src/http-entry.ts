/**
 * The `./http` entry, for a process that brings its own HTTP client: without undici, and without stored
 * procedures, whose drivers would cost it 70 MB.
 */
export * from './address-guard.ts'
export { cidrProblem, createAddressRanges } from './address-ranges.ts'
export type { AddressRanges } from './address-ranges.ts'
export { ClientAddresses } from './client-addresses.ts'
export { BoundedBody } from './http/bounded-body.ts'
export * from './connector.ts'
export * from './credential.ts'
export { decodeBody } from './http/decode-body.ts'
export { classifyConnectError, classifyExchangeError, UpstreamFailure } from './failures.ts'
export { entryOfOutermost, forwardedAddress } from './forwarded-address.ts'
export * from './headers.ts'
export { isHostField } from './host-field.ts'
export * from './http/http-answer.ts'
export { secureContextOf, tlsKey } from './secure-context.ts'
export { isSignInRefusedStatus } from './refused-status.ts'
export { parseIp } from './ip-address.ts'
export { AddressCounts } from './sockets/address-counts.ts'
export { addressGroup } from './sockets/address-group.ts'
export { descriptorLimit, socketBudget } from './sockets/descriptor-limit.ts'
