// Databases: SQLite.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Answer } from '../../../../../test/servers/build-server.ts'
import {
  json,
  runOf,
  startRunServer,
  type RunServer,
} from '../../../../../test/servers/run-server.ts'

// Bodies that are not JSON: the content type of the endpoint says what they are.

let app: RunServer
let read: number
let xml: number
let form: number
let text: number
beforeAll(async () => {
  app = await startRunServer()
  read = await app.endpoint({ method_type: 'get' })
  xml = await typed('application/xml', { reference_path: "['inv:Invoice']['@number']" })
  form = await typed('application/x-www-form-urlencoded')
  text = await typed('text/plain; charset=utf-8')
})
afterAll(() => app.close())
beforeEach(() => {
  app.upstream.received.length = 0
  app.answer(json(200, { id: 7, price: '0.10', exact: 1e3, name: awkward, list: [1] }))
})

const awkward = `a&b <c> "d" 'e' ü+%\n`
const typed = (content_type: string, settings = {}) =>
  app.endpoint({ run_settings: { content_type, ...settings } })
const sent = () => app.upstream.received.at(-1)
const errorsOf = (answer: Answer) => (answer.body as { errors?: Record<string, string[]> }).errors

const signed = (number: string) =>
  [
    '\uFEFF<?xml version="1.0" encoding="UTF-8"?>\r\n',
    `<inv:Invoice xmlns:inv='urn:x'  number="${number}" >\n\t<a />\r\n`,
    '<!-- kept --><total currency = "EUR">0.10</total><b></b>&#65;é😀<![CDATA[ <raw> ]]>\n',
    '<ds:SignatureValue>MEUCIQ+/==\r\n</ds:SignatureValue></inv:Invoice>\n \n',
  ].join('')

describe('a body that is sent', () => {
  it('signed XML goes out byte for byte, and its reference keeps it from a second sending', async () => {
    const first = await app.tax([{ end_point: xml, body: signed('F-1') }])
    expect(first.status, first.text).toBe(200)
    expect(sent()).toMatchObject({ body: signed('F-1') })
    expect(sent()?.headers).toMatchObject({ 'content-type': 'application/xml', accept: '*/*' })
    const { steps } = await app.show(runOf(first).id)
    expect(steps[0]).toMatchObject({ body: { text: signed('F-1') } })

    const again = await app.tax([{ end_point: xml, body: signed('F-1') }])
    expect(runOf(again).id).toBe(runOf(first).id)
    const changed = await app.tax([{ end_point: xml, body: `${signed('F-1')} ` }])
    expect(changed).toMatchObject({ status: 409, body: { code: 'document.may_be_accepted' } })
    expect(app.upstream.received).toHaveLength(1)
  })

  it('a form and text go out as typed, whatever they look like', async () => {
    for (const [end_point, body, type] of [
      [form, 'a=1&b=%20x+y&a=2', 'application/x-www-form-urlencoded'],
      [text, '  {"not": json,}\r\n', 'text/plain; charset=utf-8'],
      [text, '{ "id" : 1.0 }', 'text/plain; charset=utf-8'],
    ] as const) {
      const answer = await app.tax([{ end_point, body }])
      expect(answer.status, answer.text).toBe(200)
      expect(sent()).toMatchObject({ body, headers: { 'content-type': type } })
    }
  })

  it('large XML, which a thread plans, goes out byte for byte', async () => {
    const body = signed('F-large').replace('<a />', `<a>${'é€'.repeat(40_000)}</a>`)
    const answer = await app.tax([{ end_point: xml, body }])
    expect(answer.status, answer.text).toBe(200)
    expect(sent()?.body === body).toBe(true)
  })

  it('JSON of its own media type is read as JSON, and has that type', async () => {
    const own = await typed('application/vnd.authority+json; v=2')
    expect((await app.tax([{ end_point: own, body: '{ "a": 1.0 }' }])).status).toBe(200)
    expect(sent()).toMatchObject({
      body: '{ "a": 1.0 }',
      headers: { 'content-type': 'application/vnd.authority+json; v=2' },
    })
    const refused = await app.tax([{ end_point: own, body: '<a/>' }])
    expect(errorsOf(refused)).toHaveProperty(['endpoint_1.body'])
  })

  it('a blank body has no content type', async () => {
    expect((await app.tax([{ end_point: text, body: ' ' }])).status).toBe(200)
    expect(sent()).toMatchObject({ body: '' })
    expect(sent()?.headers['content-type']).toBeUndefined()
  })
})

