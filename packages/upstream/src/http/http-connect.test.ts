import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import type { TLSSocket } from 'node:tls'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { listen, plainAnswer, startRawUpstream } from '../testing/raw-upstream.ts'
import { scriptedLookup } from '../testing/scripted-lookup.ts'
import { startFullBacklog } from '../testing/full-backlog.ts'
import { createTestUpstream, expectAnswered, expectFailed } from '../testing/test-upstream.ts'

const pem = (name: string) =>
  readFileSync(new URL(`../../fixtures/self-signed-${name}.pem`, import.meta.url), 'utf8')

const answerAll = () => startRawUpstream((socket) => socket.write(plainAnswer('{}')))

describe('no connection: nothing was sent, and the reasons are distinguished', () => {
  it('refused', async () => {
    const server = createServer()
    const port = await listen(server)
    await new Promise((resolve) => server.close(resolve))
    const answer = await createTestUpstream().send({ url: `http://127.0.0.1:${port}/` })
    expect(answer).toMatchObject({ ok: false, code: 'refused', isSent: false })
    expect(expectFailed(answer).detail).toBe(`connect ECONNREFUSED 127.0.0.1:${port}`)
  })

  it('refused by every address of a name', async () => {
    const server = createServer()
    const port = await listen(server)
    await new Promise((resolve) => server.close(resolve))
    const lookup = scriptedLookup(['127.0.0.2', '127.0.0.3'])
    const answer = await createTestUpstream({ lookup }).send({ url: `http://erp.test:${port}/` })
    expect(answer).toMatchObject({ code: 'refused', isSent: false })
    expect(expectFailed(answer).detail).toBe(
      `connect ECONNREFUSED 127.0.0.2:${port}; connect ECONNREFUSED 127.0.0.3:${port}`,
    )
  })

  it('a name that does not exist', async () => {
    const answer = await createTestUpstream().send({
      method: 'POST',
      url: 'http://nothing.invalid/',
    })
    expect(answer).toMatchObject({ ok: false, code: 'dns', isSent: false })
    expect(expectFailed(answer).detail).toContain('nothing.invalid')
  })

  it('a name without an address', async () => {
    const lookup = scriptedLookup([])
    const answer = await createTestUpstream({ lookup }).send({ url: 'http://erp.test/' })
    expect(answer).toMatchObject({ code: 'dns', isSent: false, detail: 'erp.test has no address' })
  })

  it('a resolver that never answers', async () => {
    const answer = await createTestUpstream({ lookup: () => {} }).send({
      url: 'http://erp.test/',
      connectTimeoutMs: 60,
    })
    expect(answer).toMatchObject({ code: 'connect_timeout', isSent: false })
    expect(expectFailed(answer).detail).toBe('no connection within 60 ms')
  })

  it('a listener that does not accept', async () => {
    const port = await startFullBacklog()
    const answer = await createTestUpstream().send({
      method: 'POST',
      url: `http://127.0.0.1:${port}/`,
      connectTimeoutMs: 150,
    })
    expect(answer).toMatchObject({ code: 'connect_timeout', isSent: false })
    expect(answer.durationMs).toBeGreaterThanOrEqual(149)
  })

  it('each call has the connect time-out that it asked for', async () => {
    const upstream = createTestUpstream({ lookup: () => {} })
    const answers = [80, 120].map((connectTimeoutMs) =>
      upstream.send({ url: 'http://erp.test/', connectTimeoutMs }),
    )
    const details = (await Promise.all(answers)).map((answer) => expectFailed(answer).detail)
    expect(details).toEqual(['no connection within 80 ms', 'no connection within 120 ms'])
  })
})

describe('TLS is verified', () => {
  const startTls = async (name: string) => {
    const server = createTlsServer({ cert: pem(name), key: pem(name) }, (socket) => {
      open.push(socket)
      socket.on('error', () => socket.destroy())
      socket.on('data', (chunk) => {
        received.push(chunk.toString())
        socket.write(plainAnswer('{"secure":true}'))
      })
    })
    const received: string[] = []
    const open: TLSSocket[] = []
    server.on('tlsClientError', () => {})
    const port = await listen(server)
    onTestFinished(async () => {
      open.forEach((socket) => socket.destroy())
      await new Promise((resolve) => server.close(resolve))
    })
    return { url: `https://localhost:${port}/`, received }
  }

  it('a self-signed certificate is refused before anything is sent', async () => {
    const server = await startTls('localhost')
    const answer = await createTestUpstream().send({ method: 'POST', url: server.url, body: '{}' })
    expect(answer).toMatchObject({ ok: false, code: 'tls', isSent: false })
    expect(expectFailed(answer).detail).toMatch(/self-signed certificate/)
    expect(server.received).toEqual([])
  })

  it('even where the environment says not to verify', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    onTestFinished(() => void vi.unstubAllEnvs())
    const server = await startTls('localhost')
    const answer = await createTestUpstream().send({ url: server.url })
    expect(answer).toMatchObject({ code: 'tls', isSent: false })
  })

  it('a certificate for another name is refused', async () => {
    const server = await startTls('elsewhere')
    const answer = await createTestUpstream({ ca: pem('elsewhere') }).send({ url: server.url })
    expect(answer).toMatchObject({ code: 'tls', isSent: false })
    expect(expectFailed(answer).detail).toMatch(/does not match certificate/)
  })

  it('a certificate from a trusted authority is accepted, by name and by address', async () => {
    const server = await startTls('localhost')
    const upstream = createTestUpstream({ ca: [pem('localhost')] })
    const byName = expectAnswered(await upstream.send({ url: server.url }))
    const byAddress = await upstream.send({ url: server.url.replace('localhost', '127.0.0.1') })
    expect(byName.body.toString()).toBe('{"secure":true}')
    expect(expectAnswered(byAddress).status).toBe(200)
  })

  it('a server that does not speak TLS', async () => {
    const server = await startRawUpstream(() => {})
    const connection = server.nextConnection()
    const sent = createTestUpstream().send({ url: server.url.replace('http:', 'https:') })
    void connection.then((socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'))
    expect(await sent).toMatchObject({ ok: false, code: 'tls', isSent: false })
  })

  it('a server that hangs up in the handshake', async () => {
    const server = await startRawUpstream(() => {})
    void server.nextConnection().then((socket) => socket.destroy())
    const answer = await createTestUpstream().send({ url: server.url.replace('http:', 'https:') })
    expect(answer).toMatchObject({ ok: false, code: 'tls', isSent: false })
  })

  it('a server that never finishes the handshake', async () => {
    const server = await startRawUpstream(() => {})
    const answer = await createTestUpstream().send({
      url: server.url.replace('http:', 'https:'),
      // Long enough for the connection itself, on a busy machine too.
      connectTimeoutMs: 600,
    })
    expect(answer).toMatchObject({ code: 'connect_timeout', isSent: false })
    expect(expectFailed(answer).detail).toBe('no secure connection within 600 ms')
  })
})

it('proxy variables of the environment are not looked at', async () => {
  const proxy = await answerAll()
  const server = await answerAll()
  for (const name of ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY', 'all_proxy']) {
    vi.stubEnv(name, proxy.url)
  }
  vi.stubEnv('NODE_USE_ENV_PROXY', '1')
  onTestFinished(() => void vi.unstubAllEnvs())
  expectAnswered(await createTestUpstream().send({ url: server.url }))
  expect(server.requests).toHaveLength(1)
  expect(proxy.sockets).toEqual([])
})
