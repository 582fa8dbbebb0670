import type { Places } from '@gatehouse/contract/json-schema'
import type { Exchange } from '../exchange/exchange.ts'
import { joinedFields } from '../http/joined-fields.ts'
import { paramsOf, queryOf } from '../output/output-scope.ts'
import type { CompiledValidation, ParameterPart } from '../schemas/compile-validation.ts'
import { isSureFit, readJson } from '../schemas/read-json.ts'

/** What of the request does not fit, by place; null where all of it does. */
export function unfitPlaces(exchange: Exchange, validation: CompiledValidation): Places | null {
  let places: Places | null = null
  const { parameters, body } = validation
  if (parameters !== null) {
    const value: Partial<Record<ParameterPart, unknown>> = {}
    for (const part of parameters.parts) value[part] = partOf(exchange, part)
    if (!parameters.check.fits(value)) parameters.check.addPlaces((places ??= {}), value, '')
  }
  if (validation.isBodyRequired && !exchange.hasBody)
    (places ??= {})['/body'] = ['This is missing.']
  if (body === null || exchange.heldBody === null) return places
  const problem = contentProblem(exchange.passed)
  if (problem !== null) return { ...places, ...problem }
  if (isSureFit(body, exchange.heldBody)) return places
  const read = readJson(exchange.heldBody)
  if (!read.ok) return { ...places, '/body': [read.message] }
  if (!body.fits(read.value)) body.addPlaces((places ??= {}), read.value, '/body')
  return places
}

function partOf(exchange: Exchange, part: ParameterPart): object {
  if (part === 'path') return paramsOf(exchange)
  return part === 'query' ? queryOf(exchange.query) : joinedFields(exchange.passed)
}

const json = /^application\/(?:[\w.-]+\+)?json *(?:; *charset="?utf-8"? *)?$/i
export const isJsonType = (type: string) => json.test(type)

/** Another reader goes by these headers: what they say the body is has to be what was checked. */
function contentProblem(passed: readonly string[]): Places | null {
  let types = 0
  for (let at = 0; at < passed.length; at += 2) {
    const name = passed[at] ?? ''
    const value = passed[at + 1] ?? ''
    // Both names have 12 or 16 characters: most others are passed over by their length.
    if (name.length !== 12 && name.length !== 16) continue
    const lower = name.toLowerCase()
    if (lower === 'content-encoding' && value.toLowerCase() !== 'identity')
      return { '/headers/content-encoding': ['A compressed body can’t be checked: send it plain.'] }
    if (lower !== 'content-type') continue
    if (++types > 1 || !isJsonType(value))
      return { '/headers/content-type': ['The body has to be JSON: application/json, in UTF-8.'] }
  }
  return null
}

/** For the log: the first places, without values of the request. */
export function placesText(places: Places): string {
  const all = Object.entries(places)
  const shown = all.slice(0, 5).map(([place, [message = '']]) => `${place}: ${message}`)
  return [...shown, ...(all.length > 5 ? [`and ${all.length - 5} more`] : [])].join(' ')
}
