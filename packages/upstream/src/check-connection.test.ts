import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { checkConnection } from './check-connection.ts'
import { openGuard as guard } from './testing/test-upstream.ts'

const pem = readFileSync(new URL('../fixtures/self-signed-localhost.pem', import.meta.url), 'utf8')

async function startServer() {
  const seen: string[] = []
  const server = createServer({ key: pem, cert: pem }, (request) => seen.push(request.url ?? ''))
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return { url: new URL(`https://localhost:${(server.address() as AddressInfo).port}/`), seen }
}

it('shows the certificate of a server, and asks it for nothing', async () => {
  const { url, seen } = await startServer()
  const check = await checkConnection({ guard, ca: pem }, url)
  expect(check).toMatchObject({
    ok: true,
    certificate: { subject: expect.any(String), validUntil: expect.any(Date) },
  })
  expect(check.ok && check.certificate?.validUntil.getTime()).toBeGreaterThan(0)
  expect(seen).toEqual([])
})

it('says that a certificate is not trusted', async () => {
  const { url } = await startServer()
  const check = await checkConnection({ guard }, url)
  expect(check).toMatchObject({ ok: false, failure: { failure: 'tls' } })
})
