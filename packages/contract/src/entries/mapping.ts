/**
 * The `./mapping` entry: exact JSON, paths and mapping rows, without Zod, so that the dashboard can
 * bundle it and preview exactly what the server will send. `docs/mapping.md` explains it to users.
 */
export { bracesHint, escapeBraces, unescapeBraces } from '../mapping/braces.ts'
export { mappingTypes } from '../mapping/convert-value.ts'
export {
  emptyObject,
  isExactObject,
  isLosslessNumber,
  JsonProblem,
  LosslessNumber,
  objectFrom,
  orderedObject,
  ownValue,
  parseExact,
  stringifyExact,
} from '../mapping/exact/exact-json.ts'
export { isNumberKey } from '../mapping/exact/exact-object.ts'
export type {
  ExactJson,
  ExactObject,
  JsonProblemReason,
  ParseLimits,
} from '../mapping/exact/exact-json.ts'
export { pathsOf } from '../mapping/functions/expression.ts'
export type { Expression } from '../mapping/functions/expression.ts'
export { mappingFunctions } from '../mapping/functions/function-table.ts'
export type { MappingMoment } from '../mapping/functions/mapping-function.ts'
export { parseFrom } from '../mapping/functions/parse-expression.ts'
export { mapData } from '../mapping/map-data.ts'
export type { MappingResult } from '../mapping/map-data.ts'
export { mappingLimits } from '../mapping/mapping-limits.ts'
export { mappingRowProblems } from '../mapping/mapping-row-problems.ts'
export { looksLikeMappingRows, toMappingRows } from '../mapping/mapping-rows.ts'
export type { MappingError, MappingRow, RootedRow } from '../mapping/mapping-rows.ts'
export { parsePath } from '../mapping/paths/parse-path.ts'
export type { ParsedPath, PathUse } from '../mapping/paths/parse-path.ts'
export { pathOfValue, pathText } from '../mapping/paths/path-segments.ts'
export type { PathSegment } from '../mapping/paths/path-segments.ts'
export { rowValues } from '../mapping/row-values.ts'
export { readPath } from '../mapping/paths/read-path.ts'
