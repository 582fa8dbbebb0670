import { createServer } from 'node:http'
import { describe, expect, it } from 'vitest'
import { listen, plainAnswer, startRawUpstream } from './testing/raw-upstream.ts'
import { createTestUpstream, expectAnswered } from './testing/test-upstream.ts'

describe('closing', () => {
  it('lets a call under way finish and takes no more', async () => {
    const server = await startRawUpstream(() => {})
    const upstream = createTestUpstream()
    const arrived = server.nextRequest()
    const sent = upstream.send({ url: server.url })
    await arrived
    const closed = upstream.close()
    expect(await upstream.send({ url: server.url })).toMatchObject({
      code: 'aborted',
      isSent: false,
    })
    server.sockets[0]?.write(plainAnswer('{"last":true}'))
    expect(expectAnswered(await sent).body.toString()).toBe('{"last":true}')
    await closed
    expect(server.requests).toHaveLength(1)
  })

  it('closes idle connections', async () => {
    const server = await startRawUpstream((socket) => socket.write(plainAnswer('{}')))
    const upstream = createTestUpstream()
    expectAnswered(await upstream.send({ url: server.url }))
    const gone = new Promise((resolve) => server.sockets[0]?.once('close', resolve))
    await upstream.close()
    await gone
    expect(server.sockets).toHaveLength(1)
  })
})

describe('the request on the wire', () => {
  it('carries method, path, query, headers and body as given', async () => {
    const server = await startRawUpstream((socket) => socket.write(plainAnswer('{}')))
    await createTestUpstream().send({
      method: 'PUT',
      url: `${server.url}orders/7%2F8?x=1&y=%20#fragment`,
      headers: { Authorization: 'Bearer t', 'Content-Type': 'application/json', Host: 'evil' },
      body: '{"name":"فاتورة"}',
    })
    const body = Buffer.from('{"name":"فاتورة"}')
    expect(Buffer.from(server.requests[0] ?? '', 'latin1').toString()).toBe(
      [
        'PUT /orders/7%2F8?x=1&y=%20 HTTP/1.1',
        `host: 127.0.0.1:${server.port}`,
        'connection: keep-alive',
        'authorization: Bearer t',
        'content-type: application/json',
        'accept-encoding: identity',
        `content-length: ${body.byteLength}`,
        '',
        body.toString(),
      ].join('\r\n'),
    )
  })

  it('a header that would inject another is refused before a connection is made', async () => {
    const server = await startRawUpstream(() => {})
    const headers = { 'x-a': 'b\r\nx-evil: 1' }
    const answer = await createTestUpstream().send({ url: server.url, headers })
    expect(answer).toMatchObject({ ok: false, code: 'protocol', isSent: false })
    expect(server.sockets).toEqual([])
  })

  it('is understood by a common server, 5 MiB and all', async () => {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => response.end(String(Buffer.concat(chunks).byteLength)))
    })
    const port = await listen(server)
    const upstream = createTestUpstream()
    const answer = await upstream.send({
      method: 'POST',
      url: `http://localhost:${port}/`,
      body: 'x'.repeat(5 * 1024 * 1024),
    })
    // Our end has to go first, or the server waits for its idle connection.
    await upstream.close()
    await new Promise((resolve) => server.close(resolve))
    expect(expectAnswered(answer).body.toString()).toBe(String(5 * 1024 * 1024))
  })
})
