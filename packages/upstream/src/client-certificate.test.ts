import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { StoredTls } from '@gatehouse/contract/credential'
import { expect, it, onTestFinished } from 'vitest'
import { createTestUpstream } from './testing/test-upstream.ts'

const file = (name: string) => readFileSync(new URL(`../fixtures/${name}`, import.meta.url))
const server = file('self-signed-localhost.pem').toString()
const client = file('self-signed-elsewhere.pem').toString()
const certificateOf = (pem: string) =>
  /-----BEGIN CERTIFICATE-----[\s\S]+-----END CERTIFICATE-----/.exec(pem)?.[0] ?? ''

const blank: StoredTls = {
  client_certificate: '',
  client_key: '',
  pfx: '',
  passphrase: '',
  ca: '',
  legacy_renegotiation: false,
}
const trusting = { ...blank, ca: certificateOf(server) }

/** Answers with the common name of the client's certificate. */
async function startUpstream(ca: string) {
  const listening = createServer(
    { key: server, cert: server, ca, requestCert: true, rejectUnauthorized: false },
    (request, response) => {
      const socket = request.socket as TLSSocket
      response.end(`${socket.authorized} ${String(socket.getPeerCertificate().subject?.CN)}`)
    },
  ).listen(0, '127.0.0.1')
  await new Promise((resolve) => listening.once('listening', resolve))
  onTestFinished(() => void listening.close())
  return `https://localhost:${(listening.address() as AddressInfo).port}/`
}

const textOf = async (url: string, tls: StoredTls, upstream = createTestUpstream()) => {
  const answer = await upstream.send({ url, tls })
  return answer.ok ? answer.body.toString() : `${answer.code}, ${answer.isSent}`
}

it('the authority of the API is trusted instead of those that Node knows', async () => {
  const url = await startUpstream(client)
  expect(await textOf(url, trusting)).toBe('false undefined')
  expect(await textOf(url, blank)).toBe('tls, false')
  expect(await textOf(url, { ...blank, ca: certificateOf(client) })).toBe('tls, false')
})

it('a certificate with its key is shown', async () => {
  const url = await startUpstream(client)
  const shown = { ...trusting, client_certificate: certificateOf(client), client_key: client }
  expect(await textOf(url, shown)).toMatch(/^true \S+/)
})

it('a certificate of a PFX file is shown', async () => {
  const url = await startUpstream(server)
  const pfx = file('self-signed-localhost.pfx').toString('base64')
  expect(await textOf(url, { ...trusting, pfx, passphrase: 'secret' })).toMatch(/^true /)
})

it('no connection is shared with calls that show another certificate', async () => {
  const url = await startUpstream(client)
  const upstream = createTestUpstream()
  const shown = { ...trusting, client_certificate: certificateOf(client), client_key: client }
  expect(await textOf(url, shown, upstream)).toMatch(/^true /)
  expect(await textOf(url, trusting, upstream)).toBe('false undefined')
})

it('what can not be used fails the call before anything is sent', async () => {
  const url = await startUpstream(client)
  const broken = { ...trusting, pfx: 'bm9uZQ==' }
  expect(await textOf(url, broken)).toBe('tls, false')
})
