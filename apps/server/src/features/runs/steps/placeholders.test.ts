import { emptyObject, escapeBraces, parseExact, stringifyExact } from '@gatehouse/contract/mapping'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fillPlaceholders, findPlaceholders } from './placeholders.ts'

const first = parseExact(
  '{"id":12345678901234567890,"price":0.10,"name":"Ada","none":null,"yes":true,"list":[{"sku":"a"},{"sku":"b"}],"odd key":"k","brace}}":"b","deep":{"x":[1,[2.50]]}}',
)
const answerOf = (step: number) =>
  step === 1 ? first : step === 2 ? parseExact('"plain"') : undefined

/** What a body becomes as step 3, or the refusal. */
function filled(text: string, position = 3): string {
  const body = parseExact(text)
  const found = findPlaceholders(body, position)
  if (!found.ok) return found.message
  const result = fillPlaceholders(body, position, answerOf)
  return result.ok ? stringifyExact(result.body) : result.message
}

describe('a text that is nothing but a placeholder becomes the value with its type', () => {
  it.each([
    ['"{{steps.1.body.id}}"', '12345678901234567890'],
    ['"{{steps.1.body.price}}"', '0.10'],
    ['"{{steps.1.body.name}}"', '"Ada"'],
    ['"{{steps.1.body.none}}"', 'null'],
    ['"{{steps.1.body.yes}}"', 'true'],
    ['"{{steps.1.body.list[1]}}"', '{"sku":"b"}'],
    ['"{{steps.1.body.list[-1].sku}}"', '"b"'],
    ['"{{steps.1.body.list[*].sku}}"', '["a","b"]'],
    ['"{{steps.1.body.deep.x[1][0]}}"', '2.50'],
    [`"{{steps.1.body['odd key']}}"`, '"k"'],
    [`"{{steps.1.body['brace}}']}}"`, '"b"'],
    ['"{{ steps.1.body.name }}"', '"Ada"'],
    ['"{{steps.1.body.name  }}"', '"Ada"'],
    ['"{{steps.2.body}}"', '"plain"'],
    ['[{"a":"{{steps.1.body.name}}"},1.0]', '[{"a":"Ada"},1.0]'],
  ])('%s → %s', (body, expected) => expect(filled(body)).toBe(expected))
})

describe('inside a longer text the value is text', () => {
  it.each([
    ['"Hello {{steps.1.body.name}}!"', '"Hello Ada!"'],
    ['"{{steps.1.body.id}}/{{steps.1.body.price}}"', '"12345678901234567890/0.10"'],
    ['"{{steps.1.body.name}}{{steps.2.body}}"', '"Adaplain"'],
    ['" {{steps.1.body.yes}}"', '" true"'],
  ])('%s → %s', (body, expected) => expect(filled(body)).toBe(expected))
})

describe('what is no placeholder is left alone', () => {
  it.each(['"{name}"', '"{steps.1.body.id}"', '"}}"', '"a}} b{ c}"', '"{ {steps.1.body.id}}"'])(
    '%s',
    (body) => expect(filled(body)).toBe(body),
  )
})

describe('what two braces open and is no placeholder is refused, with the one that was meant', () => {
  it.each([
    ['"{{step.1.body.id}}"', '{{steps.1.body.id}}'],
    ['"{{Steps.1.body.id}}"', '{{steps.1.body.id}}'],
    ['"{{STEPS.2.body}}"', '{{steps.2.body}}'],
    ['"{{stpes.1.body.list[0].sku}}"', '{{steps.1.body.list[0].sku}}'],
    ['"{{ step 1 body id }}"', '{{steps.1.body.id}}'],
    ['"{{steps[1].body.id}}"', '{{steps.1.body.id}}'],
    ['"{{step1.body.id}}"', '{{steps.1.body.id}}'],
    ['"{{$steps.1.body.id}}"', '{{steps.1.body.id}}'],
    ['"{{step.1.response.id}}"', '{{steps.1.body.id}}'],
    ['"{{steps.1.id}}"', '{{steps.1.body.id}}'],
    ['"{{step.1.body.id}"', '{{steps.1.body.id}}'],
    ['"{{uuid}}"', '{{steps.1.body.uuid}}'],
    ['"Dear {{customer.name}}!"', '{{steps.1.body.customer.name}}'],
  ])('%s → %s', (body, meant) => expect(filled(body)).toMatch(`Did you mean ${meant}?`))

  it.each([
    ['"{{stepsister}}"', 3, /is no placeholder/],
    ['"{{step.3.body.id}}"', 3, /Write \{\{steps\.1\.body\.path\}\}/],
    ['"{{step.1.body.id}}"', 1, /step 1 has no earlier answer/],
    ['"{{uuid}}"', 1, /step 1 has no earlier answer/],
    ['"{{}}"', 3, /is no placeholder/],
    ['"a {{ b"', 3, /is no placeholder/],
    ['"{{!!}}"', 3, /is no placeholder/],
    ['{"{{uuid}}":1}', 3, /is no placeholder/],
    ['"{{{{{{uuid}}"', 3, /^\{\{uuid\}\} is no placeholder/],
  ])('%s in step %i', (body, position, message) => {
    expect(filled(body, position)).toMatch(message)
    expect(filled(body, position)).toContain('Two braces that are text are written {{{{.')
  })
})

