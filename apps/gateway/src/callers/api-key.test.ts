import { noTrafficPolicy, trafficPolicy } from '@gatehouse/contract/gateway'
import { startRecordingUpstream } from '@gatehouse/http1/testing/recording-upstream'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createTrafficPolicies } from '../policy/traffic-policies.ts'
import type { TraceMessage } from '../messages/report-messages.ts'
import {
  adminToken,
  buildApi,
  buildEndpoint,
  buildSnapshot,
  clientToken,
} from '../testing/build-snapshot.ts'
import { buildIssuer, makeKey, signJwt } from '../testing/jwt-issuer.ts'
import { RawClient } from '../testing/raw-client.ts'
import { startGateway, traceSecret } from '../testing/test-gateway.ts'
import { traceHeader, traceHeaderName } from '../trace/trace-signature.ts'

const issuerKey = makeKey('one')

/** One API that takes keys in X-Shop-Key, and one that does not. */
async function start() {
  const dataDir = mkdtempSync(join(tmpdir(), 'api-key-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  const upstream = await startRecordingUpstream()
  const usual = { base_url: upstream.url, requires_token: true }
  const policy = { ...noTrafficPolicy, api_key: { header: 'X-Shop-Key' } }
  const traces: TraceMessage[] = []
  const gateway = await startGateway(
    buildSnapshot({
      apis: [
        buildApi({ ...usual, policy }),
        buildApi({ id: 2, name: 'Other', context: 'other', ...usual }),
        buildApi({ id: 3, name: 'Open', context: 'open', base_url: upstream.url, policy }),
      ],
      endpoints: [1, 2, 3].map((id) => buildEndpoint({ id, api_id: id })),
      issuers: [buildIssuer([issuerKey])],
      access: [{ role_id: 2, endpoint_ids: [1, 2, 3] }],
    }),
    {
      dataDir,
      compilePolicy: createTrafficPolicies().compile,
      onTrace: (trace) => traces.push(trace),
    },
  )
  /** Lines of the head, each with a name of its own or one that comes again. */
  const head = (path: string, fields: readonly string[]) =>
    `${[`GET ${path} HTTP/1.1`, 'Host: shop.example.com', ...fields].join('\r\n')}\r\n\r\n`
  const send = async (fields: readonly string[], path = '/sales/orders') => {
    const client = new RawClient(gateway.port)
    client.send(head(path, fields))
    return (await client.answer())?.status
  }
  return { upstream, gateway, traces, head, send, dataDir }
}

const bearer = (token: string) => `Authorization: Bearer ${token}`
const key = (token: string) => `X-Shop-Key: ${token}`

describe('an API key in a header', () => {
  it('opens what the token opens, in any case of its name, and goes no further', async () => {
    const { send, upstream } = await start()
    for (const name of ['X-Shop-Key', 'x-shop-key', 'X-SHOP-KEY'])
      expect(await send([`${name}: ${clientToken}`, 'X-Other: stays'])).toBe(200)
    expect(upstream.requests).toHaveLength(3)
    for (const { headers } of upstream.requests) {
      const names = headers.map(([name]) => name.toLowerCase())
      expect(names).toContain('x-other')
      expect(names).not.toContain('x-shop-key')
      expect(names).not.toContain('authorization')
      expect(JSON.stringify(headers)).not.toContain(clientToken)
    }
  })

  it.each([
    ['no token', [key('nothing')]],
    ['blank', ['X-Shop-Key:']],
    ['a token that nobody has', [key(`ghp_${'z'.repeat(49)}`)]],
    ['the same twice', [key(clientToken), key(clientToken)]],
    ['twice in different cases', [key(clientToken), `x-shop-key: ${adminToken}`]],
    ['two in one field', [key(`${clientToken}, ${adminToken}`)]],
    ['one and a comma', [key(`${clientToken},`)]],
    ['with a scheme', [key(`Bearer ${clientToken}`)]],
    ['in other capitals', [key(clientToken.toUpperCase())]],
    ['a JWT', [key(signJwt(issuerKey))]],
    ['beside another token', [key(clientToken), bearer(adminToken)]],
    ['beside a JWT', [key(clientToken), bearer(signJwt(issuerKey))]],
    ['beside Basic', [key(clientToken), 'Authorization: Basic eDp5']],
    ['beside a blank Authorization', [key(clientToken), 'Authorization:']],
    ['no key, and a good token', [key('nothing'), bearer(clientToken)]],
    ['under another name', [`X-Api-Key: ${clientToken}`]],
    ['dropped by Connection', [key(clientToken), 'Connection: X-Shop-Key']],
  ])('%s is refused with 401', async (_, fields) => {
    const { send, upstream } = await start()
    expect(await send(fields)).toBe(401)
    expect(upstream.requests).toHaveLength(0)
  })

  it('written with an underscore is refused as every such name', async () => {
    const { send } = await start()
    expect(await send([`X_Shop_Key: ${clientToken}`])).toBe(400)
  })

  it('may stand beside the same token, and Authorization alone still counts', async () => {
    const { send } = await start()
    expect(await send([key(clientToken), bearer(clientToken)])).toBe(200)
    expect(await send([bearer(clientToken)])).toBe(200)
    expect(await send([bearer(signJwt(issuerKey))])).toBe(200)
  })

  it('of an API is none at another, where the field is passed on as any other', async () => {
    const { send, upstream } = await start()
    expect(await send([key(clientToken)], '/other/orders')).toBe(401)
    expect(await send([key('own'), bearer(clientToken)], '/other/orders')).toBe(200)
    const [request] = upstream.requests
    expect(request?.headers.map(([name]) => name.toLowerCase())).toContain('x-shop-key')
  })

  it('does not reach the upstream of an open endpoint either', async () => {
    const { send, upstream } = await start()
    expect(await send([key(clientToken)], '/open/orders')).toBe(200)
    expect(await send([key('a'), key('b')], '/open/orders')).toBe(200)
    expect(JSON.stringify(upstream.requests)).not.toMatch(/shop-key/i)
  })

  it('counts for its own request of a connection alone', async () => {
    const { gateway, head } = await start()
    const client = new RawClient(gateway.port)
    const path = '/sales/orders'
    client.send(head(path, [key(clientToken)]) + head(path, []) + head(path, [key(clientToken)]))
    const statuses = []
    for (let at = 0; at < 3; at++) statuses.push((await client.answer())?.status)
    expect(statuses).toEqual([200, 401, 200])
  })

  it('is in no log and in no trace', async () => {
    const { send, gateway, traces, dataDir } = await start()
    const trace = `${traceHeaderName}: ${traceHeader(traceSecret, 'e1_t1')}`
    expect(await send([key(clientToken), trace])).toBe(200)
    await send([key(clientToken), key(clientToken)])
    await gateway.close()
    const folder = join(dataDir, 'logs', 'gateway')
    const log = readFileSync(join(folder, readdirSync(folder)[0] ?? ''), 'utf8')
    expect(log).toContain('came twice')
    expect(traces).toHaveLength(1)
    expect(log + JSON.stringify(traces)).not.toContain(clientToken)
  })
})

it.each([
  ['X-API-Key', true],
  ['apikey', true],
  ['Authorization', false],
  ['cookie', false],
  ['Connection', false],
  ['Content-Type', false],
  ['X-Forwarded-For', false],
  ['X-Gatehouse-Trace', false],
  ['sec-websocket-key', false],
  ['x_api_key', false],
  ['x api', false],
  ['', false],
  ['x'.repeat(65), false],
])('%j as the name of the header is taken: %s', (header, isTaken) => {
  const policy = { ...noTrafficPolicy, api_key: { header } }
  expect(trafficPolicy.safeParse(policy).success).toBe(isTaken)
})
