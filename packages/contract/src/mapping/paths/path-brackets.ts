import type { PathSegment } from './path-segments.ts'

/** A segment and where it ends, or why it can't be read. */
export type PathStep =
  | { ok: true; segment: PathSegment; end: number }
  | { ok: false; message: string }

const every = /\[\s*\*\s*\]/y
const index = /\[\s*(-?\d+)\s*\]/y
const quotedName = /\[\s*(?:'((?:[^'\\\x00-\x1f]|\\.)*)'|"((?:[^"\\\x00-\x1f]|\\.)*)")\s*\]/y

/** Reads `[0]`, `[*]` or `['name']` at a bracket. A refusal says what to write instead. */
export function readBracket(path: string, position: number): PathStep {
  const match = (pattern: RegExp) => {
    pattern.lastIndex = position
    return pattern.exec(path)
  }
  if (match(every)) return { ok: true, segment: { kind: 'all' }, end: every.lastIndex }
  const digits = match(index)?.[1]
  if (digits !== undefined) return readIndex(digits, index.lastIndex)
  const quoted = match(quotedName)
  if (!quoted) return refuse(explainBracket(path.slice(position)))
  const name = unescape(quoted[1] ?? quoted[2] ?? '')
  if (name === undefined) return refuse('a quoted name holds an escape that JSON does not know.')
  return { ok: true, segment: { kind: 'name', name }, end: quotedName.lastIndex }
}

function readIndex(digits: string, end: number): PathStep {
  // RFC 9535 §2.1: no leading zeros, no -0, and nothing that a double cannot hold.
  if (!/^(?:0|-?[1-9]\d*)$/.test(digits) || !Number.isSafeInteger(Number(digits))) {
    return refuse(`[${digits}] is not an index.`)
  }
  return { ok: true, segment: { kind: 'index', index: Number(digits) }, end }
}

function explainBracket(rest: string): string {
  const inside = /^\[([^\]]*)\]/.exec(rest)?.[1]?.trim()
  if (inside === undefined) return 'a closing bracket is missing.'
  if (inside === '') return 'write [0] for one element or [*] for every element.'
  if (inside.startsWith('?')) return 'filters are not supported here.'
  if (/^(['"]).*\1\s*,|^-?\d+\s*,/.test(inside))
    return 'only one name or index may stand in brackets.'
  if (/^-?\d*\s*:/.test(inside)) return 'ranges are not supported.'
  if (/^['"]/.test(inside)) return 'a quoted name is not closed, or holds a control character.'
  return `put the name in quotes: ['${inside}'].`
}

const escapes = new Map([
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['/', '/'],
  ['\\', '\\'],
  ["'", "'"],
  ['"', '"'],
])

/** A text between quotes, its escapes resolved as in JSON; undefined for an unknown escape. */
export function unescape(text: string): string | undefined {
  let isKnown = true
  const name = text.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/gs, (_, hex?: string, char?: string) => {
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16))
    const meant = escapes.get(char ?? '')
    if (meant === undefined) isKnown = false
    return meant ?? ''
  })
  return isKnown ? name : undefined
}

function refuse(message: string): PathStep {
  return { ok: false, message }
}
