import { describe, expect, test } from 'vitest'
import { matchesRule, textAt } from '../endpoints/answer-rule.ts'
import { stringifyExact } from '../mapping/exact/exact-json.ts'
import { looksLikeXml, parseExactXml } from './exact-xml.ts'

const json = (xml: string) => stringifyExact(parseExactXml(xml))

describe('XML is read as a tree of texts', () => {
  test.each([
    ['text', '<a>1.00</a>', '{"a":"1.00"}'],
    ['an empty element', '<a/>', '{"a":""}'],
    ['white space around text', '<a>\n  Correcto\n</a>', '{"a":"Correcto"}'],
    ['elements', '<a><b>1</b><c>true</c></a>', '{"a":{"b":"1","c":"true"}}'],
    [
      'elements of one name',
      '<a><b>1</b><c/><b>2</b><b>3</b></a>',
      '{"a":{"b":["1","2","3"],"c":""}}',
    ],
    ['attributes', '<a b="1"><c d="2">3</c></a>', '{"a":{"@b":"1","c":{"@d":"2","#text":"3"}}}'],
    ['text beside elements', '<a>x<b/>y</a>', '{"a":{"b":"","#text":"xy"}}'],
    [
      'prefixes',
      '<s:a xmlns:s="urn:x"><s:b>1</s:b></s:a>',
      '{"s:a":{"@xmlns:s":"urn:x","s:b":"1"}}',
    ],
    [
      'the entities of XML',
      '<a b="&lt;&#65;">&amp;lt; &#x20AC;</a>',
      '{"a":{"@b":"<A","#text":"&lt; €"}}',
    ],
    ['CDATA', '<a><![CDATA[<b>&amp;]]>&amp;</a>', '{"a":"<b>&amp;&"}'],
    [
      'comments and instructions',
      '<?xml version="1.0"?><!-- <!DOCTYPE x> --><a><?p q?><!-- - -->1</a>',
      '{"a":"1"}',
    ],
    ['a byte order mark', '\uFEFF<a>1</a>', '{"a":"1"}'],
    [
      'names that objects have',
      '<valueOf><toString>1</toString></valueOf>',
      '{"valueOf":{"toString":"1"}}',
    ],
    [
      'digits that no number holds',
      '<a>12345678901234567890.10</a>',
      '{"a":"12345678901234567890.10"}',
    ],
    ['a sign > in an attribute', '<a b="1>2"/>', '{"a":{"@b":"1>2"}}'],
  ])('%s', (_, xml, expected) => {
    expect(json(xml)).toBe(expected)
  })
})

describe('what is not read', () => {
  const bomb = `<!DOCTYPE a [<!ENTITY b "${'x'.repeat(100)}"><!ENTITY c "&b;&b;">]><a>&c;</a>`
  test.each([
    ['an entity of its own', '<a>&b;</a>'],
    ['a document type', bomb],
    ['a document type that reads a file', '<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>'],
    ['a character that is none', '<a>&#0;</a>'],
    ['half of a surrogate pair', '<a>&#xD800;</a>'],
    ['an element that is not closed', '<a><b></a>'],
    ['an attribute twice', '<a b="1" b="2"/>'],
    ['two documents', '<a/><b/>'],
    ['no element', '<!-- -->'],
    ['a web page', '<html><body>502</body></html>'],
    ['a constructor', '<a><constructor>1</constructor></a>'],
    ['the prototype', '<a><__proto__>1</__proto__></a>'],
    ['a prototype around all', '<__proto__><a>1</a></__proto__>'],
    ['JSON', '{"a":1}'],
    ['33 levels', '<a>'.repeat(33) + '</a>'.repeat(33)],
    ['far more levels', '<a>'.repeat(100_000)],
    ['6 MiB', `<a>${'x'.repeat(6 * 1_048_576)}</a>`],
  ])('%s', (_, xml) => {
    expect(() => parseExactXml(xml)).toThrow(expect.objectContaining({ name: 'JsonProblem' }))
    expect(({} as Record<string, unknown>)['a']).toBeUndefined()
  })

  test('hostile XML takes no time', () => {
    const many = `<a>${'<b c="d">&amp;</b>'.repeat(100_000)}</a>`
    const before = process.threadCpuUsage()
    parseExactXml(many)
    for (const text of ['<!--'.repeat(100_000), '<a "'.repeat(100_000), '<'.repeat(1_000_000)]) {
      expect(() => parseExactXml(text)).toThrow(expect.objectContaining({ name: 'JsonProblem' }))
    }
    // Of CPU time, whatever else the machine does.
    const { user, system } = process.threadCpuUsage(before)
    expect((user + system) / 1000).toBeLessThan(20_000)
  })
})

test('paths and rules read an answer of the Spanish tax agency', () => {
  const answer = parseExactXml(`<?xml version="1.0" encoding="UTF-8"?>
    <env:Envelope xmlns:env="http://schemas.xmlsoap.org/soap/envelope/"><env:Body>
      <tikR:RespuestaRegFactuSistemaFacturacion xmlns:tikR="urn:tik">
        <tikR:CSV>A-1</tikR:CSV><tikR:EstadoEnvio>Correcto</tikR:EstadoEnvio>
      </tikR:RespuestaRegFactuSistemaFacturacion></env:Body></env:Envelope>`)
  const at = "['env:Envelope']['env:Body']['tikR:RespuestaRegFactuSistemaFacturacion']"
  expect(textAt(answer, `${at}['tikR:CSV']`)).toBe('A-1')
  const rule = {
    statuses: '200',
    join: 'all' as const,
    conditions: [{ path: `${at}['tikR:EstadoEnvio']`, test: 'equals' as const, value: 'Correcto' }],
  }
  expect(matchesRule(rule, { status: 200, body: answer })).toBe('holds')
})

test('the first sign tells XML from JSON', () => {
  expect(['<a/>', ' \n<a/>', '\uFEFF<a/>', '{"a":"<"}', '"<"', ''].map(looksLikeXml)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ])
})
