import type { ValidateFunction } from 'ajv/dist/2020.js'
import { compileWith, meter, stepsMax } from './ajv-compilers.ts'
import { referenceProblem } from './check-schema.ts'
import { measuredSchema } from './measured-schema.ts'
import { addPlaces, type Places } from './places.ts'
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

/**
 * Compiles a JSON Schema (2020-12) that fits values in bounded time, whatever the schema and the value.
 * Throws an error with a message for an administrator where it can't be used.
 */
export function compileCheck(
  schema: object,
  { isText = false, reading }: CompileOptions = {},
): CompiledCheck {
  const problem = referenceProblem(schema)
  if (problem !== undefined) throw new Error(problem)
  const text = JSON.stringify(schema)
  const measured = measuredSchema(schema)
  // Names that every object inherits count as missing only where ajv is asked to look: it takes longer.
  const ownProperties = ownNames.some((name) => text.includes(`"${name}"`))
  const quick = compileWith({ isText, ownProperties, allErrors: false }, measured)
  let every: ValidateFunction | undefined
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
      every ??= compileWith({ isText, ownProperties, allErrors: true }, measured)
      isFit(every, value, placeStepsMax)
      addPlaces(places, every.errors ?? first, { root, whole: place })
    },
    // Only where a body comes: a configuration may have thousands of schemas.
    fitsForSure: (bytes) =>
      reading !== undefined && (sure ??= createSureCheck(measured, reading))(bytes),
  }
}

function isFit(validate: ValidateFunction, value: unknown, steps: number): boolean {
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
