import { describe, expect, it } from 'vitest'
import { parseAnswer } from './testing/parse-answer.ts'

const head = 'HTTP/1.1 200 OK\r\n'
const abc = 'Content-Length: 3\r\n\r\nabc'

describe('refused, and nothing of it is passed on', () => {
  it.each([
    ['HTTP/0.9', 'HTTP/0.9 200 OK\r\n\r\n'],
    ['HTTP/1.2', 'HTTP/1.2 200 OK\r\n\r\n'],
    ['HTTP/2.0', 'HTTP/2.0 200 OK\r\n\r\n'],
    ['lower case', 'http/1.1 200 OK\r\n\r\n'],
    ['a tab in the status line', 'HTTP/1.1\t200 OK\r\n\r\n'],
    ['two blanks before the status', 'HTTP/1.1  200 OK\r\n\r\n'],
    ['a status of two digits', 'HTTP/1.1 20 OK\r\n\r\n'],
    ['a status of four digits', 'HTTP/1.1 2000 OK\r\n\r\n'],
    ['a status that is no number', 'HTTP/1.1 2x0 OK\r\n\r\n'],
    ['status 099', 'HTTP/1.1 099 OK\r\n\r\n'],
    ['no status', 'HTTP/1.1\r\n\r\n'],
    ['a line end before the status line', `\r\n${head}${abc}`],
    ['a bare LF after the status line', `HTTP/1.1 200 OK\n${abc}`],
    ['a bare LF between fields', `${head}A: b\n${abc}`],
    ['a bare LF as the empty line', `${head}Content-Length: 3\r\n\nabc\r\n\r\n`],
    ['a bare CR in a value', `${head}A: b\rContent-Length: 9\r\n${abc}`],
    ['CR CR LF', `${head}A: b\r\r\n${abc}`],
    ['NUL in a value', `${head}A: b\0\r\n${abc}`],
    ['DEL in a value', `${head}A: b\x7f\r\n${abc}`],
    ['a control character in the reason', `HTTP/1.1 200 O\x01K\r\n${abc}`],
    ['a folded line', `${head}A: b\r\n c\r\n${abc}`],
    ['a line folded by a tab', `${head}A: b\r\n\tc\r\n${abc}`],
    ['a fold in the first field', `${head} A: b\r\n${abc}`],
    ['a blank before the colon', `${head}Content-Length : 3\r\n\r\nabc`],
    ['a blank within a name', `${head}A b: c\r\n${abc}`],
    ['an empty name', `${head}: c\r\n${abc}`],
    ['no colon', `${head}Abc\r\n${abc}`],
    ['a name beyond ASCII', `${head}Ä: c\r\n${abc}`],
    ['a name with a slash', `${head}A/b: c\r\n${abc}`],
    ['two lengths', `${head}Content-Length: 4\r\n${abc}d`],
    ['the same length twice', `${head}Content-Length: 3\r\n${abc}`],
    ['a list of lengths', `${head}Content-Length: 3, 3\r\n\r\nabc`],
    ['an empty length', `${head}Content-Length:\r\n\r\nabc`],
    ['a length with a sign', `${head}Content-Length: +3\r\n\r\nabc`],
    ['a hexadecimal length', `${head}Content-Length: 0x3\r\n\r\nabc`],
    ['a length beyond all numbers', `${head}Content-Length: 9999999999999999\r\n\r\nabc`],
    ['length and chunks', `${head}Transfer-Encoding: chunked\r\n${abc}`],
    [
      'chunks and length',
      `${head}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['gzip, chunked', `${head}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`],
    ['chunked, identity', `${head}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`],
    ['identity', `${head}Transfer-Encoding: identity\r\n\r\nabc`],
    ['xchunked', `${head}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`],
    ['chunked twice', `${head}${'Transfer-Encoding: chunked\r\n'.repeat(2)}\r\n0\r\n\r\n`],
    ['an empty transfer coding', `${head}Transfer-Encoding:\r\n\r\n0\r\n\r\n`],
    ['chunks with HTTP/1.0', 'HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['a switch of protocols', 'HTTP/1.1 101 Go\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'],
    ['21 interim answers', `${'HTTP/1.1 103 Early\r\n\r\n'.repeat(21)}${head}${abc}`],
  ])('%s', (_name, text) => {
    expect(parseAnswer(text)).toMatchObject({ status: null, body: '', end: 'protocol' })
  })

  it.each([
    ['a head beyond 16 KiB', `${head}A: ${'x'.repeat(16 * 1024)}\r\n${abc}`],
    ['201 fields', `${head}${'A: b\r\n'.repeat(200)}${abc}`],
  ])('%s is too large', (_name, text) => {
    expect(parseAnswer(text)).toMatchObject({ status: null, end: 'too_large' })
  })
})

describe('taken', () => {
  it.each([
    ['no reason', `HTTP/1.1 200\r\n${abc}`, 'abc'],
    ['an empty reason', `HTTP/1.1 200 \r\n${abc}`, 'abc'],
    ['HTTP/1.0 with a length', `HTTP/1.0 200 OK\r\n${abc}`, 'abc'],
    ['no blank behind a colon', `${head}Content-Length:3\r\n\r\nabc`, 'abc'],
    ['blanks and tabs around a value', `${head}Content-Length: \t 3 \t\r\n\r\nabc`, 'abc'],
    ['Latin-1 in a value', `${head}A: \xe4\xff\r\n${abc}`, 'abc'],
    ['an empty value', `${head}A:\r\n${abc}`, 'abc'],
    ['200 fields', `${head}${'A: b\r\n'.repeat(199)}${abc}`, 'abc'],
    [
      '20 interim answers',
      `${'HTTP/1.1 103 Early\r\nA: b\r\n\r\n'.repeat(20)}${head}${abc}`,
      'abc',
    ],
    ['100 Continue', `HTTP/1.1 100 Continue\r\n\r\n${head}${abc}`, 'abc'],
    ['Chunked in capitals', `${head}Transfer-Encoding: Chunked\r\n\r\n1\r\na\r\n0\r\n\r\n`, 'a'],
    ['204 with a length', 'HTTP/1.1 204 No\r\nContent-Length: 3\r\n\r\n', ''],
    ['304 with a length', 'HTTP/1.1 304 No\r\nContent-Length: 3\r\n\r\n', ''],
    ['304 in chunks', 'HTTP/1.1 304 No\r\nTransfer-Encoding: chunked\r\n\r\n', ''],
    ['length 0', `${head}Content-Length: 0\r\n\r\n`, ''],
  ])('%s', (_name, text, body) => {
    expect(parseAnswer(text)).toMatchObject({ body, end: 'clean' })
  })

  it('HEAD: no body, whatever the head says', () => {
    expect(parseAnswer(`${head}Content-Length: 3\r\n\r\n`, { method: 'HEAD' }).end).toBe('clean')
    expect(parseAnswer(`${head}${abc}`, { method: 'HEAD' })).toMatchObject({
      body: '',
      end: 'unclean',
    })
  })

  it('a body without a length ends with the connection, and that is no clean end', () => {
    expect(parseAnswer(`${head}\r\nabc`)).toMatchObject({ body: 'abc', end: 'open' })
    expect(parseAnswer(`${head}\r\nabc`, { isClosed: true })).toMatchObject({
      body: 'abc',
      end: 'unclean',
    })
  })

  it('what comes behind the end makes it unclean, and is no part of it', () => {
    expect(parseAnswer(`${head}${abc}d`)).toMatchObject({ body: 'abc', end: 'unclean' })
    expect(parseAnswer(`HTTP/1.1 204 No\r\n\r\n${head}${abc}`)).toMatchObject({
      status: 204,
      end: 'unclean',
    })
  })
})

it('fields of the connection are not passed on, all others as they came and in their order', () => {
  const fields =
    'X-B: 1\r\nConnection: close\r\nKeep-Alive: timeout=5\r\nx-A: 2\r\nTE: x\r\nTrailer: y\r\n' +
    'Proxy-Authenticate: z\r\nUpgrade: h2c\r\nX-Request-Id: theirs\r\nX-B: 3\r\n'
  const { passed, headers } = parseAnswer(`${head}${fields}${abc}`)
  expect(passed).toEqual(['X-B', '1', 'x-A', '2', 'X-B', '3', 'Content-Length', '3'])
  expect(headers).toMatchObject({
    'x-b': ['1', '3'],
    connection: 'close',
    'x-a': '2',
    upgrade: 'h2c',
  })
})

it('fields named like parts of an object are fields', () => {
  const { headers } = parseAnswer(`${head}__proto__: a\r\nconstructor: b\r\n${abc}`)
  expect(Object.entries(headers)).toContainEqual(['constructor', 'b'])
})
