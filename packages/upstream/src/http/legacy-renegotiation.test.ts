import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import type { StoredTls } from '@gatehouse/contract/credential'
import { expect, it, onTestFinished } from 'vitest'
import { createLegacyTlsServer } from '../testing/legacy-tls-server.ts'
import { createTestUpstream } from '../testing/test-upstream.ts'

const pem = readFileSync(new URL('../../fixtures/self-signed-rsa.pem', import.meta.url), 'utf8')
const ca = /-----BEGIN CERTIFICATE-----[\s\S]+-----END CERTIFICATE-----/.exec(pem)?.[0] ?? ''

const trusting = (legacy_renegotiation: boolean): StoredTls => ({
  client_certificate: '',
  client_key: '',
  pfx: '',
  passphrase: '',
  ca,
  legacy_renegotiation,
})

it('a server without secure renegotiation is called only where the API allows it', async () => {
  const server = createLegacyTlsServer(pem).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => void server.close())
  const url = `https://localhost:${(server.address() as AddressInfo).port}/`
  const upstream = createTestUpstream()
  const refused = await upstream.send({ url, tls: trusting(false) })
  expect(refused).toMatchObject({
    ok: false,
    code: 'tls',
    isSent: false,
    detail: expect.stringContaining('unsafe legacy renegotiation'),
  })
  const answer = await upstream.send({ url, tls: trusting(true) })
  expect(answer.ok && answer.body.toString()).toBe('{"old": 1}')
})
