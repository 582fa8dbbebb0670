/**
 * The `./request` entry: what a request to an endpoint looks like, without anything that sends it, for
 * threads that have to start quickly.
 */
export { endpointUrl } from './endpoint-url.ts'
export { mergeHeaders } from './headers.ts'
export { addressOf } from './target.ts'
