import type { TransformRule } from '@gatehouse/contract/transformation'
import { without } from './changed-fields.ts'

/** Components of a signature (RFC 9421 §2) that the rules change. */
export function changedComponents(rules: readonly TransformRule[]): string[] {
  return rules.flatMap((rule) => {
    if (rule.kind === 'path') return ['@path', '@target-uri', '@request-target']
    if (rule.kind === 'set query' || rule.kind === 'remove query')
      return ['@query', '@query-param', '@target-uri', '@request-target']
    return rule.kind === 'rename header' ? [rule.name, rule.to] : [rule.name]
  })
}

/** Leaves out the signatures (RFC 9421) where they cover a component that is changed: they hold no longer. */
export function withoutBrokenSignature(
  fields: readonly string[],
  changed: readonly string[],
): readonly string[] {
  for (let at = 0; at + 1 < fields.length; at += 2) {
    if (fields[at]?.toLowerCase() !== 'signature-input') continue
    const covered = fields[at + 1]?.toLowerCase() ?? ''
    if (changed.some((name) => covered.includes(`"${name}"`)))
      return without(without(fields, 'signature'), 'signature-input')
  }
  return fields
}
