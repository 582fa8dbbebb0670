import type { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { nextBodyChunk } from '../testing/body-chunks.ts'
import { plainAnswer, startRawUpstream } from '../testing/raw-upstream.ts'
import { createTestUpstream, expectAnswered, expectFailed } from '../testing/test-upstream.ts'

/** Sends a POST to an upstream that answers with these bytes and then does `then` to the socket. */
async function answerWith(bytes: string | Buffer, then: (socket: Socket) => void = () => {}) {
  const server = await startRawUpstream((socket) => {
    socket.write(bytes, () => then(socket))
  })
  return createTestUpstream().send({ method: 'POST', url: server.url, body: '{"a":1}' })
}

const hangUp = (socket: Socket) => socket.end()
const reset = (socket: Socket) => socket.resetAndDestroy()
const wordsOf = (then: (socket: Socket) => void) =>
  then === reset ? 'the connection was reset' : 'the other side closed the connection'

describe('any status is an answer', () => {
  it.each([
    ['200 OK', 200],
    ['201 Created', 201],
    ['208 Already Reported', 208],
    ['400 Bad Request', 400],
    ['401 Unauthorized', 401],
    ['404 Not Found', 404],
    ['409 Conflict', 409],
    ['422 Unprocessable Content', 422],
    ['429 Too Many Requests', 429],
    ['500 Internal Server Error', 500],
    ['503 Service Unavailable', 503],
    ['599 ', 599],
  ])('%s', async (line, status) => {
    const answer = expectAnswered(await answerWith(plainAnswer('{"b":2}', line, 'Retry-After: 7')))
    expect(answer.status).toBe(status)
    expect(answer.body.toString()).toBe('{"b":2}')
    expect(answer.headers['retry-after']).toBe('7')
    expect(answer.durationMs).toBeGreaterThan(0)
  })

  it.each(['301', '302', '303', '307', '308'])('%s is not followed', async (status) => {
    const elsewhere = await startRawUpstream((socket) => socket.write(plainAnswer('{}')))
    const redirect = plainAnswer('', `${status} Moved`, `Location: ${elsewhere.url}`)
    const answer = expectAnswered(await answerWith(redirect))
    expect(answer.status).toBe(Number(status))
    expect(answer.headers['location']).toBe(elsewhere.url)
    expect(elsewhere.sockets).toEqual([])
  })

  it('a redirect to a metadata address is only reported', async () => {
    const location = 'Location: http://169.254.169.254/latest/meta-data/'
    expect(expectAnswered(await answerWith(plainAnswer('', '302 Found', location))).status).toBe(
      302,
    )
  })

  it.each(['204 No Content', '304 Not Modified'])('%s without a body', async (line) => {
    const answer = expectAnswered(await answerWith(`HTTP/1.1 ${line}\r\n\r\n`))
    expect(answer.body.byteLength).toBe(0)
  })

  it.each([
    [
      'chunked',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\n{"a\r\n4\r\n":1}\r\n0\r\n\r\n',
    ],
    ['in one go until the end', 'HTTP/1.1 200 OK\r\n\r\n{"a":1}'],
    ['in the old protocol', 'HTTP/1.0 200 OK\r\n\r\n{"a":1}'],
  ])('a body %s', async (_, bytes) => {
    expect(expectAnswered(await answerWith(bytes, hangUp)).body.toString()).toBe('{"a":1}')
  })

  it('headers of the connection are not part of it', async () => {
    const answer = await answerWith(
      plainAnswer('', '200 OK', 'Connection: X-Hop', 'X-Hop: 1', 'Keep-Alive: timeout=9', 'X-A: 1'),
    )
    expect({ ...expectAnswered(answer).headers }).toEqual({ 'content-length': '0', 'x-a': '1' })
  })
})

describe('interim answers (RFC 9110 §15.2)', () => {
  it('103 is passed over', async () => {
    const hints = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'
    const answer = expectAnswered(await answerWith(hints + hints + plainAnswer('{}')))
    expect(answer.status).toBe(200)
    expect(answer.headers['link']).toBeUndefined()
  })

  const proceed = 'HTTP/1.1 100 Continue\r\n\r\n'
  const hints = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'
  const working = 'HTTP/1.0 102 Processing\r\n\r\n'

  it('100, 102 and 103 are passed over in any order, unasked, also byte by byte', async () => {
    const bytes = proceed + hints + working + proceed + plainAnswer('{"n":"HTTP/1.1 100 no"}')
    expect(expectAnswered(await answerWith(bytes)).body.toString()).toContain('100 no')
    const server = await startRawUpstream((socket) => {
      const writeFrom = (at: number) =>
        void (at < bytes.length && socket.write(bytes.charAt(at), () => writeFrom(at + 1)))
      writeFrom(0)
    })
    const slow = expectAnswered(await createTestUpstream().send({ url: server.url }))
    expect([slow.status, slow.body.toString()]).toEqual([200, '{"n":"HTTP/1.1 100 no"}'])
  })

  it('100 is passed over on each answer of one connection', async () => {
    const server = await startRawUpstream((socket, { number }) => {
      socket.write(proceed)
      socket.write(plainAnswer(String(number)))
    })
    const upstream = createTestUpstream()
    for (const number of ['1', '2', '3']) {
      const answer = await upstream.send({ method: 'POST', url: server.url, body: '{}' })
      expect(expectAnswered(answer).body.toString()).toBe(number)
    }
    expect(server.sockets.length).toBeLessThan(3)
  })

  it('100 and then nothing is cut, and the request counts as sent', async () => {
    expect(await answerWith(proceed, hangUp)).toMatchObject({
      ok: false,
      code: 'cut',
      isSent: true,
    })
  })

  it('100 without an end is a failure, not a hang', async () => {
    const answer = await answerWith(proceed.repeat(50))
    expect(answer).toMatchObject({ ok: false, code: 'protocol', isSent: true })
  })

  it('101 is a failure', async () => {
    const answer = await answerWith(
      'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
    )
    expect(answer).toMatchObject({ ok: false, code: 'protocol', isSent: true })
  })
})

describe('a head that does not come whole', () => {
  it.each([
    ['nothing at all, closed', '', hangUp],
    ['nothing at all, reset', '', reset],
    ['half a status line', 'HTTP/1.', hangUp],
    ['half a head', 'HTTP/1.1 200 OK\r\ncontent-le', hangUp],
    ['a head without its last line', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n', hangUp],
    ['half a head, reset', 'HTTP/1.1 200 OK\r\ncontent-le', reset],
  ])('%s', async (_, bytes, then) => {
    const answer = expectFailed(await answerWith(bytes, then))
    expect(answer).toMatchObject({ code: 'cut', isSent: true })
    expect(answer).not.toHaveProperty('status')
    expect(answer.detail).toBe(`${wordsOf(then)}, before the head of the answer was complete`)
  })
})

describe('a body that does not come whole', () => {
  const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'
  it.each([
    ['shorter than its length', 'HTTP/1.1 200 OK\r\ncontent-length: 20\r\n\r\n{"a":1}', hangUp],
    [
      'shorter than its length, last answer of the connection',
      'HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 20\r\n\r\n{"a":1}',
      hangUp,
    ],
    ['with a length, reset', 'HTTP/1.1 200 OK\r\ncontent-length: 20\r\n\r\n{"a":1}', reset],
    ['without its last chunk', `${chunked}7\r\n{"a":1}\r\n`, hangUp],
    ['cut within a chunk', `${chunked}ff\r\n{"a":1}`, hangUp],
    ['cut within the last chunk', `${chunked}7\r\n{"a":1}\r\n0\r\n`, hangUp],
    [
      'cut within a chunk, last answer of the connection',
      `HTTP/1.1 200 OK\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\nff\r\n{"a":1}`,
      hangUp,
    ],
    ['chunked, reset', `${chunked}7\r\n{"a":1}\r\n`, reset],
    ['a torn error page', 'HTTP/1.1 500 Oh\r\ncontent-length: 20\r\n\r\n<h1>', hangUp],
  ])('%s', async (_, bytes, then) => {
    const answer = expectFailed(await answerWith(bytes, then))
    expect(answer).toMatchObject({ code: 'cut', isSent: true })
    expect(answer.status).toBe(bytes.includes('500') ? 500 : 200)
    expect(answer.detail).toMatch(/, after status \d+ and \d+ bytes of the body$/)
    expect(answer.detail.startsWith(wordsOf(then))).toBe(true)
  })

  it('without a length, reset: the torn part does not pass for the whole', async () => {
    const server = await startRawUpstream((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n{"a":1}')
    })
    const upstream = createTestUpstream()
    const arrived = nextBodyChunk()
    const sent = upstream.send({ url: server.url })
    await arrived
    server.sockets[0]?.resetAndDestroy()
    expect(await sent).toMatchObject({ ok: false, code: 'cut', status: 200, isSent: true })
  })
})

describe('wherever an answer is torn, it is cut and never whole', () => {
  it.each([
    ['with a length', plainAnswer('{"a":1}', '200 OK', 'x-a: 1')],
    ['chunked', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n7\r\n{"a":1}\r\n0\r\n\r\n'],
    ['closing', plainAnswer('{"a":1}', '200 OK', 'connection: close')],
  ])('%s', async (_, whole) => {
    let lengthBytes = 0
    const server = await startRawUpstream((socket) => socket.end(whole.slice(0, lengthBytes)))
    const upstream = createTestUpstream()
    const codes = []
    for (; lengthBytes <= whole.length; lengthBytes += 1) {
      const answer = await upstream.send({ method: 'POST', url: server.url, body: '{}' })
      codes.push(answer.ok ? answer.body.toString() : `${answer.code} ${answer.isSent}`)
    }
    expect(new Set(codes.slice(0, -1))).toEqual(new Set(['cut true']))
    expect(codes.at(-1)).toBe('{"a":1}')
    expect(server.requests).toHaveLength(whole.length + 1)
  })
})

describe('what is not HTTP', () => {
  it.each([
    ['another protocol', 'SSH-2.0-OpenSSH_9.9\r\n'],
    ['a web page without a head', '<!doctype html><h1>It works</h1>'],
    ['JSON without a head', '{"ok":true}'],
    ['noise', Buffer.from([0x15, 3, 1, 0, 2, 2, 70, 0, 255])],
    ['an unknown version', 'HTTP/9.9 200 OK\r\n\r\n'],
    ['a status that is no number', 'HTTP/1.1 abc OK\r\n\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}'],
    ['a length that is no number', 'HTTP/1.1 200 OK\r\ncontent-length: -2\r\n\r\n{}'],
    [
      'a length too large for any number',
      `HTTP/1.1 200 OK\r\ncontent-length: ${'9'.repeat(30)}\r\n\r\n`,
    ],
    [
      'both a length and chunks',
      'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
    ],
    ['a header without a colon', 'HTTP/1.1 200 OK\r\nnonsense\r\n\r\n{}'],
    ['a header with a NUL', 'HTTP/1.1 200 OK\r\nx-a: \0\r\n\r\n{}'],
    [
      'a header folded over two lines',
      'HTTP/1.1 200 OK\r\nx-a: 1\r\n b: 2\r\ncontent-length: 0\r\n\r\n',
    ],
  ])('%s', async (_, bytes) => {
    const answer = expectFailed(await answerWith(bytes))
    expect(answer).toMatchObject({ code: 'protocol', isSent: true })
    expect(answer).not.toHaveProperty('status')
  })

  it.each([
    ['a chunk size that is no number', 'zz\r\n{}\r\n0\r\n\r\n'],
    ['a chunk longer than its size', '2\r\n{"a":1}\r\n0\r\n\r\n'],
  ])('%s', async (_, chunks) => {
    const head = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'
    expect(await answerWith(head + chunks)).toMatchObject({
      ok: false,
      code: 'protocol',
      isSent: true,
      status: 200,
    })
  })

  it('what the upstream sent is never part of the text for administrators', async () => {
    const answer = expectFailed(await answerWith('{"password":"s3cret"}'))
    expect(answer.detail).not.toContain('s3cret')
  })
})
