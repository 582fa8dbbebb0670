/**
 * The `./request` entry: what a request to an endpoint may look like, without Zod, for threads that have to
 * start quickly.
 */
export { baseUrlProblem } from './base-url.ts'
export {
  bodyFormatOf,
  exchangeMaxBytes,
  hasQueryBody,
  requestFormatOf,
  type BodyFormat,
} from './body-format.ts'
export { pathProblem } from './endpoint-path.ts'
export { hopByHopNames, isHeaderName } from './header-names.ts'
export { stepOfSource } from './workflows/workflow-source.ts'
