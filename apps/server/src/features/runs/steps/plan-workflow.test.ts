import { defaultRunSettings, type WorkflowMappingRow } from '@gatehouse/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { planBodies, type PlannedBody, type TypedBody } from './bodies/plan-body.ts'
import { resolveStep } from './resolve-step.ts'
import { conditionOf } from './step-condition.ts'

const target: TypedBody['target'] = {
  kind: 'http',
  method: 'POST',
  path: '/invoices',
  address: 'https://authority.example',
  format: 'json',
  contentType: '',
  staticHeaders: [],
  settings: defaultRunSettings,
}
const textTarget = (format: 'xml' | 'form' | 'text', contentType: string) => ({
  ...target,
  format,
  contentType,
})

const typed = (body: string, more: Partial<TypedBody> = {}): TypedBody => ({
  position: 1,
  body,
  dependencyField: null,
  format: more.target?.format ?? 'json',
  target,
  ...more,
})
const planned = (body: TypedBody, input: string): PlannedBody => {
  const [first] = planBodies([body], input)
  if (!first) throw new Error('nothing was planned')
  return first
}
const sent = (body: TypedBody, input: string) => {
  const plan = planned(body, input)
  return plan.ok ? plan.request?.body : plan.problems
}

const row = (from: string, to: string, more: Partial<WorkflowMappingRow> = {}) => ({
  source: 'input',
  from,
  to,
  type: '',
  custom_input: '',
  ...more,
})
const condition = (source: string, path: string, value: string, statuses = '') =>
  conditionOf({ source, statuses, join: 'all', conditions: [{ path, test: 'equals', value }] })!

describe('placeholders over the input', () => {
  it.each([
    ['a number keeps its digits', '{"a":"{{input.n}}"}', '{"n":0.10}', '{"a":0.10}'],
    [
      'and its size',
      '{"a":"{{input.n}}"}',
      '{"n":12345678901234567890}',
      '{"a":12345678901234567890}',
    ],
    ['inside a longer text too', '{"a":"no {{input.n}}"}', '{"n":1E400}', '{"a":"no 1E400"}'],
    ['the whole input', '"{{input}}"', '{"b":1,"a":[2.50]}', '{"b":1,"a":[2.50]}'],
    ['an element', '{"a":"{{input[0].x}}"}', '[{"x":true}]', '{"a":true}'],
    ['every element', '["{{input.l[*].q}}"]', '{"l":[{"q":1.0},{"q":2}]}', '[[1.0,2]]'],
    ['blanks', '{"a":"{{ input.n }}"}', '{"n":null}', '{"a":null}'],
    [
      'four braces are two',
      '{"a":"{{{{input.n}} {{input.n}}"}',
      '{"n":1}',
      '{"a":"{{input.n}} 1"}',
    ],
    [
      'braces in a value are not filled again',
      '{"a":"{{input.n}}"}',
      '{"n":"{{input.x}}"}',
      '{"a":"{{input.x}}"}',
    ],
  ])('%s', (_name, body, input, expected) => expect(sent(typed(body), input)).toBe(expected))

  it('are escaped as the content type asks', () => {
    const input = '{"name":"Ünal & \\"Söhne\\" <1>","n":0.10}'
    const xml = { target: textTarget('xml', 'application/xml') }
    expect(sent(typed('<a b="{{input.n}}">{{input.name}}</a>', xml), input)).toBe(
      '<a b="0.10">Ünal &amp; &quot;Söhne&quot; &lt;1&gt;</a>',
    )
    const form = { target: textTarget('form', 'application/x-www-form-urlencoded') }
    expect(sent(typed('name={{input.name}}&n={{input.n}}', form), input)).toBe(
      'name=%C3%9Cnal%20%26%20%22S%C3%B6hne%22%20%3C1%3E&n=0.10',
    )
    const text = { target: textTarget('text', 'text/plain') }
    expect(sent(typed('{{input.name}}', text), input)).toBe('Ünal & "Söhne" <1>')
  })

  it('name every value that is missing, and nothing is frozen', () => {
    const body = '{"a":"{{input.buyer.id}}","b":"{{input.lines[0].qty}}","c":"{{input.n}}"}'
    expect(planned(typed(body), '{"n":1,"lines":[]}')).toEqual({
      ok: false,
      problems: [
        {
          field: 'input',
          at: 'buyer.id',
          message: '{{input.buyer.id}}: the input has no such value.',
        },
        {
          field: 'input',
          at: 'lines[0].qty',
          message: '{{input.lines[0].qty}}: the input has no such value.',
        },
      ],
    })
  })

  it('are refused outside of a workflow, and misspelt ones get a hint', () => {
    const [outside] = planBodies([typed('{"a":"{{input.n}}"}')])
    expect(outside).toMatchObject({
      ok: false,
      problems: [{ field: 'body', message: expect.stringContaining('only be used in a workflow') }],
    })
    expect(planned(typed('{"a":"{{inputs.n}}"}'), '{}')).toMatchObject({
      problems: [{ message: expect.stringContaining('Did you mean {{input.n}}?') }],
    })
    expect(planned(typed('{"a":"{{steps.1.body.n}}"}'), '{}')).toMatchObject({
      problems: [{ message: expect.stringContaining('{{input.path}}') }],
    })
  })

  it('wait for earlier answers where a body takes from both', () => {
    const body = typed('{"a":"{{input.n}}","b":"{{steps.1.body.id}}"}', { position: 2 })
    const plan = planned(body, '{"n":0.10}')
    if (!plan.ok) throw new Error('refused')
    expect(plan).toMatchObject({ request: undefined, source: { takes: ['{{steps.1.body.id}}'] } })
    const answers = new Map([
      [0, '{"n":0.10}'],
      [1, '{"id":7.00}'],
    ])
    const step = {
      source: plan.source,
      effect: 'submit',
      target,
      frozen: undefined,
    } as const
    expect(resolveStep({ ...step, answers })).toMatchObject({
      request: { body: '{"a":0.10,"b":7.00}' },
    })
    expect(planned(body, '{}')).toMatchObject({
      ok: false,
      problems: [{ field: 'input', at: 'n' }],
    })
  })
})

