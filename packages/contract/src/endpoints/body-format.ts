import type { WireMethod } from './endpoint-methods.ts'

/** Limits of a build request (spec: mapping): 5 MiB in and out. */
export const exchangeMaxBytes = 5 * 1024 * 1024

/** How a body of a media type is treated: `json` is read and written, the others are text. */
export type BodyFormat = 'json' | 'xml' | 'form' | 'text'

const token = /[!#$%&'*+\-.^_`|~0-9A-Za-z]+/.source
const parameter = new RegExp(
  String.raw`[ \t]*;[ \t]*(${token})=(${token}|"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\[\x20-\x7e])*")`,
  'y',
)
const mediaType = new RegExp(`${token}/${token}`, 'y')

/** What is wrong with a media type for bodies (RFC 9110 §8.3.1), or undefined. */
export function contentTypeProblem(value: string): string | undefined {
  mediaType.lastIndex = 0
  if (!mediaType.test(value)) return notMediaType
  let at = mediaType.lastIndex
  while (at < value.length) {
    parameter.lastIndex = at
    const [, name = '', written = ''] = parameter.exec(value) ?? []
    if (name === '') return notMediaType
    if (name.toLowerCase() === 'charset' && !/^"?utf-8"?$/i.test(written))
      return 'Bodies are sent in UTF-8: leave out the charset, or write charset=utf-8.'
    at = parameter.lastIndex
  }
  return undefined
}

const notMediaType =
  'This is not a content type: write it like application/xml or text/plain; charset=utf-8.'

/** JSON under another name: SW sapien's services seal and stamp what is sent to them as JSON. */
const otherJsonType = 'application/jsontoxml'

/** The format of a media type, which may have parameters; blank is JSON. */
export function bodyFormatOf(contentType: string): BodyFormat {
  const [type = ''] = contentType.toLowerCase().split(';')
  const name = type.trim()
  if (['', 'application/json', otherJsonType].includes(name) || name.endsWith('+json'))
    return 'json'
  if (name === 'application/xml' || name === 'text/xml' || name.endsWith('+xml')) return 'xml'
  return name === 'application/x-www-form-urlencoded' ? 'form' : 'text'
}

/** Whether the body of a request is a JSON object that becomes its query string. */
export const hasQueryBody = (method: WireMethod) =>
  method === 'GET' || method === 'HEAD' || method === 'DELETE'

/** The format of bodies that are typed for an endpoint with this content type. */
export const requestFormatOf = (method: WireMethod, contentType: string): BodyFormat =>
  hasQueryBody(method) ? 'json' : bodyFormatOf(contentType)
