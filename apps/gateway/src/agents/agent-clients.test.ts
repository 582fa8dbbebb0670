import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { AgentReply } from '@gatehouse/contract/gateway'
import type { Answering } from '@gatehouse/http1/testing/open-upstream'
import { describe, expect, it, onTestFinished } from 'vitest'
import { buildToken, clientToken } from '../testing/build-snapshot.ts'
import { buildTool, jsonBody, parameter, startAgentGateway } from './testing/agent-gateway.ts'

// The official client, as agents have it.

const revisions = ['2026-07-28', '2025-11-25'] as const

async function connect(url: string, revision: (typeof revisions)[number], token = clientToken) {
  const mode = revision === '2025-11-25' ? 'legacy' : { pin: revision }
  const client = new Client({ name: 'a client', version: '1' }, { versionNegotiation: { mode } })
  const headers = { authorization: `Bearer ${token}` }
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    requestInit: { headers },
  })
  await client.connect(transport)
  onTestFinished(() => client.close())
  return client
}

const answer: Answering = (socket, { requestLine }) => {
  if (requestLine.includes('/lost')) {
    socket.end()
    return
  }
  const body = requestLine.includes('/orders/7')
    ? '{"no":7,"total":1.50}'
    : '{"why":"no such order"}'
  const status = requestLine.includes('/orders/7') ? '200 OK' : '404 Not Found'
  socket.write(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
}

const endpoints = [
  {
    path: '/orders/{id}',
    tool: buildTool({
      name: 'sales_order',
      parameters: [parameter('path', 'id', { is_required: true, schema: '{"type":"integer"}' })],
      answer_schema: '{"type":"object","properties":{"no":{"type":"integer"}}}',
    }),
  },
  {
    path: '/lost',
    method: 'POST' as const,
    tool: buildTool({ name: 'sales_lost', effect: 'submit', body: jsonBody }),
  },
  { path: '/other', tool: buildTool({ name: 'sales_other' }) },
]

describe.each(revisions)('a client of %s', (revision) => {
  it('lists, reads, is refused, and learns of an unknown outcome', async () => {
    const { gateway, upstream } = await startAgentGateway({
      answer,
      endpoints,
      snapshot: { access: [{ role_id: 2, endpoint_ids: [1, 2] }] },
    })
    const client = await connect(gateway.url, revision)
    expect(client.getServerVersion()?.name).toBe('gatehouse')
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['sales_lost', 'sales_order'])
    expect(tools[1]?.annotations).toMatchObject({ readOnlyHint: true })
    const read = await client.callTool({ name: 'sales_order', arguments: { id: 7 } })
    expect(read.structuredContent).toEqual({ no: 7, total: 1.5 })
    const missing = await client.callTool({ name: 'sales_order', arguments: { id: 8 } })
    expect(missing).toMatchObject({ isError: true })
    const unfit = await client.callTool({ name: 'sales_order', arguments: { id: 'x' } })
    expect(unfit).toMatchObject({ isError: true })
    const lost = await client.callTool({ name: 'sales_lost', arguments: { body: { a: 1 } } })
    expect(JSON.stringify(lost)).toContain('Do not call this again')
    await expect(client.callTool({ name: 'sales_other', arguments: {} })).rejects.toThrow(
      /Unknown tool/,
    )
    expect(upstream.requests).toHaveLength(3)
  })

  it('runs a workflow, and learns that it waits and that an answer was lost', async () => {
    const tools = [
      { name: 'workflow_file', listed: '{"name":"workflow_file","inputSchema":{"type":"object"}}' },
    ]
    const waits: AgentReply = {
      what: 'result',
      texts: ['Run 7 waits for release.'],
      structured: '{"run":{"id":7}}',
      isError: false,
    }
    const replies: (AgentReply | undefined)[] = [{ what: 'tools', tools }, waits, undefined]
    const { gateway } = await startAgentGateway({
      endpoints,
      options: {
        onAgentAsked: ({ id }) => setImmediate(() => gateway.answerAgent(id, replies.shift())),
      },
    })
    const client = await connect(gateway.url, revision)
    const listed = await client.listTools()
    expect(listed.tools.map(({ name }) => name)).toContain('workflow_file')
    const call = () => client.callTool({ name: 'workflow_file', arguments: {} })
    expect(await call()).toMatchObject({ structuredContent: { run: { id: 7 } } })
    const lost = await call()
    expect(lost).toMatchObject({ isError: true })
    expect(JSON.stringify(lost)).toContain('run_status')
  })

  it('gets every page of a long list', async () => {
    const { gateway } = await startAgentGateway({
      endpoints: Array.from({ length: 120 }, (_, at) => ({
        path: `/orders/${at}`,
        tool: buildTool({ name: `sales_${at}` }),
      })),
    })
    const client = await connect(gateway.url, revision)
    const names: string[] = []
    let cursor: string | undefined
    do {
      const page = await client.listTools(cursor === undefined ? {} : { cursor })
      names.push(...page.tools.map(({ name }) => name))
      cursor = page.nextCursor
    } while (cursor !== undefined)
    expect(new Set(names).size).toBe(120)
  })

  it('is refused once its token is revoked', async () => {
    const { gateway, snapshot } = await startAgentGateway({ endpoints })
    const client = await connect(gateway.url, revision)
    gateway.swap({
      ...snapshot,
      revision: 2,
      tokens: [buildToken({ id: 9, digest: 'f'.repeat(64) })],
    })
    await expect(client.callTool({ name: 'sales_order', arguments: { id: 7 } })).rejects.toThrow()
  })
})
