import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ReadBuffer } from '../read-buffer.ts'
import { adoptSocket } from './adopt-socket.ts'
import type { IncomingRequest } from './incoming-request.ts'
import type { OutgoingAnswer } from './outgoing-answer.ts'
import { ServerConnection } from './server-connection.ts'

type Handle = (request: IncomingRequest, answer: OutgoingAnswer) => void

/** A server on these parts alone. It answers in order when each answer is given at once. */
async function serve(handle: Handle) {
  const broken: string[] = []
  const connections: ServerConnection[] = []
  const server = createServer({ allowHalfOpen: true }, (made) => {
    const reading = new ReadBuffer()
    const socket = adoptSocket(made, reading) ?? expect.fail('Node keeps its handles elsewhere')
    const handleBroken = (kind: string): void => {
      broken.push(kind)
      socket.end()
    }
    connections.push(new ServerConnection(socket, { handleRequest: handle, handleBroken }, reading))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { server, broken, connections, open: () => openClient(port) }
}

function openClient(port: number) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true })
  onTestFinished(() => void socket.destroy())
  socket.setEncoding('latin1').on('error', () => undefined)
  let received = ''
  socket.on('data', (text: string) => (received += text))
  return { socket, received: () => received, rest: () => rest(socket, () => received) }
}

async function rest(socket: Socket, received: () => string): Promise<string> {
  if (!socket.closed && !socket.readableEnded) await once(socket, 'end')
  return received()
}

/** Answers with what it has read, once all of it is here. */
const echo: Handle = (request, answer) => {
  const parts: Buffer[] = []
  const reply = () => {
    const body = `${request.method} ${request.url} ${Buffer.concat(parts).toString('latin1')}`
    answer.writeHead(200, ['Date', 'now', 'Content-Length', String(body.length)])
    answer.end(body, 'latin1')
  }
  if (request.complete) return reply()
  request.on('data', (chunk) => parts.push(chunk))
  request.on('end', reply)
}

const answerOf = (body: string, connection = 'keep-alive') =>
  `HTTP/1.1 200 OK\r\nDate: now\r\nContent-Length: ${body.length}\r\nConnection: ${connection}\r\n\r\n${body}`

describe('requests of one connection, however their bytes are split', () => {
  const text = [
    '\r\nGET /1 HTTP/1.1\r\nHost: a\r\n\r\n',
    'POST /2 HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nGET /',
    'POST /3 HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n2\r\nde\r\n0\r\nT: 1\r\n\r\n',
    'PUT /4 HTTP/1.1\r\nContent-Length: 0\r\n\r\n',
    'GET /5 HTTP/1.1\r\nConnection: close\r\n\r\nGET /6 HTTP/1.1\r\n\r\n',
  ].join('')
  const expected =
    answerOf('GET /1 ') +
    answerOf('POST /2 GET /') +
    answerOf('POST /3 abcde') +
    answerOf('PUT /4 ') +
    answerOf('GET /5 ', 'close')

  it('in one piece', async () => {
    const client = (await serve(echo)).open()
    client.socket.write(text)
    expect(await client.rest()).toBe(expected)
  })

  it('in two pieces, at every byte', async () => {
    const { open } = await serve(echo)
    for (let at = 1; at < text.length; at++) {
      const client = open()
      client.socket.write(text.slice(0, at))
      await new Promise<void>((resolve) => setImmediate(resolve))
      client.socket.write(text.slice(at))
      expect(await client.rest(), `split at ${at}`).toBe(expected)
    }
  })

  it('byte by byte', async () => {
    const client = (await serve(echo)).open()
    for (const byte of text) {
      client.socket.write(byte)
      await new Promise<void>((resolve) => setImmediate(resolve))
    }
    expect(await client.rest()).toBe(expected)
  })
})

