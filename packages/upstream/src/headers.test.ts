import { describe, expect, it } from 'vitest'
import { headerProblem, joinRawHeaders, stripHopByHopHeaders, toRequestHeaders } from './headers.ts'

describe('headers of one connection are not passed on (RFC 9110 §7.6.1)', () => {
  it.each([
    'connection',
    'keep-alive',
    'proxy-authenticate',
    'proxy-authorization',
    'proxy-connection',
    'te',
    'trailer',
    'transfer-encoding',
    'upgrade',
  ])('%s', (name) => {
    expect({ ...stripHopByHopHeaders({ [name]: 'x', accept: '*/*' }) }).toEqual({ accept: '*/*' })
  })

  it('nor those that Connection names', () => {
    const headers = {
      connection: 'close, X-Trace ,,x-hop',
      'x-trace': '1',
      'x-hop': '2',
      date: 'd',
    }
    expect({ ...stripHopByHopHeaders(headers) }).toEqual({ date: 'd' })
    expect(headers['x-trace']).toBe('1')
  })
})

describe('a header cannot smuggle another one in', () => {
  it.each([
    ['line feed', 'x-a', 'b\nx-evil: 1'],
    ['carriage return', 'x-a', 'b\rx-evil: 1'],
    ['both', 'x-a', 'b\r\n\r\nGET / HTTP/1.1'],
    ['NUL', 'x-a', 'b\0'],
    ['DEL', 'x-a', 'b\x7f'],
    ['U+010A, which latin1 cuts down to a line feed', 'x-a', 'b\u010ax-evil: 1'],
    ['line break in the name', 'x-a\r\nx-evil', 'b'],
    ['colon in the name', 'x-a:', 'b'],
    ['space in the name', 'x a', 'b'],
    ['empty name', '', 'b'],
    ['name beyond ASCII', 'x-ä', 'b'],
  ])('%s', (_, name, value) => {
    expect(headerProblem(name, value)).toMatch(/header/)
    expect(toRequestHeaders({ [name]: value }).ok).toBe(false)
  })

  it('the value, which may be a secret, is not in the message', () => {
    expect(headerProblem('authorization', 'Bearer s3cret\n')).not.toContain('s3cret')
  })

  it.each(['', 'plain', 'tab\tand space', '"quoted", list', 'caf\xe9'])(
    '%j may be sent',
    (value) => {
      expect(headerProblem('X-Custom_1', value)).toBeUndefined()
    },
  )
})

describe('the headers of a request', () => {
  it('are lower-cased, and what the client decides itself cannot be set', () => {
    const given = {
      Authorization: 'Bearer t',
      Host: 'elsewhere',
      'Content-Length': '3',
      Expect: '100-continue',
      'Accept-Encoding': 'gzip',
      'Transfer-Encoding': 'chunked',
      Connection: 'X-Private',
      'X-Private': '1',
    }
    const sent = toRequestHeaders(given)
    expect(sent.ok && { ...sent.headers }).toEqual({
      authorization: 'Bearer t',
      'accept-encoding': 'identity',
    })
  })

  it('name each field once, whatever the case', () => {
    expect(toRequestHeaders({ 'X-A': '1', 'x-a': '2' })).toEqual({
      ok: false,
      message: 'the header x-a is given twice',
    })
  })
})

it('repeated fields of an answer are joined, and __proto__ is a name like any other', () => {
  const raw = ['Set-Cookie', 'a=1', 'set-cookie', 'b=2', '__proto__', 'x'].map((it) =>
    Buffer.from(it),
  )
  const joined = joinRawHeaders(raw)
  expect(Object.entries(joined)).toEqual([
    ['set-cookie', 'a=1, b=2'],
    ['__proto__', 'x'],
  ])
  expect(Object.getPrototypeOf(joined)).toBeNull()
})
