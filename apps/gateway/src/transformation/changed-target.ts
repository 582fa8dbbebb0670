import type { ExactObject } from '@gatehouse/contract/mapping'
import type { TransformRule } from '@gatehouse/contract/transformation'
import { readRequestPath } from '../http/request-path.ts'
import { renderedText } from './rendered-text.ts'

/**
 * Path and query after the rules; undefined where they can't be sent. Values are escaped, so that none
 * adds a segment or a parameter, and the path may hold nothing that the path of a request may not hold: it
 * stays below the base URL.
 */
export function changedTarget(
  { path, query }: { path: string; query: string },
  rules: readonly TransformRule[],
  scope: ExactObject,
): string | undefined {
  let changed = path
  let pairs = query === '' || query === '?' ? [] : query.slice(1).split('&')
  for (const rule of rules) {
    if (rule.kind === 'path') changed = renderedText(rule.value, scope, encodeURIComponent) ?? ''
    else if (rule.kind === 'remove query') pairs = withoutPairs(pairs, rule.name)
    else if (rule.kind === 'set query') {
      const value = renderedText(rule.value, scope)
      if (value === undefined) return undefined
      const pair = `${encodeURIComponent(rule.name)}=${encodeURIComponent(value)}`
      pairs = [...withoutPairs(pairs, rule.name), pair]
    }
  }
  if (!readRequestPath(changed).ok) return undefined
  return changed + (pairs.length === 0 ? '' : `?${pairs.join('&')}`)
}

const withoutPairs = (pairs: readonly string[], name: string) =>
  pairs.filter((pair) => nameOf(pair) !== name)

function nameOf(pair: string): string {
  const raw = pair.split('=', 1)[0] ?? ''
  try {
    return decodeURIComponent(raw.replaceAll('+', ' '))
  } catch {
    return raw
  }
}
