import {
  isExactObject,
  isLosslessNumber,
  parseExact,
  stringifyExact,
  type ExactJson,
} from '@gatehouse/contract/mapping'
import type { CompiledCheck, Places } from '@gatehouse/contract/json-schema'
import { headerProblem } from '@gatehouse/upstream/http'
import type { EndpointTool } from '../snapshot/compile-snapshot.ts'
import type { ToolParameter } from '../snapshot/compiled-tool.ts'

/** The request that a call of a tool becomes. */
export interface ToolCall {
  path: string
  /** With its question mark; empty for none. */
  query: string
  /** Name, value, name, value. */
  headers: string[]
  body: Buffer | null
}

type Arguments = Readonly<Record<string, unknown>>

/** Numbers that reading them as such could change: many digits, fractions, exponents, and -0. */
const isInexact = (text: string): boolean => /\d{16}|\d\.\d|\d[eE]|[:,[\s]-0/.test(text)

/**
 * The request that these arguments make, or the places that do not fit. `text` is the message that they came in:
 * numbers go on with the digits that they came with.
 */
export function toToolCall(
  tool: EndpointTool,
  check: CompiledCheck,
  given: Arguments,
  text: string,
): { ok: true; call: ToolCall } | { ok: false; places: Places } {
  const places: Places = {}
  if (!check.fits(given)) {
    check.addPlaces(places, given, '')
    return { ok: false, places }
  }
  const exact = isInexact(text) ? exactArguments(text) : given
  const headers = headersOf(tool, exact, places)
  const path = pathOf(tool, exact, places)
  if (Object.keys(places).length > 0) return { ok: false, places }
  const query = pairsOf(tool, exact, 'query')
  const { contentType, body } = bodyOf(tool, exact)
  if (body !== null) headers.push('Content-Type', contentType)
  return { ok: true, call: { path, query: query === '' ? '' : `?${query}`, headers, body } }
}

/** Those of a message that was read before. */
function exactArguments(text: string): Arguments {
  const message = parseExact(text)
  const params = isExactObject(message) ? message['params'] : undefined
  const given = params !== undefined && isExactObject(params) ? params['arguments'] : undefined
  return given !== undefined && isExactObject(given) ? given : {}
}

/** An own value alone: nothing is inherited. */
const valueOf = (given: Arguments, { argument }: ToolParameter): unknown =>
  Object.hasOwn(given, argument) ? (given[argument] ?? undefined) : undefined

/** As it stands in a path, a query or a header. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return isLosslessNumber(value) ? value.toString() : stringifyExact(value as ExactJson)
}

function pathOf({ endpoint, parameters }: EndpointTool, given: Arguments, places: Places): string {
  const inPath = new Map(
    parameters.flatMap((each) => (each.in === 'path' ? [[each.name, each] as const] : [])),
  )
  return endpoint.fullPath.replace(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = inPath.get(name)
    const value = parameter === undefined ? '' : textOf(valueOf(given, parameter) ?? '')
    if (!isSegment(value)) places[`/${parameter?.argument ?? name}`] = [noSegment]
    return encoded(value)
  })
}

/** What the gateway refuses in paths: see `readRequestPath`, and `;` in the route table. */
const isSegment = (value: string) =>
  value !== '' && value.isWellFormed() && !/^\.{1,2}$|[/\\;\x00-\x1f\x7f]/.test(value)
const noSegment = 'This can’t be one segment of a path.'

const encoded = (value: string) => encodeURIComponent(value.toWellFormed())

/** A list is repeated, as OpenAPI has it by default (3.1.1 §4.8.12.3). */
function pairsOf({ parameters }: EndpointTool, given: Arguments, place: 'query' | 'form'): string {
  return parameters
    .flatMap((parameter) => {
      const value = parameter.in === place ? valueOf(given, parameter) : undefined
      if (value === undefined) return []
      const all: unknown[] = Array.isArray(value) ? value : [value]
      return all.map((each) => `${encoded(parameter.name)}=${encoded(textOf(each))}`)
    })
    .join('&')
}

function headersOf({ parameters }: EndpointTool, given: Arguments, places: Places): string[] {
  return parameters.flatMap((parameter) => {
    const value = parameter.in === 'header' ? valueOf(given, parameter) : undefined
    if (value === undefined) return []
    const text = Array.isArray(value) ? value.map(textOf).join(', ') : textOf(value)
    const problem = headerProblem(parameter.name, text)
    if (problem) places[`/${parameter.argument}`] = ['This can’t be sent in a header.']
    return [parameter.name, text]
  })
}

function bodyOf(
  tool: EndpointTool,
  given: Arguments,
): { contentType: string; body: Buffer | null } {
  const { body } = tool.config
  if (body === null) {
    const form = pairsOf(tool, given, 'form')
    const hasForm = tool.parameters.some((each) => each.in === 'form')
    return {
      contentType: 'application/x-www-form-urlencoded',
      body: hasForm ? Buffer.from(form) : null,
    }
  }
  const value = Object.hasOwn(given, 'body') ? given['body'] : undefined
  const contentType = body.content_type
  if (value === undefined) return { contentType, body: null }
  const text = body.schema === '' ? textOf(value) : stringifyExact(value as ExactJson)
  return { contentType, body: Buffer.from(text) }
}
