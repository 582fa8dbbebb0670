import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { createHttpServer } from './http-server.ts'

/** A server whose requests have 100 ms to arrive until `relax` is called, and what ran on it. */
async function startHasty() {
  const app = await createHttpServer(pino({ enabled: false }), [], async () => {})
  const ran: unknown[] = []
  app.post('/things', async ({ body }) => {
    ran.push(body)
    return {}
  })
  Object.assign(app.server, {
    headersTimeout: 100,
    requestTimeout: 100,
    connectionsCheckingInterval: 20,
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => app.close())
  const relax = () => Object.assign(app.server, { headersTimeout: 60_000, requestTimeout: 60_000 })
  return { port: (app.server.address() as AddressInfo).port, ran, relax }
}

const line = 'POST /things HTTP/1.1\r\n'
const fields = 'Host: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n'

it.each([
  ['head', line, `${fields}{"n":"1"}`],
  ['body', `${line}${fields}{"n"`, ':"1"}'],
])('a request does not run whose %s is completed after its 408', async (_, first, rest) => {
  const { port, ran, relax } = await startHasty()
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  onTestFinished(() => void socket.destroy())
  let answer = ''
  socket.on('data', (bytes: Buffer) => (answer += bytes.toString('latin1')))
  const closed = once(socket, 'close')
  socket.write(first)
  await once(socket, 'end')
  expect(answer).toMatch(/^HTTP\/1\.1 408 /)
  socket.end(rest)
  await closed
  relax()
  // The server reads in the order of arrival: a request that comes later has been answered.
  const later = await fetch(`http://127.0.0.1:${port}/things`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"n":"2"}',
  })
  expect(later.status).toBe(200)
  expect(ran).toEqual([{ n: '2' }])
  expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1)
})
