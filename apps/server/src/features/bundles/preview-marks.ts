import type { z } from 'zod'
import type { previewMark } from '@gatehouse/contract'
import {
  isExactObject,
  pathOfValue,
  stringifyExact,
  type ExactJson,
} from '@gatehouse/contract/mapping'

type PreviewMark = z.output<typeof previewMark>

const marksMax = 200
const shownMaxLength = 200

/**
 * Places of a body to check: empty ones, and ones that differ from the body that was accepted last.
 * At most 200, in the order of the body, removed ones last. Without an earlier body only empty
 * places are marked; with one, only those that were not empty then.
 */
export function marksOf(
  body: ExactJson | undefined,
  accepted: ExactJson | undefined,
): PreviewMark[] {
  const now = leavesOf(body)
  const before = leavesOf(accepted)
  const marks: PreviewMark[] = []
  for (const [path, value] of now) {
    const old = before.get(path)
    const kind = kindOf(value, old, accepted !== undefined)
    if (kind) marks.push({ path, kind, before: shown(old), now: shown(value) })
    if (marks.length >= marksMax) return marks
  }
  for (const [path, old] of before) {
    if (now.has(path)) continue
    marks.push({ path, kind: 'removed', before: shown(old), now: null })
    if (marks.length >= marksMax) break
  }
  return marks
}

function kindOf(value: ExactJson, old: ExactJson | undefined, hasEarlier: boolean) {
  if (isEmpty(value) && (old === undefined || !isEmpty(old))) return 'empty'
  if (!hasEarlier) return undefined
  if (old === undefined) return 'added'
  return stringifyExact(value) === stringifyExact(old) ? undefined : 'changed'
}

const isEmpty = (value: ExactJson) =>
  value === null ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0) ||
  (typeof value === 'object' && isExactObject(value) && Object.keys(value).length === 0)

/** The values without children, by their paths. */
function leavesOf(body: ExactJson | undefined): Map<string, ExactJson> {
  const leaves = new Map<string, ExactJson>()
  const visit = (value: ExactJson, keys: readonly (string | number)[]): void => {
    if (Array.isArray(value) && value.length > 0)
      value.forEach((item, index) => visit(item, [...keys, index]))
    else if (isExactObject(value) && Object.keys(value).length > 0)
      for (const [key, item] of Object.entries(value)) visit(item, [...keys, key])
    else leaves.set(pathOfValue(keys), value)
  }
  if (body !== undefined) visit(body, [])
  return leaves
}

const shown = (value: ExactJson | undefined) =>
  value === undefined ? null : stringifyExact(value).slice(0, shownMaxLength)
