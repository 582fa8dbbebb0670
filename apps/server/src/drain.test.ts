import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import Fastify from 'fastify'
import { drain } from './drain.ts'

const request = 'POST /save HTTP/1.1\r\nHost: here\r\nContent-Length: 0\r\n\r\n'

it('answers a request that was under way on a connection kept alive when the stop began', async () => {
  const app = Fastify({ forceCloseConnections: 'idle', return503OnClosing: false })
  app.post('/save', async () => 'saved')
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1').setEncoding('utf8')
  await once(socket, 'connect')
  socket.write(request)
  expect((await once(socket, 'data'))[0]).toContain('keep-alive')

  const drained = drain(app)
  socket.write(request)
  const [late] = (await once(socket, 'data')) as [string]
  expect(late).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  expect(late.toLowerCase()).toContain('connection: close')
  expect(late).toMatch(/saved$/)
  await drained
})

it('closes connections that are idle', async () => {
  const app = Fastify({ forceCloseConnections: 'idle', return503OnClosing: false })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n')
  await once(socket, 'data')
  const closed = once(socket, 'close')
  await drain(app)
  expect(await closed).toEqual([false])
})
