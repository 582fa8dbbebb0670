import { describe, expect, it } from 'vitest'
import { createAddressGuard } from './address-guard.ts'
import { createGuardedConnector } from './connector.ts'
import { UpstreamFailure } from './failures.ts'
import { plainAnswer, startRawUpstream } from './testing/raw-upstream.ts'
import { scriptedLookup } from './testing/scripted-lookup.ts'
import {
  createTestUpstream,
  expectAnswered,
  expectFailed,
  openGuard,
} from './testing/test-upstream.ts'

const answerAll = () => startRawUpstream((socket) => socket.write(plainAnswer('{}')))

describe('blocked addresses are refused before any packet', () => {
  it('as a literal', async () => {
    const answer = await createTestUpstream().send({ url: 'http://169.254.169.254/latest/' })
    expect(answer).toMatchObject({ ok: false, code: 'blocked_address', isSent: false })
    expect(expectFailed(answer).detail).toMatch(/never called: the metadata service of a cloud/)
  })

  it.each([
    ['the only address', ['169.254.169.254']],
    ['one among good ones', ['127.0.0.1', '169.254.169.254']],
    ['wrapped in IPv6', ['127.0.0.1', '64:ff9b::a9fe:a9fe']],
    ['unspecified', ['0.0.0.0']],
    ['link-local', ['fe80::1']],
  ])('behind a name: %s', async (_, addresses) => {
    const server = await answerAll()
    const lookup = scriptedLookup(addresses)
    const answer = await createTestUpstream({ lookup }).send({
      url: `http://metadata.google.internal:${server.port}/`,
    })
    expect(answer).toMatchObject({ code: 'blocked_address', isSent: false })
    expect(server.sockets).toEqual([])
  })

  it.each(['127.0.0.1', '127.1', '127.9.9.9', '[::1]', '[::ffff:7f00:1]', 'localhost'])(
    'our own listener, as %s',
    async (host) => {
      const server = await answerAll()
      const own = () => [{ address: '0.0.0.0', port: server.port }]
      const guard = createAddressGuard({ allow: [], deny: [], own })
      const answer = await createTestUpstream({ guard }).send({
        url: `http://${host}:${server.port}/`,
      })
      expect(answer).toMatchObject({ code: 'blocked_address', isSent: false })
      expect(server.sockets).toEqual([])
    },
  )

  it('a name that changes its mind is looked up once per connection, and that answer is used', async () => {
    const server = await answerAll()
    const lookup = scriptedLookup(['127.0.0.1'], ['169.254.169.254'])
    const upstream = createTestUpstream({ lookup })
    const url = `http://rebind.test:${server.port}/`
    expectAnswered(await upstream.send({ url }))
    expect(lookup.calls).toEqual(['rebind.test'])
    const closed = new Promise((resolve) => server.sockets[0]?.once('close', resolve))
    server.sockets[0]?.end()
    await closed
    expect(await upstream.send({ url })).toMatchObject({ code: 'blocked_address', isSent: false })
    expect(server.sockets).toHaveLength(1)
  })

  it.each(['file:///etc/passwd', 'ftp://127.0.0.1/', 'http://u:p@127.0.0.1/', 'not a url', ''])(
    '%j is not called',
    async (url) => {
      const answer = await createTestUpstream().send({ url })
      expect(answer).toMatchObject({ ok: false, code: 'blocked_address', isSent: false })
    },
  )
})

describe('the connector alone, as the gateway uses it', () => {
  const connect = createGuardedConnector({ guard: openGuard, connectTimeoutMs: 20_000 })

  it.each(['169.254.169.254', 'fe80::1', '[fd00:ec2::254]', '::ffff:0.0.0.0'])(
    'asks the guard about the literal %s, which is never looked up',
    async (hostname) => {
      const error = await new Promise((resolve) =>
        connect({ hostname, protocol: 'http:', port: '80' }, (...[error]) => resolve(error)),
      )
      expect(error).toBeInstanceOf(UpstreamFailure)
      expect(error).toMatchObject({ failure: 'blocked_address' })
    },
  )
})
