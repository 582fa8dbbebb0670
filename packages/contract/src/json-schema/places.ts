import type { ErrorObject } from 'ajv'

/** An answer names no more places than this. */
export const placesMax = 100
const placeMaxLength = 500

/** Messages by JSON pointer (RFC 6901). */
export type Places = Record<string, string[]>

/** Adds what does not fit, by place: `root` and the JSON pointer, `whole` where that is blank. */
export function addPlaces(
  places: Places,
  errors: readonly ErrorObject[],
  { root = '', whole = 'input' }: { root?: string; whole?: string } = {},
): Places {
  for (const error of errors) {
    const place = (root + pointerOf(error)).slice(0, placeMaxLength) || whole
    const known = Object.hasOwn(places, place)
    if (!known && Object.keys(places).length >= placesMax) continue
    const messages = known ? (places[place] ?? []) : []
    const message = messageOf(error)
    if (!messages.includes(message)) messages.push(message)
    places[place] = messages
  }
  return places
}

/** A missing or unknown property is named itself, not the object around it. */
function pointerOf({ instancePath, params }: ErrorObject): string {
  const { missingProperty, additionalProperty, unevaluatedProperty } = params as Record<
    string,
    unknown
  >
  const name = missingProperty ?? additionalProperty ?? unevaluatedProperty
  const escaped =
    typeof name === 'string' ? `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}` : ''
  return instancePath + escaped
}

function messageOf({ keyword, params, message = 'does not fit' }: ErrorObject): string {
  if (keyword === 'required' || keyword === 'dependentRequired') return 'This is missing.'
  if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties')
    return 'There is no such field here.'
  const { allowedValues, allowedValue } = params as Record<string, unknown>
  const values = Array.isArray(allowedValues) ? allowedValues : [allowedValue]
  if (keyword === 'enum' || keyword === 'const')
    return `This must be ${values.map((value) => JSON.stringify(value)).join(', ')}.`.slice(0, 300)
  return `This ${message.replace(/NOT/, 'not').slice(0, 300)}.`
}
