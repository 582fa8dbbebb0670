import { localhostCertificate } from '@gatehouse/http1/testing/localhost-certificate'
import { startRecordingUpstream } from '@gatehouse/http1/testing/recording-upstream'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:https'
import type { IncomingMessage } from 'node:http'
import { connect as connectPlain } from 'node:net'
import { connect } from 'node:tls'
import { expect, it } from 'vitest'
import { buildApi, buildSnapshot } from '../testing/build-snapshot.ts'
import { startGateway } from '../testing/test-gateway.ts'

const ticketKeys = () => randomBytes(48).toString('base64')

it('serves over TLS and says so to the upstream', async () => {
  const upstream = await startRecordingUpstream()
  const { cert } = localhostCertificate
  const gateway = await startGateway(
    buildSnapshot({ apis: [buildApi({ base_url: upstream.url })] }),
    { tls: { ...localhostCertificate, ticketKeys: ticketKeys() } },
  )
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const url = `https://localhost:${gateway.port}/sales/orders`
    request(url, { ca: cert, agent: false }, resolve).on('error', reject).end()
  })
  expect(Buffer.concat(await answer.toArray()).toString()).toBe('ok')
  expect(upstream.requests[0]?.headers).toContainEqual(['x-forwarded-proto', 'https'])
})

/** Asks over one connection, in the session if one is given. Says which session could go on, and whether this one did. */
async function ask(port: number, given?: Buffer) {
  const { cert } = localhostCertificate
  const socket = connect({ port, host: 'localhost', ca: cert, ...(given && { session: given }) })
  let session = given
  let isReused = false
  socket.on('session', (begun: Buffer) => (session = begun))
  socket.on('secureConnect', () => (isReused = socket.isSessionReused()))
  socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
  const answer = Buffer.concat(await socket.toArray()).toString()
  expect(answer).toMatch(/^HTTP\/1\.1 200 /)
  return { session, isReused }
}

it('workers with the same keys resume each other’s sessions; others do not', async () => {
  const keys = ticketKeys()
  const worker = async (of: string) =>
    (await startGateway(buildSnapshot(), { tls: { ...localhostCertificate, ticketKeys: of } })).port
  const [first, second, other] = [
    await worker(keys),
    await worker(keys),
    await worker(ticketKeys()),
  ]
  const { session, isReused } = await ask(first)
  expect(isReused).toBe(false)
  expect((await ask(second, session)).isReused).toBe(true)
  expect((await ask(other, session)).isReused).toBe(false)
})

it('tells who speaks HTTP without TLS, and closes every connection without a handshake', async () => {
  const { port } = await startGateway(buildSnapshot(), {
    tls: { ...localhostCertificate, ticketKeys: ticketKeys() },
  })
  const answerTo = async (bytes: string) => {
    const socket = connectPlain({ port, host: '127.0.0.1' })
    socket.write(bytes)
    return Buffer.concat(await socket.toArray()).toString()
  }
  const plain = 'GET /sales/orders HTTP/1.1\r\nHost: localhost\r\n\r\n'
  expect(await answerTo(plain)).toMatch(
    /^HTTP\/1\.1 400 [^]*\r\nConnection: close\r\n\r\nThis port speaks HTTPS\.\n$/,
  )
  expect(await answerTo('SSH-2.0-client\r\n'.repeat(20))).not.toContain('HTTP')
  // Who leaves at once does no harm.
  for (let count = 0; count < 20; count++) {
    const socket = connectPlain({ port, host: '127.0.0.1' }).on('error', () => undefined)
    socket.write(plain, () => socket.resetAndDestroy())
    await once(socket, 'close')
  }
  await ask(port)
})
