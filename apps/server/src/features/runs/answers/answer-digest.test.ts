import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { matchesRule, textAt, type ConditionTest } from '@gatehouse/contract/answer-rule'
import { answerTree } from '@gatehouse/contract/answer-tree'
import { stringifyExact, type ExactJson } from '@gatehouse/contract/mapping'
import { digestOf, pathsOf } from './answer-digest.ts'
import { listAt } from './list-at.ts'
import { messagesAt } from './messages-at.ts'

const digest = (text: string, settings: unknown) =>
  digestOf(Buffer.from(text), pathsOf(settings)).left

const names = ['a', 'b', 'c', '1', '']
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom('null', 'true', '1.10', '12345678901234567890', '""', '"ok"', '" x "'),
    fc
      .array(tie('value') as fc.Arbitrary<string>, { maxLength: 4 })
      .map((all) => `[${all.join()}]`),
    fc
      .uniqueArray(fc.tuple(fc.constantFrom(...names), tie('value') as fc.Arbitrary<string>), {
        maxLength: 4,
        selector: ([name]) => name,
      })
      .map((all) => `{${all.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join()}}`),
  ),
})).value
const path = fc
  .array(fc.constantFrom('.a', '.b', '.c', "['1']", '[0]', '[-1]', '[*]'), { maxLength: 4 })
  .map((parts) => `$${parts.join('')}`)
const tests: ConditionTest[] = [
  'equals',
  'not_equals',
  'contains',
  'exists',
  'missing',
  'empty',
  'not_empty',
]

it('what is left gives the same result at every path of the settings', () => {
  const settings = fc.record({
    success_rule: fc.record({
      conditions: fc.array(
        fc.record({ path, test: fc.constantFrom(...tests), value: fc.constantFrom('ok', '1.10') }),
        { minLength: 1, maxLength: 3 },
      ),
    }),
    wait_path: path,
    message_path: fc.array(path, { minLength: 1, maxLength: 2 }).map((all) => all.join(', ')),
    documents: fc.record({ accepted_path: path, answer_reference_path: path, message_path: path }),
  })
  fc.assert(
    fc.property(json, settings, (text, chosen) => {
      const seen = (tree: ExactJson | undefined) => {
        const { accepted_path, answer_reference_path, message_path } = chosen.documents
        const rule = { statuses: '', join: 'all' as const, ...chosen.success_rule }
        return {
          rule: matchesRule(rule, { status: 200, body: tree }),
          each: rule.conditions.map((condition) =>
            matchesRule({ ...rule, conditions: [condition] }, { status: 200, body: tree }),
          ),
          wait: textAt(tree, chosen.wait_path),
          messages: messagesAt(tree, chosen.message_path),
          documents: listAt(tree, accepted_path)?.map((element) => [
            textAt(element, answer_reference_path),
            textAt(element, '$'),
            messagesAt(element, message_path),
          ]),
        }
      }
      const left = digest(text, chosen)
      expect(seen(answerTree(left ?? ''))).toEqual(seen(answerTree(text)))
    }),
    { numRuns: 3_000 },
  )
})

describe('of a large answer', () => {
  const filler = Array.from({ length: 50_000 }, (_, at) => ({ line: at, text: 'x'.repeat(20) }))

  it('only what the settings look at is left, with numbers as they came', () => {
    const text = `{"number":12345678901234567890.10,"lines":${JSON.stringify(filler)},"state":"ok"}`
    const left = digest(text, {
      authority_reference_path: 'number',
      success_rule: { conditions: [{ path: 'state', test: 'equals', value: 'ok' }] },
    })
    expect(left).toBe('{"number":12345678901234567890.10,"state":"ok"}')
  })

  it('messages are the same as far as they are shown', () => {
    const text = JSON.stringify({ errors: { all: filler, first: 'no' } })
    const left = digest(text, { message_path: 'errors' })!
    expect(left.length).toBeLessThan(2_000)
    expect(messagesAt(answerTree(left), 'errors')).toBe(messagesAt(answerTree(text), 'errors'))
  })

  it('XML is read too', () => {
    const text = `<r><n>7</n>${'<x>1</x>'.repeat(20_000)}</r>`
    const left = answerTree(digest(text, { qr_path: 'r.n' })!)
    expect(textAt(left, 'r.n')).toBe('7')
    expect(stringifyExact(left!).length).toBeLessThan(100)
  })

  it('a thousand documents of a list are all left', () => {
    const documents = Array.from({ length: 1_000 }, (_, at) => ({
      id: `D-${at}`,
      error: { code: 7, text: 'y'.repeat(300) },
      more: 'z'.repeat(1_000),
    }))
    const settings = {
      documents: { rejected_path: 'no', answer_reference_path: 'id', message_path: 'error' },
    }
    const left = answerTree(digest(JSON.stringify({ no: documents }), settings)!)
    expect(listAt(left, 'no')).toHaveLength(1_000)
    expect(messagesAt(listAt(left, 'no')![999], 'error')).toContain('yyy')
  })

  it.each([
    ['more is left than the server reads at once', JSON.stringify({ a: Array(70_000).fill(1) })],
    ['it has too many values', `[${'0,'.repeat(2_100_000)}0]`],
    ['it has too many lists', `[${'[],'.repeat(1_100_000)}0]`],
    ['it is no JSON', '{"a":'],
  ])('unreadable: %s', (_, text) => {
    expect(digest(text, { qr_path: 'a[0]' })).toBeUndefined()
  })

  it('the text is there too where it is not UTF-8', () => {
    expect(digestOf(Buffer.from([0x22, 0xff, 0x22]), pathsOf({}))).toMatchObject({
      text: '"\uFFFD"',
    })
    const { text } = digestOf(Buffer.alloc(2 * 1024 * 1024, 0xff), pathsOf({}))
    expect(text).toBe('\uFFFD'.repeat(1024 * 1024))
  })
})