it('an input that is no JSON is the fault of the input, in every step', () => {
  expect(planBodies([typed('1'), typed('2')], '{"a":1,"a":2}')).toEqual([
    {
      ok: false,
      problems: [{ field: 'input', at: '', message: expect.stringContaining('occurs twice') }],
    },
    {
      ok: false,
      problems: [{ field: 'input', at: '', message: expect.stringContaining('occurs twice') }],
    },
  ])
})

describe('mapping rows', () => {
  const mapped = (rows: WorkflowMappingRow[], more: Partial<TypedBody> = {}) =>
    typed(JSON.stringify(rows), { rows, ...more })

  it('map the input exactly, and keep the rows as what was typed', () => {
    const rows = [
      row('lines[*].price', 'items[*].amount'),
      row('$.no', 'id', { type: 'string' }),
      row('missing', 'kind', { custom_input: 'invoice', type: 'string' }),
    ]
    const plan = planned(mapped(rows), '{"no":7,"lines":[{"price":0.10},{"price":2.50}]}')
    expect(plan).toMatchObject({
      ok: true,
      request: { body: '{"items":[{"amount":0.10},{"amount":2.50}],"id":"7","kind":"invoice"}' },
      source: { text: JSON.stringify(rows), takes: [] },
    })
  })

  it('name the place of the input that is missing or does not fit', () => {
    const rows = [row('buyer.id', 'a'), row('n', 'b', { type: 'integer' }), row('ok', 'c')]
    expect(planned(mapped(rows), '{"n":"x","ok":1}')).toMatchObject({
      ok: false,
      problems: [
        { field: 'input', at: 'buyer.id' },
        { field: 'input', at: 'n' },
      ],
    })
  })

  it('take from earlier answers when they are there', () => {
    const rows = [row('n', 'a'), row('list[*].id', 'ids', { source: 'steps.1.body' })]
    const plan = planned(mapped(rows, { position: 2 }), '{"n":0.10}')
    if (!plan.ok) throw new Error('refused')
    expect(plan.source.takes).toEqual(['steps.1.body.list[*].id'])
    const step = {
      source: plan.source,
      effect: 'submit',
      target,
      frozen: undefined,
    } as const
    const answers = (first: string) =>
      new Map([
        [0, '{"n":0.10}'],
        [1, first],
      ])
    expect(
      resolveStep({ ...step, answers: answers('{"list":[{"id":1.0},{"id":2}]}') }),
    ).toMatchObject({
      request: { body: '{"a":0.10,"ids":[1.0,2]}' },
    })
    expect(resolveStep({ ...step, answers: answers('not json') })).toEqual({
      ok: false,
      message: 'Step 1 left no answer that is JSON to map from.',
    })
    expect(resolveStep({ ...step, answers: answers('{}') })).toMatchObject({
      ok: false,
      message: expect.stringMatching(/^Mapping row 2: /),
    })
    // What the input lacks is found before anything is sent.
    expect(planned(mapped(rows, { position: 2 }), '{}')).toMatchObject({
      problems: [{ field: 'input', at: 'n' }],
    })
  })

  it('make JSON only', () => {
    const xml = textTarget('xml', 'application/xml')
    expect(planned(mapped([row('n', 'a')], { target: xml }), '{"n":1}')).toMatchObject({
      problems: [{ field: 'body', message: expect.stringContaining('content type') }],
    })
  })
})