describe('placeholders', () => {
  const parts = 'x={{steps.1.body.name}};y={{ steps.1.body.price }}{{{{;z={{steps.1.body.id}}'
  it.each([
    ['XML', () => xml, `&amp;`],
    ['a form', () => form, '%26'],
    ['text', () => text, '&'],
  ])('values are written into %s as it needs them', async (_, endpoint, ampersand) => {
    const isXml = ampersand === '&amp;'
    const body = isXml
      ? `<inv:Invoice number="N-{{steps.1.body.id}}">${parts}</inv:Invoice>`
      : parts
    const answer = await app.tax([{ end_point: read }, { end_point: endpoint(), body }])
    expect(answer.status, answer.text).toBe(200)
    const name = {
      '&amp;': 'a&amp;b &lt;c&gt; &quot;d&quot; &apos;e&apos; ü+%&#10;',
      '%26': encodeURIComponent(awkward),
      '&': awkward,
    }[ampersand]
    const filled = `x=${name};y=0.10{{;z=7`
    expect(sent()?.body).toBe(isXml ? `<inv:Invoice number="N-7">${filled}</inv:Invoice>` : filled)
  })

  it('a body that is one placeholder is its value as text', async () => {
    app.answer(json(200, '{"exact":12.50,"quoted":"\\"x\\""}'))
    const answer = await app.tax([
      { end_point: read },
      { end_point: text, body: '{{steps.1.body.exact}}' },
      { end_point: text, body: '{{steps.1.body.quoted}}' },
    ])
    expect(answer.status, answer.text).toBe(200)
    expect(app.upstream.received.slice(-2).map(({ body }) => body)).toEqual(['12.50', '"x"'])
  })

  it('XML that is one placeholder is a document that was made elsewhere, byte for byte', async () => {
    app.answer(json(200, { signed: signed('F-9'), bad: '<a>\u0000</a>' }))
    const body = ' {{steps.1.body.signed}}\n'
    const answer = await app.tax([{ end_point: read }, { end_point: xml, body }])
    expect(answer.status, answer.text).toBe(200)
    expect(sent()?.body).toBe(signed('F-9'))
    const again = await app.tax([{ end_point: xml, body: signed('F-9') }])
    expect(again.body).toMatchObject({ code: 'document.may_be_accepted' })

    const bad = '{{steps.1.body.bad}}'
    const refused = await app.tax([{ end_point: read }, { end_point: xml, body: bad }])
    expect(runOf(refused).steps[1]).toMatchObject({ state: 'blocked' })
  })

  it('JSON under another media type is JSON: values are escaped, and a reference is read', async () => {
    const named = await typed('application/jsontoxml', { reference_path: 'Folio' })
    const body = '{"Folio":"C-1","Nombre":"{{steps.1.body.name}}"}'
    const answer = await app.tax([{ end_point: read }, { end_point: named, body }])
    expect(answer.status, answer.text).toBe(200)
    expect(JSON.parse(sent()?.body ?? '')).toEqual({ Folio: 'C-1', Nombre: awkward })
    expect(sent()?.headers).toMatchObject({ 'content-type': 'application/jsontoxml' })
    const refused = await app.tax([{ end_point: named, body: 'not JSON' }])
    expect(errorsOf(refused)).toHaveProperty(['endpoint_1.body'])
  })

  it('a value that can’t stand in the text blocks the step', async () => {
    app.answer(json(200, { bad: 'a\u0000b', list: [1] }))
    for (const [field, message] of [
      ['bad', "holds a character that a body of this content type can't carry."],
      ['list', "is a list, which can't stand inside a longer text."],
    ] as const) {
      const placeholder = `{{steps.1.body.${field}}}`
      const body = `<inv:Invoice number="${placeholder}"/>`
      const answer = await app.tax([{ end_point: read }, { end_point: xml, body }])
      expect(runOf(answer).steps[1]).toMatchObject({
        state: 'blocked',
        message: `${placeholder} ${message}`,
      })
    }
    expect(app.upstream.received.map(({ method }) => method)).toEqual(['GET', 'GET'])
  })
})

describe('refused before anything is sent', () => {
  it.each([
    ['a misspelt placeholder', '<a>{{step.1.body.id}}</a>', /is no placeholder/],
    ['half of a character', '<a>\ud800</a>', /surrogate/],
    ['XML without its reference', '<a/>', /no document reference/],
    ['XML that is not well-formed', '<inv:Invoice number="1">', /no document reference/],
  ])('%s', async (_, body, message) => {
    const answer = await app.tax([{ end_point: xml, body }])
    expect(answer.status).toBe(422)
    expect(errorsOf(answer)?.['endpoint_1.body']?.[0]).toMatch(message)
    expect(app.upstream.received).toHaveLength(0)
  })

  it('fields of step 1, which only JSON can take', async () => {
    const answer = await app.tax([
      { end_point: read },
      { end_point: text, body: 'x', is_dependent: true, dependency_field: 'id' },
    ])
    expect(errorsOf(answer)?.['endpoint_2.dependency_field']?.[0]).toMatch(/^Fields can only/)
    expect(app.upstream.received).toHaveLength(0)
  })

  it.each([
    ['xml', /like application\/xml/],
    ['text/xml; charset=ISO-8859-1', /UTF-8/],
    ['text/xml\r\nX-Evil: 1', /content type/],
    ['text/ümlaut', /content type/],
    [`text/${'x'.repeat(100)}`, /longer than 100/],
  ])('an endpoint whose content type is %j', async (content_type, message) => {
    await expect(typed(content_type)).rejects.toThrow(message)
  })

  it('a reference path where the body is neither JSON nor XML', async () => {
    await expect(typed('text/plain', { reference_path: 'a' })).rejects.toThrow(
      /No document reference can be read from text\/plain/,
    )
  })
})

it('a choice list says which endpoints take text', async () => {
  const query = await app.endpoint({
    method_type: 'get',
    run_settings: { content_type: 'application/xml' },
  })
  const listed = await app.server.send('GET', '/api/tax', { token: app.token })
  const [options] = listed.body as [{ id: number; text_content_type: string | null }[]]
  const typeOf = (id: number) => options.find((option) => option.id === id)?.text_content_type
  expect([xml, read, query].map(typeOf)).toEqual(['application/xml', null, null])
})

it('a preview shows the text, and the places that differ from the XML that was accepted last', async () => {
  await app.tax([{ end_point: xml, body: '<inv:Invoice number="P-1"><t>1</t></inv:Invoice>' }])
  const body = '<inv:Invoice number="P-2"><t>1</t></inv:Invoice>'
  const shown = await app.post('/api/tax/preview', { endpoint_1: { end_point: xml, body } })
  expect(shown.body).toMatchObject({
    steps: [
      {
        body,
        headers: { 'content-type': 'application/xml' },
        marks: [{ kind: 'changed', before: '"P-1"', now: '"P-2"' }],
      },
    ],
  })
})
