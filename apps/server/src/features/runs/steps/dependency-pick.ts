import {
  isExactObject,
  objectFrom,
  parsePath,
  readPath,
  type ExactJson,
  type ExactObject,
  type PathSegment,
} from '@gatehouse/contract/mapping'
import { SizeBudget, tooLarge } from './bodies/size-budget.ts'

/** One entry of a dependency field: `path` or `path:as`. */
export interface DependencyField {
  text: string
  segments: PathSegment[]
  /** The key in step 2's body. */
  as: string
}

type ParsedDependency = { ok: true; fields: DependencyField[] } | { ok: false; message: string }

type Picked = { ok: true; value: ExactJson } | { ok: false; message: string }

const refusedNames = new Set(['__proto__', 'prototype', 'constructor'])
const fieldsMax = 50

/**
 * Parses `id, customer.title:name`: a comma list of paths into step 1's answer. Each has a key, by
 * default the last name of its path.
 */
export function parseDependencyField(text: string): ParsedDependency {
  const entries = splitOutsideQuotes(text, ',').map((entry) => entry.trim())
  if (entries.length > fieldsMax) return refused(`Name at most ${fieldsMax} fields.`)
  const fields: DependencyField[] = []
  for (const entry of entries) {
    if (entry === '') return refused('A field is missing beside a comma.')
    const [path = '', as, ...more] = splitOutsideQuotes(entry, ':').map((part) => part.trim())
    if (more.length > 0 || as === '') return refused(`Write ${entry} as path or path:as.`)
    const parsed = parsePath(path, 'read')
    if (!parsed.ok) return parsed
    if (parsed.segments.some(({ kind }) => kind === 'all'))
      return refused(`${path}: [*] can't be used in a dependency field.`)
    const last = parsed.segments.at(-1)
    const name = as ?? (last?.kind === 'name' ? last.name : undefined)
    if (name === undefined) return refused(`Say what ${path} is to be called: ${path}:name.`)
    if (refusedNames.has(name)) return refused(`The name ${name} is refused.`)
    if (fields.some((field) => field.as === name))
      return refused(`Two fields would be called ${name}.`)
    fields.push({ text: entry, segments: parsed.segments, as: name })
  }
  return { ok: true, fields }
}

/**
 * Picks the fields from step 1's answer. An object gives an object, a list of one element gives
 * that object, a longer list gives a list of the same length. The message names a missing field; a
 * JSON null is not missing.
 */
export function pickFields(answer: ExactJson, fields: readonly DependencyField[]): Picked {
  if (!Array.isArray(answer)) return pickFrom(answer, fields, 'The answer of step 1')
  if (answer.length === 0) return refused('The answer of step 1 is an empty list.')
  const picked: ExactJson[] = []
  const budget = new SizeBudget()
  for (const [index, item] of answer.entries()) {
    const each = pickFrom(item, fields, `Element ${index} of step 1's answer`)
    if (!each.ok) return each
    if (!budget.take(each.value)) return refused(tooLarge)
    picked.push(each.value)
  }
  const [only] = picked
  return { ok: true, value: picked.length === 1 && only !== undefined ? only : picked }
}

function pickFrom(source: ExactJson, fields: readonly DependencyField[], what: string): Picked {
  if (!isExactObject(source) && !Array.isArray(source))
    return refused(`${what} is no object that fields could be taken from.`)
  const picked: [string, ExactJson][] = []
  for (const { text, segments, as } of fields) {
    const found = readPath(source, segments)
    const value = found.ok ? found.values[0] : undefined
    if (value === undefined) return refused(`${what} has no field ${text}.`)
    picked.push([as, value])
  }
  return { ok: true, value: objectFrom(picked) }
}

/**
 * Merges the pick into step 2's body; the picked values win. A blank body becomes the pick. An
 * object is merged into each element of a list; two lists of the same length are merged element by
 * element. The picked values may have 5 MiB in total.
 */
export function mergePick(body: ExactJson | undefined, pick: ExactJson): Picked {
  // An object is merged into each element of a list, so it is sent once per element.
  const times = Array.isArray(body) && !Array.isArray(pick) ? body.length : 1
  if (!new SizeBudget().take(pick, times)) return refused(tooLarge)
  if (body === undefined) return { ok: true, value: pick }
  if (isExactObject(body)) {
    if (isExactObject(pick)) return { ok: true, value: over(body, pick) }
    return refused(
      `Step 1 answered with a list, and step 2's body is an object: leave it blank or make it a list.`,
    )
  }
  if (!Array.isArray(body)) return refused(`Step 2's body must be an object or a list, or blank.`)
  const picks = Array.isArray(pick) ? pick : body.map(() => pick)
  if (picks.length !== body.length) {
    return refused(
      `Step 1 answered with ${picks.length} elements, and step 2's body has ${body.length}.`,
    )
  }
  const merged: ExactJson[] = []
  for (const [index, item] of body.entries()) {
    const each = picks[index]
    if (!isExactObject(item) || each === undefined || !isExactObject(each))
      return refused(`Element ${index} of step 2's body is no object.`)
    merged.push(over(item, each))
  }
  return { ok: true, value: merged }
}

function over(body: ExactObject, pick: ExactObject): ExactObject {
  return objectFrom([...Object.entries(body), ...Object.entries(pick)])
}

/** Splits at a sign outside of quotes: paths may quote it. */
function splitOutsideQuotes(text: string, sign: string): string[] {
  const parts = ['']
  let quote = ''
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? ''
    if (quote === '' && char === sign) {
      parts.push('')
      continue
    }
    if (quote === '' && (char === "'" || char === '"')) quote = char
    else if (char === quote) quote = ''
    parts[parts.length - 1] += char
    if (quote !== '' && char === '\\') parts[parts.length - 1] += text[++at] ?? ''
  }
  return parts
}

const refused = (message: string) => ({ ok: false, message }) as const