describe('conditions', () => {
  it('over the input are decided at the start, and a skipped step asks for no values', () => {
    const body = typed('{"a":"{{input.missing}}"}', {
      condition: condition('input', 'kind', 'b2b'),
    })
    expect(planned(body, '{"kind":"b2c"}')).toMatchObject({
      ok: true,
      request: undefined,
      skipped: 'Skipped: the input does not fit its condition.',
    })
    expect(planned(body, '{"kind":"b2b"}')).toMatchObject({ ok: false })
  })

  it('compare numbers as they are written', () => {
    const body = typed('1', { condition: condition('input', 'n', '0.10') })
    expect(planned(body, '{"n":0.10}')).not.toHaveProperty('skipped')
    expect(planned(body, '{"n":0.1}')).toHaveProperty('skipped')
  })

  it.each([
    ['holds', '{"state":"open"}', 200, { ok: true }],
    ['fails', '{"state":"closed"}', 200, { ok: false, isSkipped: true }],
    ['another status', '{"state":"open"}', 202, { ok: false, isSkipped: true }],
    ['no answer, as the step was skipped', undefined, undefined, { ok: false, isSkipped: true }],
    ['an answer that can’t be read', 'text', 200, { ok: false, isSkipped: false }],
    [
      'no status, as a person vouched',
      '{"state":"open"}',
      undefined,
      { ok: false, isSkipped: false },
    ],
  ])('over an earlier answer wait for it: %s', (_name, answer, status, expected) => {
    const body = typed('{"a":"{{input.n}}"}', {
      position: 2,
      condition: condition('steps.1.body', 'state', 'open', '200'),
    })
    const plan = planned(body, '{"n":1.0}')
    if (!plan.ok) throw new Error('refused')
    expect(plan).toMatchObject({ request: undefined, source: { takes: ['steps.1.body'] } })
    const resolved = resolveStep({
      source: plan.source,
      effect: 'submit',
      target,
      frozen: undefined,
      answers: new Map([[0, '{"n":1.0}'] as const, ...(answer ? [[1, answer] as const] : [])]),
      statuses: new Map(status ? [[1, status]] : []),
    })
    expect(resolved).toMatchObject(expected)
    if (resolved.ok) expect(resolved.request.body).toBe('{"a":1.0}')
  })

  it('do not skip what was sent before', () => {
    const frozen = {
      method: 'POST',
      url: 'https://authority.example/',
      headers: {},
      body: '1',
    } as const
    const body = typed('1', { condition: condition('input', 'n', '1'), isFrozen: true })
    expect(planned(body, '{"n":2}')).not.toHaveProperty('skipped')
    const later = typed('1', { position: 2, condition: condition('steps.1.body', 'n', '1') })
    const plan = planned(later, '{}')
    if (!plan.ok) throw new Error('refused')
    const step = { source: plan.source, effect: 'submit', target, frozen } as const
    expect(resolveStep({ ...step, answers: new Map([[1, '{"n":2}']]) })).toMatchObject({ ok: true })
  })
})

it('any JSON comes through a placeholder and a row, number for number and key for key', () => {
  const number = fc
    .tuple(fc.bigInt(), fc.stringMatching(/^\d{0,30}$/), fc.integer({ min: -400, max: 400 }))
    .map(([whole, digits, exponent]) => `${whole}${digits ? `.${digits}` : ''}e${exponent}`)
  const { json } = fc.letrec<{ json: string }>((tie) => ({
    json: fc.oneof(
      { maxDepth: 4 },
      number,
      fc.constantFrom('null', 'true', 'false'),
      fc.string().map((text) => JSON.stringify(text)),
      fc.array(tie('json'), { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
      fc
        .uniqueArray(fc.tuple(fc.string(), tie('json')), { maxLength: 4, selector: ([key]) => key })
        .map(
          (entries) =>
            `{${entries.map(([key, each]) => `${JSON.stringify(key)}:${each}`).join(',')}}`,
        ),
    ),
  }))
  fc.assert(
    fc.property(json, (value) => {
      const input = `{"v":${value}}`
      const expected = `{"a":${value}}`
      expect(sent(typed('{"a":"{{input.v}}"}'), input)).toBe(expected)
      expect(sent(typed('[]', { rows: [row('v', 'a')] }), input)).toBe(expected)
    }),
    { numRuns: 300 },
  )
})
