import { parsePath } from '@gatehouse/contract/mapping'
import type { PathSegment } from '@gatehouse/contract/mapping'

export const outputRoots = ['status', 'headers', 'body', 'params', 'query'] as const
export type OutputRoot = (typeof outputRoots)[number]

/** Text as it stands, or a value of the call. */
export type OutputPart =
  | { kind: 'literal'; text: string }
  | {
      kind: 'value'
      segments: readonly PathSegment[]
      /** `json`: with its own type. `string`: within a JSON string. `text`: as it is. */
      mode: 'json' | 'string' | 'text'
    }

export type CompiledOutput =
  /** Answered as it is; nothing is called. */
  | { kind: 'fixed'; contentType: string; body: string }
  | {
      kind: 'template'
      contentType: string
      parts: readonly OutputPart[]
      isBodyUsed: boolean
      /** A placeholder reaches into the body, which has to be JSON then. */
      isJsonBodyNeeded: boolean
    }
  | { kind: 'broken'; reason: string }

const json = 'application/json; charset=utf-8'
const plain = 'text/plain; charset=utf-8'
const placeholder = /\{\{([^]*?)\}\}/g

/**
 * Reads a custom output: text without `{{path}}` is a fixed reply, any other a template over
 * `{status, headers, body, params, query}` of the call. In a JSON text a string that is one
 * placeholder, or a placeholder outside of strings, becomes the value with its type.
 */
export function compileOutput(text: string): CompiledOutput {
  if (!text.includes('{{') || !/\{\{[^]*?\}\}/.test(text)) {
    return { kind: 'fixed', contentType: isJson(text) ? json : plain, body: text }
  }
  const pieces = splitJson(text)
  const isJsonText = isJson(pieces.map(withoutPlaceholders).join(''))
  try {
    const parts = isJsonText ? pieces.flatMap(jsonParts) : textParts(text, 'text')
    const used = parts.flatMap((part) => (part.kind === 'value' ? [part.segments] : []))
    const ofBody = used.filter(([root]) => root?.kind === 'name' && root.name === 'body')
    return {
      kind: 'template',
      contentType: isJsonText ? json : plain,
      parts,
      isBodyUsed: ofBody.length > 0,
      isJsonBodyNeeded: ofBody.some((segments) => segments.length > 1),
    }
  } catch (error) {
    return { kind: 'broken', reason: (error as Error).message }
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** A JSON text cut into its strings, quotes included, and what stands between them. */
function splitJson(text: string): string[] {
  return text.split(/("(?:[^"\\]|\\.)*")/s)
}

const isString = (piece: string) => piece.startsWith('"')

const withoutPlaceholders = (piece: string) =>
  isString(piece) ? piece.replaceAll(placeholder, '') : piece.replaceAll(placeholder, 'null')

function jsonParts(piece: string): OutputPart[] {
  if (!isString(piece)) return textParts(piece, 'json')
  const whole = /^"\{\{((?:(?!\}\})[^])*)\}\}"$/.exec(piece)?.[1]
  if (whole !== undefined) return [valuePart(unescaped(whole), 'json')]
  return textParts(piece, 'string')
}

function textParts(text: string, mode: 'json' | 'string' | 'text'): OutputPart[] {
  return text.split(placeholder).flatMap((part, at): OutputPart[] => {
    if (at % 2 === 1) return [valuePart(mode === 'string' ? unescaped(part) : part, mode)]
    return part === '' ? [] : [{ kind: 'literal', text: part }]
  })
}

/** In a JSON string the quotes of a path are escaped. */
const unescaped = (raw: string) => JSON.parse(`"${raw.replaceAll(/[\n\r\t]/g, ' ')}"`) as string

function valuePart(path: string, mode: 'json' | 'string' | 'text'): OutputPart {
  const parsed = parsePath(path, 'read')
  if (!parsed.ok) throw new Error(parsed.message)
  const [root] = parsed.segments
  if (root?.kind !== 'name' || !outputRoots.some((name) => name === root.name)) {
    throw new Error(`{{${path.trim()}}} must begin with one of ${outputRoots.join(', ')}.`)
  }
  return { kind: 'value', segments: parsed.segments, mode }
}
