/**
 * The `./gateway` entry: the part of the contract that a worker of the gateway needs. It leaves out the
 * calls of the admin API, whose schemas would cost each worker 30 MB.
 */
export * from '../apis/base-url.ts'
export * from '../apis/context-path.ts'
export * from '../apis/kept-purges.ts'
export * from '../gateway/cache-counts.ts'
export * from '../gateway/tool-counts.ts'
export * from '../gateway/download-cookie.ts'
export * from '../endpoints/endpoint-methods.ts'
export * from '../endpoints/endpoint-path.ts'
export * from '../gateway/agent-questions.ts'
export * from '../gateway/gateway-errors.ts'
export * from '../gateway/run-status-tool.ts'
export * from '../endpoints/header-names.ts'
export * from '../callers/jwt-algorithms.ts'
export * from '../gateway/latency-buckets.ts'
export * from '../gateway/snapshot.ts'
export * from '../gateway/snapshot-changes.ts'
export * from '../callers/token-limits.ts'
export * from '../apis/policy/traffic-policy.ts'
