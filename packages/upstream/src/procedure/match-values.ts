import type { FieldErrors } from '@gatehouse/contract'
import type { ExactJson } from '@gatehouse/contract/mapping'
import type { BoundParameter } from './procedure-backend.ts'
import { ProcedureFailure } from './procedure-failure.ts'
import type { ProcedureSignature } from './procedure-types.ts'

/**
 * Gives each parameter the caller's value of its name, spelled exactly or in another case. Throws
 * `procedure.parameters` that names all unknown and all missing ones at once.
 */
export function matchValues(
  signature: ProcedureSignature,
  values: Readonly<Record<string, ExactJson>>,
): BoundParameter[] {
  const exact = matchExactly(signature, values)
  if (exact) return exact
  const fields: FieldErrors = {}
  const taken = new Map<string, string>()
  for (const given of Object.keys(values)) {
    const name = parameterNamed(signature, given)
    if (name === undefined) {
      setField(fields, given, 'The stored procedure has no parameter of this name.')
    } else if (taken.has(name)) {
      setField(fields, given, `The parameter ${name} is given twice.`)
    } else taken.set(name, given)
  }
  const bound = signature.parameters.map((parameter): BoundParameter => {
    const given = taken.get(parameter.name)
    if (given === undefined) {
      if (parameter.direction !== 'out' && !parameter.hasDefault) {
        setField(fields, parameter.name, 'This parameter is required.')
      }
      return { parameter, value: undefined }
    }
    if (parameter.direction === 'out') {
      setField(fields, given, 'This parameter is an output: it takes no value.')
    }
    return { parameter, value: values[given] ?? null }
  })
  if (Object.keys(fields).length > 0) throw parametersFailure(fields)
  return bound
}

/** The usual case: each parameter except outputs has a value, and all names are spelled as in the catalogue. */
function matchExactly(
  { parameters }: ProcedureSignature,
  values: Readonly<Record<string, ExactJson>>,
): BoundParameter[] | undefined {
  const bound: BoundParameter[] = []
  let given = 0
  for (const parameter of parameters) {
    const isGiven = Object.hasOwn(values, parameter.name)
    if (isGiven === (parameter.direction === 'out')) return undefined
    if (isGiven) given++
    bound.push({ parameter, value: isGiven ? (values[parameter.name] ?? null) : undefined })
  }
  return Object.keys(values).length === given ? bound : undefined
}

/** `procedure.parameters`: the message names every parameter at fault. */
export function parametersFailure(fields: FieldErrors): ProcedureFailure {
  const named = Object.entries(fields).map(([name, messages]) => `${name}: ${messages[0] ?? ''}`)
  return new ProcedureFailure('procedure.parameters', {
    isSent: false,
    message: `The parameters do not fit the stored procedure. ${named.join(' ')}`,
    fields,
    isSignatureDoubtful: true,
  })
}

function parameterNamed({ parameters }: ProcedureSignature, given: string): string | undefined {
  const exact = parameters.find(({ name }) => name === given)
  if (exact) return exact.name
  const folded = given.toLowerCase()
  const alike = parameters.filter(({ name }) => name.toLowerCase() === folded)
  return alike.length === 1 ? alike[0]?.name : undefined
}

/** A caller's name may be `__proto__`. */
export function setField(fields: FieldErrors, name: string, message: string) {
  Object.defineProperty(fields, name, {
    value: [message],
    enumerable: true,
    configurable: true,
    writable: true,
  })
}
