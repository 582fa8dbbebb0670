import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, it, onTestFinished } from 'vitest'
import { buildToken, clientToken } from '../../testing/build-snapshot.ts'
import { modernRevision } from '../protocol.ts'
import { buildTool, modernMeta, startAgentGateway } from '../testing/agent-gateway.ts'

// `subscriptions/listen`, by the official client and by hand.

const endpoints = [
  { tool: buildTool({ name: 'sales_orders' }) },
  { path: '/more', tool: buildTool({ name: 'sales_more' }) },
]
const onlyFirst = { access: [{ role_id: 2, endpoint_ids: [1] }] }

async function start() {
  const started = await startAgentGateway({ endpoints, snapshot: onlyFirst })
  let revision = 1
  const swap = (parts: object) =>
    expect(started.gateway.swap({ ...started.snapshot, revision: ++revision, ...parts }).ok).toBe(
      true,
    )
  return { ...started, swap }
}

async function connect(url: string) {
  const versionNegotiation = { mode: { pin: modernRevision } }
  const client = new Client({ name: 'a client', version: '1' }, { versionNegotiation })
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${clientToken}` } },
  })
  await client.connect(transport)
  onTestFinished(() => client.close())
  let changes = 0
  client.setNotificationHandler('notifications/tools/list_changed', () => void changes++)
  return { client, changes: () => changes }
}

it('an agent is told once its tools have changed, and not of what it does not see', async () => {
  const { gateway, swap } = await start()
  const { client, changes } = await connect(gateway.url)
  expect(client.getServerCapabilities()?.tools).toEqual({ listChanged: true })
  const subscription = await client.listen({ toolsListChanged: true, promptsListChanged: true })
  expect(subscription.honoredFilter).toEqual({ toolsListChanged: true })
  swap({ ...onlyFirst, tokens: [buildToken(), buildToken({ id: 9, digest: 'f'.repeat(64) })] })
  swap({ access: [{ role_id: 2, endpoint_ids: [1, 2] }] })
  await expect.poll(changes).toBe(1)
  const { tools } = await client.listTools()
  expect(tools).toHaveLength(2)
  await subscription.close()
  swap(onlyFirst)
  expect(changes()).toBe(1)
})

it('the stream ends with a result once the token is revoked, and when the worker stops', async () => {
  const { gateway, swap } = await start()
  const { client } = await connect(gateway.url)
  const revoked = await client.listen({ toolsListChanged: true })
  swap({ tokens: [buildToken({ id: 9, digest: 'f'.repeat(64) })] })
  expect(await revoked.closed).toBe('graceful')
  swap({})
  const stopped = await client.listen({ toolsListChanged: true })
  await gateway.stop()
  expect(await stopped.closed).toBe('graceful')
})

it('a caller has four streams at a time; others get 429', async () => {
  const { gateway, sendModern } = await start()
  const open = async () => {
    const leaving = new AbortController()
    const answer = await fetch(`${gateway.url}/mcp`, {
      method: 'POST',
      signal: leaving.signal,
      headers: {
        authorization: `Bearer ${clientToken}`,
        'content-type': 'application/json',
        'mcp-protocol-version': modernRevision,
        'mcp-method': 'subscriptions/listen',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 'one',
        method: 'subscriptions/listen',
        params: { _meta: modernMeta, notifications: { toolsListChanged: true } },
      }),
    })
    return { answer, leave: () => leaving.abort() }
  }
  const streams = [await open(), await open(), await open(), await open()]
  const [first] = streams
  expect(first?.answer.headers.get('content-type')).toBe('text/event-stream')
  const params = { notifications: { toolsListChanged: true } }
  const refused = await sendModern('subscriptions/listen', params)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
  first?.leave()
  await expect
    .poll(async () => {
      const { answer, leave } = await open()
      leave()
      return answer.status
    })
    .toBe(200)
  for (const { leave } of streams) leave()
})

it('a stream that would never say anything ends at once; the earlier revision does not know it', async () => {
  const { sendModern, send } = await start()
  const { text, status } = await sendModern('subscriptions/listen', { notifications: {} })
  expect(status).toBe(200)
  expect(text).toMatch(
    /^data: .*acknowledged.*"notifications":{}.*\n\ndata: .*"resultType":"complete"/,
  )
  const unfit = await sendModern('subscriptions/listen', {})
  expect(unfit.body.error).toMatchObject({ code: -32_602 })
  const earlier = await send('subscriptions/listen', { notifications: {} })
  expect(earlier.body.error).toMatchObject({ code: -32_601 })
})
