import type { DocumentListSettings } from '@gatehouse/contract'
import { referenceKey } from '@gatehouse/contract/reference-key'
import { textAt } from '@gatehouse/contract/answer-rule'
import {
  isExactObject,
  JsonProblem,
  objectFrom,
  ownValue,
  parseExact,
  parsePath,
  stringifyExact,
  type ExactJson,
} from '@gatehouse/contract/mapping'

/**
 * A body whose list holds only the documents with these references, numbers exactly as they were.
 * Undefined where the list does not hold each of them.
 */
export function onlyDocuments(
  text: string,
  { items_path, reference_path }: Pick<DocumentListSettings, 'items_path' | 'reference_path'>,
  references: readonly string[],
): string | undefined {
  const keys = new Set(references.map(referenceKey))
  const body = parsed(text)
  const path = parsePath(items_path, 'read')
  if (body === undefined || !path.ok) return undefined
  const names = path.segments.flatMap((segment) => (segment.kind === 'name' ? [segment.name] : []))
  let kept = 0
  const changed = changeAt(body, names, (list) =>
    list.filter((item) => {
      const isKept = keys.has(referenceKey(textAt(item, reference_path) ?? ''))
      if (isKept) kept++
      return isKept
    }),
  )
  return changed !== undefined && kept === keys.size ? stringifyExact(changed) : undefined
}

function parsed(text: string): ExactJson | undefined {
  try {
    return parseExact(text)
  } catch (error) {
    if (error instanceof JsonProblem) return undefined
    throw error
  }
}

function changeAt(
  node: ExactJson,
  [name, ...rest]: readonly string[],
  change: (list: ExactJson[]) => ExactJson[],
): ExactJson | undefined {
  if (name === undefined) return Array.isArray(node) ? change(node) : undefined
  const below = isExactObject(node) ? ownValue(node, name) : undefined
  if (below === undefined || !isExactObject(node)) return undefined
  const changed = changeAt(below, rest, change)
  if (changed === undefined) return undefined
  return objectFrom(
    Object.entries(node).map(([key, value]) => [key, key === name ? changed : value]),
  )
}
