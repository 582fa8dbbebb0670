/**
 * The `./transformation` entry: reads what an endpoint changes in requests and answers. The server refuses
 * with it what can't be used, the gateway compiles it when it takes a configuration over.
 */
export { readBody } from '../transformation/read-body.ts'
export type { TransformBody } from '../transformation/read-body.ts'
export { readRules } from '../transformation/read-rules.ts'
export type { TransformRule, TransformSide } from '../transformation/read-rules.ts'
