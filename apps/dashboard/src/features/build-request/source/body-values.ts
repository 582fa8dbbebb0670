import {
  emptyObject,
  isExactObject,
  isLosslessNumber,
  parseExact,
  stringifyExact,
  type ExactJson,
  type ExactObject,
} from '@gatehouse/contract/mapping'
import type { EndpointOption } from '@gatehouse/contract'

/** A value of the body that goes into the address of the request (spec: endpoint-path). */
interface BodyValue {
  name: string
  place: 'path' | 'query'
  text: string
}

/** A longer body is typed as a whole. */
const longestBody = 20_000

/**
 * What the body of a request to this endpoint puts into its address: the parameters of its path, and where the
 * method sends no body all others as its query. Undefined where the body is something that no inputs can show.
 */
export function bodyValues(
  choice: EndpointOption | null | undefined,
  body: string,
): BodyValue[] | undefined {
  const object = readBody(body)
  if (!choice || !object || choice.text_content_type !== null) return undefined
  const inPath = [...choice.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const others = Object.keys(object).filter((name) => !inPath.includes(name))
  const inQuery = choice.method_type === 'get' ? others : []
  const valueOf = (place: BodyValue['place']) => (name: string) => ({
    name,
    place,
    text: plainOf(object[name]),
  })
  const values = [...inPath.map(valueOf('path')), ...inQuery.map(valueOf('query'))]
  return values.some(({ text }) => text === undefined) ? undefined : (values as BodyValue[])
}

/** The body with this value; without it where the text is undefined. */
export function withBodyValue(body: string, name: string, text: string | undefined): string {
  const object = readBody(body) ?? emptyObject()
  if (text === undefined) delete object[name]
  else object[name] = valueOf(text)
  return Object.keys(object).length === 0 ? '' : stringifyExact(object)
}

function readBody(body: string): ExactObject | undefined {
  if (body.trim() === '') return emptyObject()
  if (body.length > longestBody) return undefined
  try {
    const value = parseExact(body)
    return isExactObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The text of a plain value; blank for none, undefined for a list or an object. */
function plainOf(value: ExactJson | undefined): string | undefined {
  if (value === undefined) return ''
  if (isLosslessNumber(value)) return value.value
  if (typeof value === 'object' && value !== null) return undefined
  return String(value)
}

/** A number where it is written as one, so that the body reads as if it were typed; else text. */
function valueOf(text: string): ExactJson {
  return /^-?(0|[1-9]\d{0,30})(\.\d{1,30})?$/.test(text) ? parseExact(text) : text
}
