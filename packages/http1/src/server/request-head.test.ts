import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import { MessageFault } from '../message-fault.ts'
import { readRequestHead } from './request-head.ts'
import type { RequestHead } from './request-head.ts'

const head = (fields = '', line = 'GET /orders?a=1 HTTP/1.1') =>
  readRequestHead([line, ...(fields === '' ? [] : [fields])].join('\r\n'))

it('is taken apart: the line, the fields as they came, without blanks around their values', () => {
  expect(head('Host: a\r\nX-Long:\t two  words \t\r\nx-empty:')).toMatchObject({
    method: 'GET',
    target: '/orders?a=1',
    minor: 1,
    fields: ['Host', 'a', 'X-Long', 'two  words', 'x-empty', ''],
    length: -1,
    isChunked: false,
    isKept: true,
  })
})

it.each([
  ['HTTP/1.1', '', true],
  ['HTTP/1.1', 'Connection: close', false],
  ['HTTP/1.1', 'Connection: x,  Close', false],
  ['HTTP/1.1', 'Connection: keep-alive\r\nConnection: close', false],
  ['HTTP/1.1', 'Connection: close\r\nConnection: keep-alive', false],
  ['HTTP/1.0', '', false],
  ['HTTP/1.0', 'Connection: Keep-Alive', true],
  ['HTTP/1.0', 'Connection: keep-alive, close', false],
])('%s with %j: the connection is kept: %s', (version, fields, isKept) => {
  expect(head(fields, `GET / ${version}`).isKept).toBe(isKept)
})

it.each([
  ['Content-Length: 0', 0, false],
  ['content-length: 7', 7, false],
  ['Content-Length: 999999999999999', 999_999_999_999_999, false],
  ['Content-Length: 1000000000000000', Infinity, false],
  ['Transfer-Encoding: Chunked', -1, true],
])('%s: a body of %d bytes, in chunks: %s', (fields, length, isChunked) => {
  expect(head(fields)).toMatchObject({ length, isChunked })
})

describe('refused as malformed', () => {
  it.each([
    '',
    'GET',
    'GET ',
    'GET /',
    'GET / ',
    'GET  HTTP/1.1',
    'GET  / HTTP/1.1',
    ' GET / HTTP/1.1',
    'GET / HTTP/1.1 ',
    'GET /  HTTP/1.1',
    'GET /\tx HTTP/1.1',
    'GET / HTTP/01.1',
    'GET / http/1.1',
    'GET / HTTP/1.1\r\nX : 1',
    'GET / HTTP/1.1\r\n: 1',
    'GET / HTTP/1.1\r\nX',
    'GET / HTTP/1.1\r\n X: 1',
    'GET / HTTP/1.1\r\nX: 1\r\n 2',
    'GET / HTTP/1.1\r\nX: 1\n2',
    'GET / HTTP/1.1\r\nX: 1\r2',
    'GET / HTTP/1.1\r\nX: \0',
    'GET / HTTP/1.1\r\nX\xe9: 1',
    'GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1',
    'GET / HTTP/1.1\r\nContent-Length: 1,1',
    'GET / HTTP/1.1\r\nContent-Length: 99999999999999999999',
    'GET / HTTP/1.1\r\nContent-Length:',
    'GET / HTTP/1.1\r\nContent-Length: 00',
    'GET / HTTP/1.1\r\nContent-Length: 007',
    'GET / HTTP/11.1',
    'G(T / HTTP/1.1',
    'GET / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked',
    'GET / HTTP/1.1\r\nTransfer-Encoding: gzip, chunked',
    'GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked',
    'GET / HTTP/1.0\r\nTransfer-Encoding: chunked',
  ])('%j', (text) => {
    expect(() => readRequestHead(text)).toThrow(MessageFault)
  })
})

it.each([
  ['method', 'get / HTTP/1.1'],
  ['method', 'GETS / HTTP/1.1'],
  ['version', 'GET / HTTP/2.0'],
  ['version', 'GET / HTTP/0.9'],
  ['version', 'PRI * HTTP/2.0'],
  ['long_target', `GET /${'x'.repeat(16_384)} HTTP/1.1`],
  ['long_target', `GET /${'x'.repeat(16_384)} HTTP/1.1\r\nHost: a`],
])('refused for its %s: %s', (reason, text) => {
  expect(() => readRequestHead(text)).toThrow(expect.objectContaining({ reason }))
})

it('a later minor version is read as HTTP/1.1', () => {
  expect(readRequestHead('GET / HTTP/1.2\r\nConnection: keep-alive')).toMatchObject({
    minor: 1,
    isKept: true,
  })
})

it('a head of more than 16 KiB is too large', () => {
  expect(() => head(`X: ${'x'.repeat(16_384)}`)).toThrow(
    expect.objectContaining({ kind: 'too_large' }),
  )
})

describe('beside a head that was read before', () => {
  const lines = [
    'GET /a',
    'GET /b?c',
    'GET /a /b',
    'GET a',
    'GET  /a',
    'GET /\xe9',
    'GET /a\r\nX: 1',
  ]
  const methods = ['GETS /a', 'POST /a', 'POST *', 'CONNECT a:1', 'CONNECT b', 'GET HTTP/1.1 /a']
  const rests = ['', '\r\nHost: a', '\r\nHost: b', '\r\nHost: a\r\nContent-Length: 3', '\r\nX\0: 1']
  const texts = [...lines, ...methods, 'G', ''].flatMap((line) =>
    rests.flatMap((rest) => [
      `${line} HTTP/1.1${rest}`,
      `${line} HTTP/1.0${rest}`,
      `${line}${rest}`,
    ]),
  )
  const read = (text: string, known: RequestHead | null) => {
    try {
      return { ...readRequestHead(text, known) }
    } catch (error) {
      return (error as Error).message
    }
  }

  it('each is read as it is alone', () => {
    const different: string[] = []
    for (const before of texts) {
      const known = read(before, null)
      if (typeof known === 'string') continue
      for (const text of texts)
        if (!isDeepStrictEqual(read(text, known), read(text, null))) different.push(text)
    }
    expect(different).toEqual([])
  })

  it('the list of its fields is the same list where only the target differs', () => {
    const known = readRequestHead('GET /a HTTP/1.1\r\nHost: a')
    expect(readRequestHead('GET /other?b HTTP/1.1\r\nHost: a', known).fields).toBe(known.fields)
    expect(readRequestHead('GET /a HTTP/1.1\r\nHost: b', known).fields).not.toBe(known.fields)
  })
})
