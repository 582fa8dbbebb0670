import type { ExactJson } from '../mapping/exact/exact-json.ts'
import { isExactObject, isLosslessNumber } from '../mapping/exact/exact-json.ts'
import { parsePath } from '../mapping/paths/parse-path.ts'
import { readPath } from '../mapping/paths/read-path.ts'

/**
 * The `./answer-rule` entry: how an endpoint's run settings judge an answer, without Zod. There
 * are no expressions and no regular expressions: a rule is a list of statuses and of comparisons.
 */

/** Every test has its opposite beside it: exactly one of the two holds for any answer. */
export const conditionTests = [
  'equals',
  'not_equals',
  'one_of',
  'not_one_of',
  'contains',
  'not_contains',
  'exists',
  'missing',
  'not_empty',
  'empty',
] as const
export type ConditionTest = (typeof conditionTests)[number]

/** Tests that look at the place alone and take no value. */
export const testsWithoutValue: readonly ConditionTest[] = [
  'exists',
  'missing',
  'not_empty',
  'empty',
]

export interface AnswerCondition {
  /** A mapping path into the answer's JSON. */
  path: string
  test: ConditionTest
  /** As it is written in JSON, without quotes; for one_of a comma list, for contains in any case. */
  value: string
}

export interface AnswerRule {
  /** Such as `200-299,208`; blank is any status. */
  statuses: string
  join: 'all' | 'any'
  /** Empty: the status alone decides. */
  conditions: AnswerCondition[]
}

export interface AnswerSeen {
  status: number
  /** Undefined when the body did not arrive whole or is not JSON. */
  body: ExactJson | undefined
}

/** `unreadable`: the status fits, and what the conditions ask for can't be read. */
export type RuleVerdict = 'holds' | 'fails' | 'unreadable'

type StatusRange = readonly [from: number, to: number]

type ParsedStatuses = { ok: true; ranges: StatusRange[] } | { ok: false; message: string }

/** Reads `200-299,208`: statuses from 100 to 599 and ranges of them. Blank gives no ranges. */
export function parseStatuses(text: string): ParsedStatuses {
  const ranges: StatusRange[] = []
  if (text.trim() === '') return { ok: true, ranges }
  for (const part of text.split(',')) {
    const [, first, last] = /^\s*([1-5]\d\d)\s*(?:-\s*([1-5]\d\d)\s*)?$/.exec(part) ?? []
    const from = Number(first)
    const to = last === undefined ? from : Number(last)
    if (first === undefined || to < from) {
      return {
        ok: false,
        message: 'Write statuses from 100 to 599 and ranges of them, like 200-299,208.',
      }
    }
    ranges.push([from, to])
  }
  return { ok: true, ranges }
}

/** True when the rule names the status itself; a rule that names none fits every status. */
export function namesStatus(rule: AnswerRule, status: number): boolean {
  const parsed = parseStatuses(rule.statuses)
  return parsed.ok && parsed.ranges.some(([from, to]) => status >= from && status <= to)
}

/** True when the rule names this very status, and not only a range that holds it. */
export function namesAlone(rule: AnswerRule, status: number): boolean {
  const parsed = parseStatuses(rule.statuses)
  return parsed.ok && parsed.ranges.some(([from, to]) => from === status && to === status)
}

/**
 * Says whether an answer fits a rule. Where a path has `[*]` and matches several values, equals,
 * one_of, contains and not_empty hold when one of them fits, and their opposites when none does.
 */
export function matchesRule(rule: AnswerRule, seen: AnswerSeen): RuleVerdict {
  if (!fitsStatus(rule, seen.status)) return 'fails'
  if (rule.conditions.length === 0) return 'holds'
  const { body } = seen
  if (body === undefined) return 'unreadable'
  const holds = (condition: AnswerCondition) => conditionHolds(condition, body)
  const isFit = rule.join === 'any' ? rule.conditions.some(holds) : rule.conditions.every(holds)
  return isFit ? 'holds' : 'fails'
}

/** Whether the rule's statuses let an answer with this one fit; blank ones let every answer fit. */
export const fitsStatus = (rule: AnswerRule, status: number): boolean =>
  rule.statuses.trim() === '' || namesStatus(rule, status)

/** Whether one condition of a rule holds for an answer's body. */
export function conditionHolds({ path, test, value }: AnswerCondition, body: ExactJson): boolean {
  return testers[test](valuesAt(body, path), value)
}

type Tester = (values: readonly ExactJson[], value: string) => boolean

const equals: Tester = (values, value) => values.some((each) => scalarText(each) === value)
const isOneOf: Tester = (values, value) => values.some((each) => isListed(each, value))
const contains: Tester = (values, value) =>
  values.some((each) => scalarText(each)?.toLowerCase().includes(value.toLowerCase()))
const exists: Tester = (values) => values.length > 0
const isFilled: Tester = (values) => values.some((each) => !isEmpty(each))
const not =
  (test: Tester): Tester =>
  (values, value) =>
    !test(values, value)

const testers: Record<ConditionTest, Tester> = {
  equals,
  not_equals: not(equals),
  one_of: isOneOf,
  not_one_of: not(isOneOf),
  contains,
  not_contains: not(contains),
  exists,
  missing: not(exists),
  not_empty: isFilled,
  empty: not(isFilled),
}

/** What a path finds, in order; a path that can't be used finds nothing. */
export function valuesAt(body: ExactJson, path: string): ExactJson[] {
  const parsed = parsePath(path, 'read')
  const found = parsed.ok ? readPath(body, parsed.segments) : parsed
  return found.ok ? found.values : []
}

/**
 * The one plain value at a path as text, numbers exactly as written; undefined where there is no value,
 * more than one, an object, a list, null or blank text.
 */
export function textAt(body: ExactJson | undefined, path: string): string | undefined {
  if (body === undefined || path === '') return undefined
  const [value, ...more] = valuesAt(body, path)
  if (value === undefined || value === null || more.length > 0) return undefined
  return scalarText(value)?.trim() || undefined
}

function scalarText(value: ExactJson): string | undefined {
  if (typeof value === 'string') return value
  if (value === null || typeof value === 'boolean') return String(value)
  return isLosslessNumber(value) ? value.value : undefined
}

function isListed(value: ExactJson, list: string): boolean {
  const text = scalarText(value)
  return text !== undefined && list.split(',').some((each) => each.trim() === text)
}

function isEmpty(value: ExactJson): boolean {
  if (value === null || value === '') return true
  if (Array.isArray(value)) return value.length === 0
  return isExactObject(value) && Object.keys(value).length === 0
}
