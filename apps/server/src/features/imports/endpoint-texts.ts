import {
  normalFormOf,
  pathProblem,
  type EndpointParameter,
  type ParameterPlace,
} from '@gatehouse/contract'

/** What no field of an endpoint takes: see `text` in the contract's fields. */
const invisible = /[\p{Cc}\u200b\u2028\u2029\u202a-\u202e\u2060\u2066-\u2069\ufeff]|\p{Surrogate}/gu

/** A text as a field takes it: without what can't be seen, and cut at the end. */
export function fieldText(value: string, max: number, { isMultiline = false } = {}): string {
  const shown = isMultiline
    ? value
        .split('\n')
        .map((line) => line.replace(invisible, ' ').trimEnd())
        .join('\n')
    : value.replace(invisible, ' ')
  const clean = normalFormOf(shown, 'NFC').trim()
  // Never half a sign: a pair of surrogates is cut as one.
  return clean.length <= max
    ? clean
    : Array.from(clean.slice(0, max - 1))
        .filter(isWhole)
        .join('') + '…'
}

const isWhole = (sign: string) => !/^\p{Surrogate}$/u.test(sign)

/** A name that a segment in braces may have. */
function parameterName(name: string): string {
  const clean = name.replace(/\W/g, '_').slice(0, 64)
  return /^[A-Za-z_]/.test(clean) ? clean : `_${clean}`.slice(0, 64)
}

interface EndpointPath {
  path: string
  /** Parameters whose names had to be changed: from, to. */
  renamed: Map<string, string>
  /** Why no endpoint can have this path; undefined: one can. */
  problem: string | undefined
}

/** The path of an endpoint for a template like `/orders/{order-id}`. */
export function toEndpointPath(template: string): EndpointPath {
  const renamed = new Map<string, string>()
  const path = template.replace(/\{([^{}/]+)\}/g, (_, name: string) => {
    const clean = parameterName(name)
    if (clean !== name) renamed.set(name, clean)
    return `{${clean}}`
  })
  return { path, renamed, problem: pathProblem(path) }
}

interface Parameter {
  name: string
  in: ParameterPlace
  isRequired: boolean
  type: string
  description: string
}

export const toParameter = (given: Parameter): EndpointParameter => ({
  name: fieldText(given.name, 200),
  in: given.in,
  is_required: given.isRequired,
  type: fieldText(given.type, 200),
  description: fieldText(given.description, 1000, { isMultiline: true }),
})
