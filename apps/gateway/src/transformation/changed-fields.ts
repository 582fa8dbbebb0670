import type { ExactObject } from '@gatehouse/contract/mapping'
import type { TransformRule } from '@gatehouse/contract/transformation'
import { headerProblem } from '@gatehouse/upstream/http'
import { renderedText } from './rendered-text.ts'

type ChangedFields =
  | { ok: true; fields: string[] }
  /** `name`: of the header whose value can't be sent. */
  | { ok: false; name: string }

/**
 * Header fields (name, value, name, value) after the rules, in their order. Values are of the call as it came. A value
 * with a line break or another character that would make two fields of one is refused (RFC 9110 §5.5).
 */
export function changedFields(
  given: readonly string[],
  rules: readonly TransformRule[],
  scope: ExactObject,
): ChangedFields {
  let fields = [...given]
  for (const rule of rules) {
    if (rule.kind === 'remove header') fields = without(fields, rule.name)
    else if (rule.kind === 'rename header') {
      const values = valuesOf(fields, rule.name)
      if (values.length === 0) continue
      fields = without(without(fields, rule.name), rule.to)
      for (const value of values) fields.push(rule.to, value)
    } else if (rule.kind === 'set header') {
      const value = renderedText(rule.value, scope)
      if (value === undefined || headerProblem(rule.name, value) !== undefined)
        return { ok: false, name: rule.name }
      fields = without(fields, rule.name)
      fields.push(rule.name, value)
    }
  }
  return { ok: true, fields }
}

export function without(fields: readonly string[], name: string): string[] {
  const kept: string[] = []
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const each = fields[at] ?? ''
    if (each.toLowerCase() !== name) kept.push(each, fields[at + 1] ?? '')
  }
  return kept
}

function valuesOf(fields: readonly string[], name: string): string[] {
  const values: string[] = []
  for (let at = 0; at + 1 < fields.length; at += 2)
    if (fields[at]?.toLowerCase() === name) values.push(fields[at + 1] ?? '')
  return values
}
