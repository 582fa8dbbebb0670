export * from './http-entry.ts'
export * from './procedure/procedure-types.ts'
export type { ReadOptions } from './procedure/procedure-caller.ts'
export * from './procedure/procedure-upstream.ts'
