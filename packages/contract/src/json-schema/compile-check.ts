import type { ValidateFunction } from 'ajv/dist/2020.js'
import {
  checkBySchemaOfSchemas,
  compileWith,
  meter,
  schemaOfSchemas,
  stepsMax,
} from './ajv-compilers.ts'
import { patternsProblem } from './check-schema.ts'
import { checkedFormats } from './formats.ts'
import { linearPatterns } from './linear-pattern.ts'
import { measuredSchema } from './measured-schema.ts'
import { addPlaces, type Places } from './places.ts'
import { SchemaDocument } from './standard/schema-document.ts'
import { StandardCheck } from './standard/standard-check.ts'
import { createSureCheck } from './sure-fit/sure-check.ts'
import type { SureReading } from './sure-fit/sure-fit.ts'
import { TooMuchWork } from './work-meter.ts'

/** Steps of the check that finds every place. It makes an object for each, so it may do less. */
const placeStepsMax = 100_000

interface CompileOptions {
  /** Values are texts: `5` fits a number, `true` a boolean, and one value a list of one. */
  isText?: boolean
  /** For `fitsForSure`, which says nothing without it. Not with `isText`. */
  reading?: SureReading
}

/** A schema that is ready to check values. */
export interface CompiledCheck {
  /** Whether it fits. Changes texts into what they are read as, with `isText`. Throws nothing. */
  fits: (value: unknown) => boolean
  /**
   * What did not fit, added by place: all of it, or the first where there is too much. To be asked with the value
   * that did not fit.
   */
  addPlaces: (places: Places, value: unknown, root: string) => void
  /**
   * Whether UTF-8 is JSON that every reader reads alike, not too deep, and whose value fits: told by its letters, in
   * less time than it takes to read it. False says nothing.
   */
  fitsForSure: (bytes: Uint8Array) => boolean
}

const ownNames = Object.getOwnPropertyNames(Object.prototype)

/** What ajv takes for something else than JSON Schema 2020-12 does, or not at all. */
const beyondAjv =
  /"(?:\$id|\$anchor|\$dynamicRef|\$dynamicAnchor|unevaluatedItems|unevaluatedProperties|__proto__)"/

/** Values are checked one after the other, and what did not fit is kept until the next one. */
interface Validate {
  (value: unknown): boolean
  errors?: ValidateFunction['errors']
}

/**
 * Compiles a JSON Schema (2020-12) that fits values in bounded time, whatever the schema and the value.
 * Throws an error with a message for an administrator where it can't be used.
 */
export function compileCheck(
  given: object | boolean,
  { isText = false, reading }: CompileOptions = {},
): CompiledCheck {
  const schema = typeof given === 'boolean' ? (given ? {} : { not: {} }) : given
  const problem = patternsProblem(schema)
  if (problem !== undefined) throw new Error(problem)
  const text = JSON.stringify(schema)
  const measured = measuredSchema(schema)
  const document = new SchemaDocument(schema, schemaOfSchemas)
  document.resolveAll()
  const isBeyondAjv = beyondAjv.test(text) || document.hasOddTarget || document.hasKnown
  // Names that every object inherits count as missing only where ajv is asked to look: it takes longer.
  const ownProperties = ownNames.some((name) => text.includes(`"${name}"`))
  // A configuration may have thousands of schemas: what only some need is not kept for all.
  const compile = isBeyondAjv
    ? standardCompiler(schema, document, isText)
    : (allErrors: boolean): Validate => compileWith({ isText, ownProperties, allErrors }, measured)
  const quick = compile(false)
  let every: Validate | undefined
  let sure: ((bytes: Uint8Array) => boolean) | undefined
  return {
    fits: (value) => isFit(quick, value, stepsMax),
    addPlaces: (places, value, root) => {
      const place = root || '/'
      const first = quick.errors ?? []
      if (first.length === 0) {
        places[place] = ['This is too much to check.']
        return
      }
      every ??= compile(true)
      isFit(every, value, placeStepsMax)
      addPlaces(places, every.errors ?? first, { root, whole: place })
    },
    // Only where a body comes.
    fitsForSure: (bytes) =>
      reading !== undefined && !isBeyondAjv && (sure ??= createSureCheck(measured, reading))(bytes),
  }
}

function standardCompiler(
  schema: object,
  document: SchemaDocument,
  isText: boolean,
): (allErrors: boolean) => Validate {
  checkBySchemaOfSchemas(schema)
  const compilePattern = linearPatterns(meter)
  const patterns = new Map<string, ReturnType<typeof compilePattern>>()
  const formats = new Map(
    checkedFormats.map((format) => {
      const settings = { isText: false, ownProperties: false, allErrors: false }
      const check = compileWith(settings, { format })
      return [format, (value: string) => check(value)] as const
    }),
  )
  const patternOf = (pattern: string) => {
    let compiled = patterns.get(pattern)
    if (compiled === undefined) patterns.set(pattern, (compiled = compilePattern(pattern)))
    return compiled
  }
  const formatOf = (name: string) => formats.get(name) ?? null
  return (allErrors) => {
    const tools = { document, meter, isText, allErrors, formatOf, patternOf }
    const check = new StandardCheck(schema, tools)
    const validate: Validate = (value) => {
      const isFitting = check.fits(value)
      validate.errors = check.errors
      return isFitting
    }
    return validate
  }
}

function isFit(validate: Validate, value: unknown, steps: number): boolean {
  meter.left = steps
  try {
    return validate(value)
  } catch (error) {
    // A schema that refers to itself without end, too.
    if (!(error instanceof TooMuchWork) && !(error instanceof RangeError)) throw error
    validate.errors = null
    return false
  }
}