describe('answers', () => {
  const answered = async (handle: Handle, request = 'GET / HTTP/1.1\r\n\r\n') => {
    const client = (await serve(handle)).open()
    client.socket.end(request)
    return client.rest()
  }
  const fields = ['Date', 'now']

  it('without a length go in chunks', async () => {
    const text = await answered((_request, answer) => {
      answer.writeHead(200, [...fields])
      answer.flushHeaders()
      answer.write(Buffer.from('abc'))
      answer.end('é')
    })
    expect(text).toBe(
      'HTTP/1.1 200 OK\r\nDate: now\r\nTransfer-Encoding: chunked\r\nConnection: keep-alive\r\n\r\n3\r\nabc\r\n2\r\nÃ©\r\n0\r\n\r\n',
    )
  })

  it('without a length go to HTTP/1.0 up to the end of the connection', async () => {
    const text = await answered((_request, answer) => {
      answer.writeHead(200, [...fields])
      answer.write(Buffer.from('abc'))
      answer.end()
    }, 'GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n')
    expect(text).toBe('HTTP/1.1 200 OK\r\nDate: now\r\nConnection: close\r\n\r\nabc')
  })

  it.each([
    ['HEAD', 200],
    ['GET', 204],
    ['GET', 304],
  ])('to %s with %i have no body', async (method, status) => {
    const text = await answered((_request, answer) => {
      answer.writeHead(status, [...fields, 'Content-Length', '3'])
      answer.end('abc')
    }, `${method} / HTTP/1.1\r\n\r\n`)
    expect(text).toMatch(/Content-Length: 3\r\nConnection: keep-alive\r\n\r\n$/)
  })

  it.each([
    ['shorter', 'ab'],
    ['longer', 'abcd'],
  ])('%s than their head says end the connection, and nothing is sent behind', async (_, body) => {
    const { open } = await serve((_request, answer) => {
      answer.writeHead(200, ['Content-Length', '3'])
      answer.flushHeaders()
      answer.end(body)
    })
    const client = open()
    client.socket.write('GET /1 HTTP/1.1\r\n\r\nGET /2 HTTP/1.1\r\n\r\n')
    const received = await client.rest()
    expect(received).not.toContain('abcd')
    expect(received.split('HTTP/1.1 200').length).toBeLessThanOrEqual(2)
  })

  it.each([
    ['X: a\r\nY', 'b'],
    ['X', 'a\r\nY: b'],
    ['', 'b'],
    ['X', '\0'],
  ])('can’t hold the field %j: %j', async (name, value) => {
    let thrown: unknown
    await answered((_request, answer) => {
      try {
        answer.writeHead(200, [name, value])
      } catch (error) {
        thrown = error
      }
      answer.writeHead(204, [])
      answer.end()
    })
    expect(thrown).toBeInstanceOf(TypeError)
  })
})

describe('a body', () => {
  it('that nobody reads is kept within bounds, and comes whole once somebody does', async () => {
    let request: IncomingRequest | undefined
    const { open } = await serve((each) => (request = each))
    const { socket } = open()
    const bytes = 32 * 1024 * 1024
    socket.write(`POST / HTTP/1.1\r\nContent-Length: ${bytes}\r\n\r\n`)
    socket.write(Buffer.alloc(bytes))
    await expect.poll(() => request).toBeDefined()
    await expect.poll(() => socket.writableLength).toBeGreaterThan(0)
    expect(request?.complete).toBe(false)
    let read = 0
    request?.on('data', (chunk) => (read += chunk.length))
    await new Promise<void>((resolve) => request?.on('end', resolve))
    expect(read).toBe(bytes)
  })

  it('that is paused within a part goes on where it stopped', async () => {
    const seen: string[] = []
    const { open } = await serve((request, answer) => {
      request.on('data', (chunk) => {
        seen.push(chunk.toString())
        request.pause()
        setImmediate(() => request.resume())
      })
      request.on('end', () => {
        answer.writeHead(204, [])
        answer.end()
      })
    })
    const client = open()
    client.socket.write(
      'POST / HTTP/1.1\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n1\r\nb\r\n1\r\nc\r\n0\r\n\r\n',
    )
    expect(await client.rest()).toContain('204')
    expect(seen).toEqual(['a', 'b', 'c'])
  })

  it('is thrown away once its request is answered, and the next request is read', async () => {
    const { open } = await serve((request, answer) => {
      answer.writeHead(200, ['Date', 'now', 'Content-Length', String(request.url.length)])
      answer.end(request.url)
    })
    const client = open()
    client.socket.write('POST /1 HTTP/1.1\r\nContent-Length: 6\r\n\r\nabc')
    await expect.poll(client.received).toBe(answerOf('/1'))
    client.socket.write('defGET /2 HTTP/1.1\r\nConnection: close\r\n\r\n')
    expect(await client.rest()).toBe(answerOf('/1') + answerOf('/2', 'close'))
  })
})

