import fc from 'fast-check'
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { Duplex } from 'node:stream'
import { expect, it } from 'vitest'
import { parseAnswer } from './testing/parse-answer.ts'

const head = 'HTTP/1.1 200 OK\r\nDate: Sat, 21 Nov 2026 09:00:00 GMT\r\nX-A: 1\r\nX-a:  2 \r\n'
const valid = [
  `${head}Content-Length: 5\r\n\r\nhello`,
  `${head}Content-Length: 0\r\n\r\n`,
  `${head}Transfer-Encoding: chunked\r\n\r\n5;x=y\r\nhello\r\n1\r\n!\r\n0\r\nT: u\r\n\r\n`,
  'HTTP/1.1 204 No Content\r\nX-B:\r\n\r\n',
  'HTTP/1.1 304 Not Modified\r\nETag: "a"\r\nContent-Length: 5\r\n\r\n',
  `HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${head}Content-Length: 2\r\n\r\nok`,
  'HTTP/1.0 404 Not Found\r\nContent-Length: 2\r\n\r\nno',
]
const untilClose = [`${head}Connection: close\r\n\r\nto the end`, 'HTTP/1.0 200\r\n\r\nto the end']
const invalid = [
  `${head}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello`,
  `${head}A: b\n\r\n`,
  `${head}A : b\r\n\r\n`,
  `${head}Transfer-Encoding: chunked\r\n\r\n5\r\nhello!\r\n0\r\n\r\n`,
  `${head}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nT u\r\n\r\n`,
  'SSH-2.0-OpenSSH_9.2\r\n',
  `${head}A: ${'x'.repeat(300)}\0\r\n\r\n`,
  `${head}Content-Length: 2\r\n\r\nok${head}`,
  `${head}${'A: b\r\n'.repeat(201)}B\0: c\r\n\r\n`,
  `${head}A: ${'x'.repeat(16_400)}\0\r\n\r\n`,
  `not HTTP ${'x'.repeat(16_400)}`,
]

it.each([...valid, ...untilClose, ...invalid])('each split gives the same: %j', (text) => {
  for (const isClosed of [false, true]) {
    const whole = parseAnswer(text, { isClosed })
    const singly = Array.from(text, (_, at) => at + 1)
    expect(parseAnswer(text, { cuts: singly, isClosed })).toEqual(whole)
    if (text.length > 2_000) continue
    for (const cut of singly) expect(parseAnswer(text, { cuts: [cut], isClosed })).toEqual(whole)
  }
})

it('an answer that breaks off anywhere is never taken for whole', () => {
  for (const text of valid) {
    for (let length = 0; length < text.length; length++) {
      expect(parseAnswer(text.slice(0, length), { isClosed: true }).end).toBe('cut')
    }
  }
})

it('whatever comes, the splits make no difference', () => {
  const piece = fc.constantFrom(
    'HTTP/1.1 200 OK',
    'HTTP/1.0 204',
    'HTTP/1.1 100 C',
    'Content-Length: 3',
    'Content-Length: 0',
    'Connection: close',
    'Transfer-Encoding: chunked',
    'A: b',
    ' ',
    ':',
    '\r',
    '\n',
    '\r\n',
    '\r\n\r\n',
    '\0',
    '3',
    '0',
    'abc',
    ';x',
    '\xff',
  )
  const answer = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(''))
  const begun = answer.map((text) => `HTTP/1.1 200 OK\r\n${text}`)
  fc.assert(
    fc.property(fc.oneof(answer, begun), fc.array(fc.nat(120), { maxLength: 10 }), (text, cuts) => {
      const whole = parseAnswer(text, { isClosed: true })
      const split = parseAnswer(text, { cuts: cuts.toSorted((a, b) => a - b), isClosed: true })
      expect(split).toEqual(whole)
    }),
    { numRuns: 2_000 },
  )
})

/** What Node's own parser, strict, makes of it. */
async function asNodeReads(text: string): Promise<{ status: number; body: string; raw: string[] }> {
  const socket = new Duplex({
    read: () => undefined,
    write(_chunk, _encoding, done) {
      socket.push(Buffer.from(text, 'latin1'))
      socket.push(null)
      done()
    },
  })
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  request({ createConnection: () => socket, insecureHTTPParser: false, host: 'a' }, resolve)
    .on('error', reject)
    .end()
  const answer = await promise
  const body = Buffer.concat(await answer.toArray()).toString('latin1')
  return { status: answer.statusCode ?? 0, body, raw: answer.rawHeaders }
}

it.each([...valid, ...untilClose])('valid ones are read as Node reads them: %j', async (text) => {
  const node = await asNodeReads(text)
  const ours = parseAnswer(text, { isClosed: true })
  expect([ours.status, ours.body]).toEqual([node.status, node.body])
  const ofConnection = new Set(['connection', 'transfer-encoding'])
  const raw = node.raw.filter(
    (_, at) => !ofConnection.has(node.raw[at - (at % 2)]?.toLowerCase() ?? ''),
  )
  expect(ours.passed).toEqual(raw)
})

it('what is taken, Node takes too, and as the same', async () => {
  const line = fc.constantFrom(
    'Content-Length: 3',
    'Content-Length:3',
    'Content-Length: 03',
    'Content-Length: 3 ',
    'Transfer-Encoding: chunked',
    'Transfer-Encoding: CHUNKED',
    'Connection: close',
    'A: b',
    'A:\tb',
    'A:',
    'X-\x7e: \xe4',
    'Keep-Alive: timeout=5',
    'Content-Length : 3',
    'Transfer-Encoding: gzip',
    ' folded',
    'Bad name: 1',
  )
  const body = fc.constantFrom(
    '',
    'abc',
    '3\r\nabc\r\n0\r\n\r\n',
    '3\r\nabc\r\n0\r\nT: u\r\n\r\n',
    '0\r\n\r\n',
    '3;x\r\nabc\r\n0\r\n\r\n',
    '3\nabc',
  )
  const status = fc.constantFrom(
    'HTTP/1.1 200 OK',
    'HTTP/1.0 200 OK',
    'HTTP/1.1 204 No',
    'HTTP/1.1 304',
    'HTTP/1.1 500 X',
  )
  await fc.assert(
    fc.asyncProperty(status, fc.array(line, { maxLength: 4 }), body, async (first, lines, rest) => {
      const text = [first, ...lines, '', rest].join('\r\n')
      const ours = parseAnswer(text, { isClosed: true })
      // Bytes behind the end are an error to Node; here they only cost the connection.
      const isBodiless =
        ours.end === 'unclean' && (ours.body === '' || ours.headers['content-length'] !== undefined)
      if ((ours.end !== 'clean' && ours.end !== 'unclean') || isBodiless) return
      const node = await asNodeReads(text)
      expect([node.status, node.body]).toEqual([ours.status, ours.body])
    }),
    { numRuns: 500 },
  )
})
