/**
 * The `./gateway` entry: the part of the contract that a worker of the gateway needs. It leaves out the
 * calls of the admin API, whose schemas would cost each worker 30 MB.
 */
export * from './base-url.ts'
export * from './context-path.ts'
export * from './download-cookie.ts'
export * from './endpoint-methods.ts'
export * from './endpoint-path.ts'
export * from './gateway-errors.ts'
export * from './header-names.ts'
export * from './jwt-algorithms.ts'
export * from './latency-buckets.ts'
export * from './snapshot.ts'
export * from './snapshot-changes.ts'
export * from './token-limits.ts'
export * from './traffic-policy.ts'