describe('two braces that are text are written as four', () => {
  it.each([
    ['"{{{{uuid}}"', '"{{uuid}}"'],
    ['"{{{{steps.1.body.id}}"', '"{{steps.1.body.id}}"'],
    ['"{{{{a}}}} {{{{b}}"', '"{{a}}}} {{b}}"'],
    ['"{{{{{a"', '"{{{a"'],
    ['"{{{{{{{{"', '"{{{{"'],
    ['"{{{{{{steps.1.body.name}}"', '"{{Ada"'],
    ['"{{{{{{{steps.1.body.name}}"', '"{{{Ada"'],
    ['"{{{{x}}={{steps.1.body.price}}"', '"{{x}}=0.10"'],
    ['{"{{{{k}}":"{{steps.1.body.name}}"}', '{"{{k}}":"Ada"}'],
    [String.raw`"\u007b{{\u007Bx"`, '"{{x"'],
  ])('%s → %s', (body, expected) => expect(filled(body)).toBe(expected))

  it('any text leaves as it is once its braces are escaped', () => {
    const text = fc.string({ unit: fc.constantFrom('{', '{', '}', 'a', 'steps.1.body', '"', ' ') })
    fc.assert(
      fc.property(fc.array(text), text, (texts, key) => {
        const body = emptyObject()
        body[escapeBraces(key)] = texts.map(escapeBraces)
        const expected = emptyObject()
        expected[key] = texts
        expect(filled(stringifyExact(body))).toBe(stringifyExact(expected))
      }),
    )
  })
})