it('a client that does not read its answers is not read either, until it does', async () => {
  const answers = { given: 0 }
  const { open, connections } = await serve((_request, answer) => {
    answers.given++
    answer.writeHead(200, ['Content-Length', '1000'])
    answer.end('x'.repeat(1_000))
  })
  const client = open()
  client.socket.pause()
  const all = 100_000
  client.socket.write(`GET / HTTP/1.1\r\n\r\n`.repeat(all))
  await expect.poll(() => connections[0]?.socket.isPaused()).toBe(true)
  expect(answers.given).toBeLessThan(all)
  expect(connections[0]?.socket.writableLength).toBeLessThan(8 * 1024 * 1024)
  client.socket.resume()
  await expect.poll(() => answers.given).toBe(all)
})

describe('a connection is given up', () => {
  it.each([
    ['method', 'GOT / HTTP/1.1\r\n\r\n'],
    ['method', 'x'.repeat(100)],
    ['malformed', '\x16\x03'.padEnd(100, 'x')],
    ['version', 'GET / HTTP/2.0\r\n\r\n'],
    ['long_target', `GET /${'x'.repeat(20_000)}`],
    ['malformed', '\r\n'.repeat(5)],
    ['malformed', '\rGET / HTTP/1.1\r\n\r\n'],
    ['malformed', 'POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nz\r\n'],
    ['too_large', `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}`],
    ['tunnel', 'CONNECT a:1 HTTP/1.1\r\n\r\n'],
  ])('%s: %.40j', async (kind, text) => {
    const { open, broken } = await serve(() => undefined)
    const client = open()
    client.socket.write(text)
    await client.rest()
    expect(broken).toEqual([kind])
  })

  it('whose head does not come in time; what is idle between requests is not', async () => {
    const { open, broken, connections } = await serve(echo)
    const [silent, idle, slow] = [open(), open(), open()]
    idle.socket.write('GET / HTTP/1.1\r\n\r\n')
    slow.socket.write('GET / HTTP/1.1\r\n\r\nGET')
    await expect.poll(idle.received).not.toBe('')
    await expect.poll(slow.received).not.toBe('')
    expect(connections).toHaveLength(3)
    for (const connection of connections) connection.sweep(performance.now() + 21_000, 20_000)
    expect(broken).toEqual(['timeout', 'timeout'])
    await Promise.all([silent.rest(), slow.rest()])
    expect(idle.socket.readableEnded).toBe(false)
  })

  it('whose client closes its side within a request, after the answer to the one before it', async () => {
    const { open } = await serve(echo)
    const client = open()
    client.socket.end('GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET / HT')
    expect(await client.rest()).toBe(answerOf('GET /1 '))
  })

  it('whose client closes its side within a request', async () => {
    const { open, broken } = await serve(() => undefined)
    const client = open()
    client.socket.end('GET / HT')
    await once(client.socket, 'close')
    expect(broken).toEqual([])
  })
})

it('the server closes once the connections that were adopted are gone', async () => {
  const { server, open } = await serve(echo)
  const client = open()
  client.socket.write('GET /1 HTTP/1.1\r\nHost: a\r\n\r\n')
  await expect.poll(client.received).toBe(answerOf('GET /1 '))
  const closed = once(server, 'close')
  server.close()
  client.socket.end()
  await closed
  expect(await client.rest()).toBe(answerOf('GET /1 '))
})

it('a part of a body that is kept is not read into again, however it was sent', async () => {
  const { open } = await serve(echo)
  // Two clients take turns: each read of one lies between two reads of the other.
  const clients = ['a', 'b'].map((letter) => ({ letter, client: open() }))
  const bodyOf = (letter: string, at: number) => `${letter}${at} `.repeat(10_000)
  for (const { client } of clients)
    client.socket.write(`POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n`)
  for (let at = 0; at < 10; at++) {
    for (const { letter, client } of clients) {
      const part = bodyOf(letter, at)
      client.socket.write(`${part.length.toString(16)}\r\n${part}\r\n`)
    }
  }
  for (const { letter, client } of clients) {
    client.socket.end('0\r\n\r\n')
    const body = Array.from({ length: 10 }, (_, at) => bodyOf(letter, at)).join('')
    const answer = await client.rest()
    expect(answer.endsWith(`\r\n\r\nPOST / ${body}`)).toBe(true)
  }
})
