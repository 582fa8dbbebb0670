import { describe, expect, it } from 'vitest'
import { indexWords } from './index-words.ts'
import { normalForm } from './normal-form.ts'
import { decimalPoint, numberForm } from './number-form.ts'
import { valuesOfBody } from './values-of-body.ts'
import { wordsOfText } from './words-of-text.ts'

const wholes = (text: string) => [...wordsOfText(text)].map(({ whole }) => whole)

it.each([
  ['Société Générale', 'societe generale'],
  ['MÜLLER Straße', 'muller strasse'],
  ['ＩＮＶ－１２', 'inv-12'],
  ['فاتورة ١٢٣', 'فاتوره 123'],
  ['۱۲۳', '123'],
  ['مُؤَسَّسَة', 'موسسه'],
  ['أحمد إلى آل', 'احمد الي ال'],
  ['ـنـور', 'نور'],
])('%s is found as %s', (text, form) => {
  expect(normalForm(text)).toBe(form)
})

it.each([
  ['1250.00', '1250'],
  ['1,250.00', '1250'],
  ['1.250,00', '1250'],
  ["1'250.00", '1250'],
  ['1250', '1250'],
  ['1250.50', `1250${decimalPoint}5`],
  ['1,250.5', `1250${decimalPoint}5`],
  ['1,234,567', '1234567'],
  ['1.234.567,89', `1234567${decimalPoint}89`],
  ['1250,5', `1250${decimalPoint}5`],
  ['0.5', `0${decimalPoint}5`],
  ['1.250', `1${decimalPoint}25`],
  ['0014808', undefined],
  ['10.0.0.1', undefined],
  ['12a', undefined],
  ['1'.repeat(31), undefined],
])('the number %s is %s', (text, form) => {
  expect(numberForm(text)).toBe(form)
})

describe('words', () => {
  it('of a reference are the whole and its pieces', () => {
    expect([...wordsOfText('(INV-2026-0014808)')]).toEqual([
      { start: 1, end: 17, whole: 'inv20260014808', pieces: ['inv', '2026', '0014808'] },
    ])
  })

  it('are found with and without the Arabic article', () => {
    expect(wholes('شركة النور للتجارة')).toEqual(['شركه', 'نور', 'تجاره'])
  })

  it('of a moment are its day, and a time of day is none', () => {
    expect(wholes('2026-08-14T00:32:45Z 00:32:45')).toEqual(['20260814'])
  })

  it('longer than 64 characters are none', () => {
    expect(wholes(`${'QmFz'.repeat(20)} short`)).toEqual(['short'])
  })
})

describe('values of a body', () => {
  const values = (text: string) =>
    [...valuesOfBody(text)].map(({ path, value }) => `${path}=${value}`)

  it('are read from JSON, without names', () => {
    expect(
      values('{"buyer":{"name":"A \\"B\\" \\u0041"},"lines":[{"n":1},{"n":-2.50}],"x":null}'),
    ).toEqual(['buyer.name=A "B" A', 'lines.0.n=1', 'lines.1.n=-2.50'])
  })

  it('are read from XML, without attributes and comments', () => {
    expect(
      values(
        '<?xml version="1.0"?><a:Invoice xmlns:a="u"><!-- no --><a:ID>A&amp;B &#65;</a:ID><x/><n><![CDATA[<c>]]></n></a:Invoice>',
      ),
    ).toEqual(['Invoice.ID=A&B A', 'Invoice.n=<c>'])
  })

  it('are read from a form and from other texts', () => {
    expect(values('a=1+2&b=%D8%A7')).toEqual(['a=1 2', 'b=ا'])
    expect(values('Just words')).toEqual(['=Just words'])
  })

  it('that are secrets are left out, with all that is in them', () => {
    expect(
      values(
        '{"password":"p1","api_key":"p2","auth":{"user":"p3"},"note":"[credential] x","client":{"access_token":["p4"]}}',
      ),
    ).toEqual(['note= x'])
    expect(values('<r><Password>p</Password><a>b</a></r>')).toEqual(['r.a=b'])
    expect(values('user=u&pin=1234')).toEqual(['user=u'])
  })

  it('of a body that was cut are read up to there', () => {
    expect(values('{"a":"one","b":"tw')).toEqual(['a=one'])
    expect(values('<a><b>one</b><c>tw')).toEqual(['a.b=one', 'a.c=tw'])
  })
})

it('a run keeps 2,000 words at most, of the first 65,536 characters', () => {
  const many = JSON.stringify(Array.from({ length: 5_000 }, (_, index) => `w${index}x`))
  expect(indexWords({ names: ['INV-1'], bodies: [many] }).size).toBe(2_000)
  const late = `{"a":"${' '.repeat(65_536)}late"}`
  expect([...indexWords({ names: [null], bodies: [late, '{"b":"beside"}'] })]).toEqual([])
})