describe('nothing is taken that is not there', () => {
  it.each([
    ['"{{steps.1.body.missing}}"', 3, /no such value/],
    ['"x {{steps.1.body.list[9].sku}}"', 3, /no such value/],
    ['"{{steps.1.body.toString}}"', 3, /no such value/],
    ['"{{steps.1.body.__proto__}}"', 3, /no such value/],
    ['"{{steps.2.body.id}}"', 3, /no such value/],
    ['"{{steps.3.body.id}}"', 4, /left no answer/],
    ['"{{steps.3.body.id}}"', 3, /does not come before/],
    ['"{{steps.0.body.id}}"', 3, /does not come before/],
    ['"{{steps.1.body.id}}"', 1, /no step comes before it/],
    ['"{{steps.one.body.id}}"', 3, /can't be read/],
    ['"{{steps.1.status}}"', 3, /can't be read/],
    ['"{{steps.1.bodyguard}}"', 3, /can't be read/],
    ['"{{steps.1.body.a..b}}"', 3, /two dots/],
    ['"{{steps.1.body[?(@.x)]}}"', 3, /filters/],
    ['{"{{steps.1.body.id}}":1}', 3, /stands in a key/],
    ['{"a":{"x {{steps.1.body.id}}":1}}', 3, /stands in a key/],
    ['"={{steps.1.body.none}}"', 3, /is null, which can't stand inside/],
    ['"={{steps.1.body.list[0]}}"', 3, /is an object, which can't stand inside/],
    ['"={{steps.1.body.list}}"', 3, /is a list, which can't stand inside/],
    ['"={{steps.1.body.list[*].sku}}"', 3, /is a list, which can't stand inside/],
  ])('%s in step %i', (body, position, message) => expect(filled(body, position)).toMatch(message))
})

describe('braces and quotes', () => {
  const tricky = parseExact(
    String.raw`{"q":"say \"hi\"","b":"C:\\x\n","u":"\u00e9\u2028\ud83d\ude00","c":"}}","o":"{{","p":"{{steps.1.body.q}}","k\"y":1,"k'y":2,"k\\":3}`,
  )
  const fill = (text: string) => {
    const found = findPlaceholders(parseExact(text), 2)
    const result = fillPlaceholders(parseExact(text), 2, () => tricky)
    if (!found.ok) return found.message
    return result.ok ? stringifyExact(result.body) : result.message
  }
  it.each([
    // What a value holds is escaped again, alone and within a text.
    ['"{{steps.1.body.q}}"', String.raw`"say \"hi\""`],
    ['"<{{steps.1.body.q}}>"', String.raw`"<say \"hi\">"`],
    ['"<{{steps.1.body.b}}>"', String.raw`"<C:\\x\n>"`],
    ['"<{{steps.1.body.u}}>"', '"<é\u2028😀>"'],
    // What was filled in opens and closes nothing, whatever stands beside it.
    ['"{{steps.1.body.o}}steps.1.body.q}}"', '"{{steps.1.body.q}}"'],
    ['"{{steps.1.body.c}}{{steps.1.body.c}}"', '"}}}}"'],
    ['"{{steps.1.body.p}}!"', '"{{steps.1.body.q}}!"'],
    ['"{{{steps.1.body.o}}}"', '"{{{}"'],
    // Keys with quotes and backslashes, as JSON writes them.
    [String.raw`"{{steps.1.body[\"k\\\"y\"]}}"`, '1'],
    [String.raw`"{{steps.1.body[\"k'y\"]}}"`, '2'],
    [String.raw`"{{steps.1.body['k\\\\']}}"`, '3'],
    // Escaped braces are braces: they are read after JSON is.
    [String.raw`"\u007b\u007bsteps.1.body.c}}"`, '"}}"'],
    ['"{{\\nsteps.1.body.c\\n}}"', '"}}"'],
  ])('%s → %s', (text, expected) => expect(fill(text)).toBe(expected))

  it.each([
    '"{{steps.1.body.q"',
    '"{{steps.1.body.q}"',
    '"{{steps.1.body.q} }"',
    '"{{steps.1.body.{{steps.1.body.q}}}}"',
    '"{{steps.1.body.q {{steps.1.body.q}}"',
    `"{{steps.1.body['q}}"`,
    '"{{steps}}"',
    '"{{steps.1}}"',
  ])('%s is refused', (text) => expect(fill(text)).toMatch(/^\{\{steps/))
})

it('what was filled in is never looked at again for placeholders', () => {
  const trap = parseExact('{"a":"{{steps.1.body.b}}","b":"secret"}')
  const result = fillPlaceholders(parseExact('"{{steps.1.body.a}}"'), 2, () => trap)
  expect(result).toEqual({ ok: true, body: '{{steps.1.body.b}}' })
})

it('a body without placeholders comes out as it went in', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const body = parseExact(text, { maxDepth: 1000 })
      fc.pre(!text.includes('{{'))
      const result = fillPlaceholders(body, 4, () => undefined)
      expect(result.ok && stringifyExact(result.body)).toBe(stringifyExact(body))
    }),
  )
})

it('any value of an answer arrives exactly, numbers included', () => {
  const number = fc
    .tuple(fc.bigInt(), fc.nat(), fc.constantFrom('', 'e3', 'E-400'))
    .map(([whole, part, exponent]) => `${whole}.${part}${exponent}`)
  fc.assert(
    fc.property(fc.oneof(number, fc.json()), (text) => {
      const answer = parseExact(`{"v":${text}}`, { maxDepth: 1000 })
      const result = fillPlaceholders(parseExact('{"x":"{{steps.1.body.v}}"}'), 2, () => answer)
      const expected = stringifyExact(answer).replace('{"v":', '{"x":')
      expect(result.ok && stringifyExact(result.body)).toBe(expected)
    }),
  )
})

it('takes a megabyte of openings without a close in linear time', () => {
  const text = '{{steps'.repeat(150_000)
  expect(findPlaceholders(text, 2)).toMatchObject({ ok: false })
  expect(findPlaceholders(`{{steps.1.body.a}}${"'{{steps".repeat(120_000)}`, 2)).toMatchObject({
    ok: false,
  })
})
