import { createAddressGuard, openGuardedSocket } from '@gatehouse/upstream/http'
import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { localhostCertificate } from './testing/localhost-certificate.ts'
import { RecordedCall } from './testing/recorded-call.ts'
import { ConnectionPool } from './connection-pool.ts'
import { ConnectionSweeper } from './connection-sweeper.ts'

const { cert, key } = localhostCertificate

async function start(ca: string | undefined) {
  const body = 'x'.repeat(200_000)
  let connections = 0
  const server = createServer({ cert, key }, (_req, res) => res.end(body))
  server.on('secureConnection', () => connections++)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const guard = createAddressGuard({ allow: [], deny: [], own: () => [] })
  const options = { guard, connectTimeoutMs: 5_000, ...(ca === undefined ? {} : { ca }) }
  const pool = new ConnectionPool(
    `https://localhost:${(server.address() as AddressInfo).port}`,
    (target, callback) => openGuardedSocket(options, target, callback),
    { sweeper: new ConnectionSweeper() },
  )
  onTestFinished(async () => {
    await pool.destroy()
    server.close()
  })
  const send = () => {
    const call = new RecordedCall()
    pool.dispatch(call)
    return call.ended
  }
  return { send, body, count: () => connections }
}

it('a secure upstream whose certificate is known is called, over one connection', async () => {
  const { send, body, count } = await start(cert)
  expect((await send()).body).toBe(body)
  expect((await send()).body).toBe(body)
  expect(count()).toBe(1)
})

it('one whose certificate is not known is sent nothing', async () => {
  const { send, count } = await start(undefined)
  expect((await send()).failure?.failure).toBe('tls')
  expect(count()).toBe(0)
})
