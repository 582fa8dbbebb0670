import type { ValidateFunction } from 'ajv/dist/2020.js'
import { compileWith, meter, stepsMax } from '../ajv-compilers.ts'
import { linearPatterns } from '../linear-pattern.ts'
import { TooMuchWork } from '../work-meter.ts'
import { compileSureSchema } from './compile-sure-schema.ts'
import { SureFit, type SureReading } from './sure-fit.ts'

const sureFits = new Map<SureReading, SureFit>()

/** For a measured schema; see `fitsForSure`. */
export function createSureCheck(
  measured: object,
  reading: SureReading,
): (bytes: Uint8Array) => boolean {
  const schema = compileSureSchema(measured, { pattern: patternCheck, format: formatCheck })
  if (schema === undefined) return () => false
  let sureFit = sureFits.get(reading)
  if (sureFit === undefined) sureFits.set(reading, (sureFit = new SureFit(meter, reading)))
  const reader = sureFit
  return (bytes) => {
    meter.left = stepsMax
    try {
      return reader.isSure(schema, bytes)
    } catch (error) {
      if (!(error instanceof TooMuchWork)) throw error
      return false
    }
  }
}

const compilePattern = linearPatterns(meter)

function patternCheck(pattern: string): (text: string) => boolean {
  const compiled = compilePattern(pattern)
  return (text) => compiled.test(text)
}

const formatChecks = new Map<string, ValidateFunction>()

function formatCheck(format: string): (text: string) => boolean {
  let check = formatChecks.get(format)
  if (check === undefined) {
    check = compileWith({ isText: false, ownProperties: false, allErrors: false }, { format })
    formatChecks.set(format, check)
  }
  return check
}
