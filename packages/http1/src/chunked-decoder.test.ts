import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseAnswer } from './testing/parse-answer.ts'

const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'
const parse = (body: string) => parseAnswer(head + body)

describe('refused', () => {
  it.each([
    ['no size', '\r\nabc\r\n0\r\n\r\n'],
    ['a size that is no number', 'g\r\n'],
    ['a size with a sign', '+3\r\nabc\r\n0\r\n\r\n'],
    ['a negative size', '-3\r\nabc\r\n0\r\n\r\n'],
    ['0x before a size', '0x3\r\nabc\r\n0\r\n\r\n'],
    ['a blank before a size', ' 3\r\nabc\r\n0\r\n\r\n'],
    ['a blank behind a size', '3 \r\nabc\r\n0\r\n\r\n'],
    ['a size of 14 digits', '00000000000003\r\nabc\r\n0\r\n\r\n'],
    ['a size beyond all numbers', 'ffffffffffffffff\r\nabc'],
    ['a bare LF behind a size', '3\nabc\r\n0\r\n\r\n'],
    ['a bare CR behind a size', '3\rabc\r\n0\r\n\r\n'],
    ['a bare LF in an extension', '3;a\nabc\r\n0\r\n\r\n'],
    ['a bare CR in an extension', '3;a\rb\r\nabc\r\n0\r\n\r\n'],
    ['NUL in an extension', '3;a=\0\r\nabc\r\n0\r\n\r\n'],
    ['extensions beyond 16 KiB', `3;${'x'.repeat(17_000)}\r\nabc\r\n0\r\n\r\n`],
    ['extensions beyond 16 KiB in all', `${`1;${'x'.repeat(999)}\r\na\r\n`.repeat(17)}0\r\n\r\n`],
    ['a chunk longer than its size', '3\r\nabcd\r\n0\r\n\r\n'],
    ['a chunk ended by LF', '3\r\nabc\n0\r\n\r\n'],
    ['a chunk ended by CR', '3\r\nabc\r0\r\n\r\n'],
    ['a bare LF at the end', '3\r\nabc\r\n0\r\n\n'],
    ['a trailer without a colon', '0\r\nabc\r\n\r\n'],
    ['a folded trailer', '0\r\nA: b\r\n c\r\n\r\n'],
    ['a blank before the colon of a trailer', '0\r\nA : b\r\n\r\n'],
    ['NUL in a trailer', '0\r\nA: \0\r\n\r\n'],
    ['a bare LF behind a trailer', '0\r\nA: b\n\r\n'],
  ])('%s', (_name, body) => {
    expect(parse(body).end).toBe('protocol')
  })

  it.each([
    ['trailers beyond 16 KiB', `0\r\nA: ${'x'.repeat(17_000)}\r\n\r\n`],
    ['201 trailers', `0\r\n${'A: b\r\n'.repeat(201)}\r\n`],
  ])('%s are too large', (_name, body) => {
    expect(parse(body).end).toBe('too_large')
  })
})

describe('taken', () => {
  it.each([
    ['an empty body', '0\r\n\r\n', ''],
    ['several zeros', '000\r\n\r\n', ''],
    [
      'digits in both cases',
      `a\r\n${'x'.repeat(10)}\r\nB\r\n${'y'.repeat(11)}\r\n0\r\n\r\n`,
      'x'.repeat(10) + 'y'.repeat(11),
    ],
    ['extensions, which are dropped', '3;a=b;c="d e"\r\nabc\r\n0;x\r\n\r\n', 'abc'],
    ['trailers, which are dropped', '3\r\nabc\r\n0\r\nA: b\r\nContent-Length: 9\r\n\r\n', 'abc'],
    ['what looks like an end within a chunk', '7\r\n\r\n0\r\n\r\n\r\n0\r\n\r\n', '\r\n0\r\n\r\n'],
  ])('%s', (_name, body, text) => {
    expect(parse(body)).toMatchObject({ status: 200, body: text, end: 'clean' })
  })

  it('bytes behind the last chunk make the end unclean', () => {
    expect(parse('0\r\n\r\nx').end).toBe('unclean')
  })
})

it.each(['', '3', '3\r', '3\r\nab', '3\r\nabc', '3\r\nabc\r\n0\r\n', '0\r\nA: b\r\n'])(
  'a connection that ends behind %j is a cut',
  (body) => {
    expect(parse(body).end).toBe('open')
    expect(parseAnswer(head + body, { isClosed: true }).end).toBe('cut')
  },
)

it('any body in any chunks comes out as it went in, wherever it is split', () => {
  const part = fc.string({
    unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)),
    minLength: 1,
  })
  fc.assert(
    fc.property(
      fc.array(part, { maxLength: 8 }),
      fc.array(fc.nat(600), { maxLength: 12 }),
      (parts, cuts) => {
        const body = parts.map((each) => `${each.length.toString(16)}\r\n${each}\r\n`).join('')
        const got = parseAnswer(`${head}${body}0\r\n\r\n`, { cuts: cuts.toSorted((a, b) => a - b) })
        expect([got.body, got.end]).toEqual([parts.join(''), 'clean'])
      },
    ),
  )
})
