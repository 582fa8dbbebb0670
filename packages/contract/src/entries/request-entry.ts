/**
 * The `./request` entry: what a request to an endpoint may look like, without Zod, for threads that have to
 * start quickly.
 */
export { baseUrlProblem } from '../apis/base-url.ts'
export {
  bodyFormatOf,
  exchangeMaxBytes,
  hasQueryBody,
  requestFormatOf,
  type BodyFormat,
} from '../endpoints/body-format.ts'
export { pathProblem } from '../endpoints/endpoint-path.ts'
export { hopByHopNames, isHeaderName } from '../endpoints/header-names.ts'
export { stepOfSource } from '../workflows/workflow-source.ts'
