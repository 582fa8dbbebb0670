import { noTrafficPolicy } from '@gatehouse/contract/gateway'
import type { ConfigSnapshot, SnapshotApi } from '@gatehouse/contract/gateway'
import { localhostCertificate } from '@gatehouse/http1/testing/localhost-certificate'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterEach, expect, it, vi } from 'vitest'
import { createTrafficPolicies } from '../policy/traffic-policies.ts'
import { adminToken, buildToken, clientToken, digestOf } from '../testing/build-snapshot.ts'
import { signRequest } from '../testing/sign-request.ts'
import { startGateway } from '../testing/test-gateway.ts'
import {
  BareClient,
  closed,
  handshake,
  nextMessage,
  openWebSocket,
  webSocketPath,
  webSocketSnapshot,
} from '../testing/web-socket-client.ts'
import { startWebSocketUpstream } from '../testing/web-socket-upstream.ts'

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const pem = (name: string) =>
  readFileSync(new URL(`../../fixtures/${name}.pem`, import.meta.url), 'utf8')
const certificatePolicy = (...authorities: string[]) => ({
  ...noTrafficPolicy,
  client_certificates: { ca: authorities.join('\n') },
})

afterEach(() => void vi.useRealTimers())

/** A WebSocket over TLS whose client has shown its certificate to an API that asks for one. */
async function openCertified() {
  const upstream = await startWebSocketUpstream()
  const before = webSocketSnapshot(upstream.url, { policy: certificatePolicy(pem('clients-ca')) })
  const ticketKeys = randomBytes(48).toString('base64')
  const gateway = await startGateway(before, { tls: { ...localhostCertificate, ticketKeys } })
  const shown = pem('client')
  const client = new BareClient(gateway.port, {
    ca: localhostCertificate.cert,
    cert: shown,
    key: shown,
  })
  client.socket.write(handshake())
  expect(await client.status()).toBe(101)
  return { client, gateway, upstream }
}

it.each([
  ['none of whose authorities has issued it', ['impostor-ca'], 1008],
  ['that takes it as well as others', ['impostor-ca', 'clients-ca'], 1012],
])('a client certificate is held against an API %s', async (_, names, code) => {
  const { client, gateway, upstream } = await openCertified()
  const policy = certificatePolicy(...names.map(pem))
  const after = webSocketSnapshot(upstream.url, { policy })
  expect(gateway.swap({ ...after, revision: 2, mark: 'second' })).toMatchObject({ ok: true })
  expect(await client.closeCode()).toBe(code)
})

it('is closed when the client certificate expires', async () => {
  const { client } = await openCertified()
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2200-01-01T00:00:00Z') })
  expect(await client.closeCode()).toBe(1008)
})

it('is closed when the secret that signed its handshake is replaced, and stays for another token', async () => {
  const upstream = await startWebSocketUpstream()
  const policy = { ...noTrafficPolicy, signature: { window_seconds: 60 } }
  const secrets = [`ghk_${'s'.repeat(49)}`, `ghk_${'t'.repeat(49)}`] as const
  const tokens = [
    buildToken({ signing_secret: secrets[0] }),
    buildToken({ id: 2, digest: digestOf(adminToken), signing_secret: secrets[1] }),
  ]
  const before = {
    ...webSocketSnapshot(upstream.url, { requires_token: true, policy }),
    tokens,
  }
  const gateway = await startGateway(before)
  const open = (keyId: 1 | 2) =>
    openWebSocket(
      gateway.port,
      signRequest({
        target: webSocketPath,
        secret: secrets[keyId - 1] ?? '',
        keyId: String(keyId),
      }),
    )
  const [replaced, kept] = [await open(1), await open(2)]
  const end = closed(replaced)
  const after = [buildToken({ signing_secret: `ghk_${'u'.repeat(49)}` }), ...tokens.slice(1)]
  gateway.swap({ ...before, revision: 2, mark: 'second', tokens: after })
  expect(await end).toEqual({ code: 1008, reason: 'access was taken away' })
  kept.send('still here')
  expect(await nextMessage(kept)).toBe('still here')
})

it('of a token that the draft of the API names is led to the draft’s upstream, others to the one in force', async () => {
  const [live, drafted] = [await startWebSocketUpstream(), await startWebSocketUpstream()]
  const before: ConfigSnapshot = {
    ...webSocketSnapshot(live.url, { requires_token: true }),
    tokens: [buildToken(), buildToken({ id: 2, digest: digestOf(adminToken), user_id: 5 })],
  }
  const [{ draft: _none, ...api }] = before.apis as [SnapshotApi]
  const withDraft = (tokenIds: number[], revision: number) => ({
    ...before,
    revision,
    mark: `m${revision}`,
    apis: [
      {
        ...api,
        draft: {
          token_ids: tokenIds,
          api: {
            ...api,
            base_url: drafted.url,
            static_headers: [{ name: 'X-Stage', value: 'draft' }],
            policy: { ...noTrafficPolicy, max_concurrent: 1 },
          },
        },
      },
    ],
  })
  const compilePolicy = createTrafficPolicies().compile
  const gateway = await startGateway(withDraft([1], 1), { compilePolicy })
  const named = await openWebSocket(gateway.port, bearer(clientToken))
  const other = await openWebSocket(gateway.port, bearer(adminToken))
  expect(drafted.sockets.map(({ request }) => request.headers['x-stage'])).toEqual(['draft'])
  expect(live.sockets.map(({ request }) => request.headers['x-stage'])).toEqual([undefined])
  // The bounds of the draft are its own.
  await expect(openWebSocket(gateway.port, bearer(clientToken))).rejects.toThrow('not opened')
  await openWebSocket(gateway.port, bearer(adminToken))

  const end = closed(named)
  gateway.swap(withDraft([99], 2))
  expect(await end).toEqual({ code: 1012, reason: 'the configuration has changed' })
  other.send('still here')
  expect(await nextMessage(other)).toBe('still here')
})
