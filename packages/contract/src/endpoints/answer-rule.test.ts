import { describe, expect, it } from 'vitest'
import type { AnswerRule, ConditionTest } from './answer-rule.ts'
import { conditionTests, matchesRule, parseStatuses, textAt } from './answer-rule.ts'
import { parseExact } from '../entries/mapping.ts'

const body = parseExact(
  '{"status":"OK","code":0,"big":12345678901234567890,"flag":true,"none":null,"blank":"","list":[],' +
    '"results":{"status":"PASS"},"empty":{},"errors":[{"code":"A"},{"code":"B"}],"k.ey":"odd"}',
)

const condition = (path: string, test: ConditionTest, value = ''): AnswerRule => ({
  statuses: '',
  join: 'all',
  conditions: [{ path, test, value }],
})

describe('one condition', () => {
  it.each<[string, ConditionTest, string, boolean]>([
    ['status', 'equals', 'OK', true],
    ['status', 'equals', 'ok', false],
    ['results.status', 'equals', 'PASS', true],
    ["$['k.ey']", 'equals', 'odd', true],
    ['code', 'equals', '0', true],
    ['big', 'equals', '12345678901234567890', true],
    ['big', 'equals', '12345678901234567000', false],
    ['flag', 'equals', 'true', true],
    ['none', 'equals', 'null', true],
    ['results', 'equals', 'PASS', false],
    ['absent', 'equals', '', false],
    ['errors[*].code', 'equals', 'B', true],
    ['errors[*].code', 'equals', 'C', false],
    ['errors[0].code', 'one_of', 'C, A', true],
    ['status', 'one_of', 'KO,OKAY', false],
    ['status', 'exists', '', true],
    ['none', 'exists', '', true],
    ['absent', 'exists', '', false],
    ['toString', 'exists', '', false],
    ['status', 'not_empty', '', true],
    ['code', 'not_empty', '', true],
    ['none', 'not_empty', '', false],
    ['blank', 'not_empty', '', false],
    ['list', 'not_empty', '', false],
    ['empty', 'not_empty', '', false],
    ['absent', 'not_empty', '', false],
    ['status[*]', 'exists', '', false],
    ['a..b', 'exists', '', false],
  ])('%s %s "%s" is %s, and its opposite is not', (path, test, value, isHeld) => {
    const opposite = conditionTests[conditionTests.indexOf(test) + 1] ?? test
    const verdict = (each: ConditionTest) =>
      matchesRule(condition(path, each, value), { status: 200, body })
    expect(verdict(test)).toBe(isHeld ? 'holds' : 'fails')
    expect(verdict(opposite)).toBe(isHeld ? 'fails' : 'holds')
  })
})

describe('a rule', () => {
  const both: AnswerRule = {
    statuses: '200-299,409',
    join: 'all',
    conditions: [
      { path: 'status', test: 'equals', value: 'OK' },
      { path: 'code', test: 'equals', value: '1' },
    ],
  }

  it('joined by all needs every condition, joined by any needs one', () => {
    expect(matchesRule(both, { status: 200, body })).toBe('fails')
    expect(matchesRule({ ...both, join: 'any' }, { status: 200, body })).toBe('holds')
  })

  it('fails for other statuses whatever the body says', () => {
    expect(matchesRule({ ...both, join: 'any' }, { status: 300, body })).toBe('fails')
    expect(matchesRule({ ...both, join: 'any' }, { status: 409, body })).toBe('holds')
  })

  it('is unreadable only where the status fits and a condition has to be read', () => {
    expect(matchesRule(both, { status: 200, body: undefined })).toBe('unreadable')
    expect(matchesRule(both, { status: 500, body: undefined })).toBe('fails')
    expect(matchesRule({ ...both, conditions: [] }, { status: 200, body: undefined })).toBe('holds')
  })
})

it.each([
  ['200', [[200, 200]]],
  [
    ' 200-299 , 208',
    [
      [200, 299],
      [208, 208],
    ],
  ],
  ['', []],
] as const)('reads the statuses "%s"', (text, ranges) => {
  expect(parseStatuses(text)).toEqual({ ok: true, ranges })
})

it.each(['2xx', '200-', '99', '600', '299-200', '200;201', '200,'])(
  'refuses the statuses "%s"',
  (text) => {
    expect(parseStatuses(text)).toMatchObject({ ok: false })
  },
)

it.each([
  ['status', 'OK'],
  ['big', '12345678901234567890'],
  ['errors[*].code', undefined],
  ['errors[0].code', 'A'],
  ['none', undefined],
  ['blank', undefined],
  ['results', undefined],
  ['', undefined],
])('the text at %s is %s', (path, text) => {
  expect(textAt(body, path)).toBe(text)
})
