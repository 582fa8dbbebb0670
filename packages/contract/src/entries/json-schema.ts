/**
 * The `./json-schema` entry: checks values against JSON Schema (2020-12) in bounded time. The server checks
 * with it what is saved, the gateway what comes in. It loads ajv, 16 MB: only where something is checked.
 */
export { compileCheck } from '../json-schema/compile-check.ts'
export type { CompiledCheck } from '../json-schema/compile-check.ts'
export { referenceProblem } from '../json-schema/check-schema.ts'
export { addCheckedFormats } from '../json-schema/formats.ts'
export { linearPatterns } from '../json-schema/linear-pattern.ts'
export { addPlaces, placesMax } from '../json-schema/places.ts'
export type { Places } from '../json-schema/places.ts'
