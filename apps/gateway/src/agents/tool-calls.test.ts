import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { noTrafficPolicy } from '@gatehouse/contract/gateway'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createTrafficPolicies } from '../policy/traffic-policies.ts'
import { bearerCredential, clientToken } from '../testing/build-snapshot.ts'
import {
  buildTool,
  jsonBody,
  parameter,
  startAgentGateway,
  textsOf,
} from './testing/agent-gateway.ts'

const number = { schema: '{"type":"number"}' }

describe('the request that a call becomes', () => {
  const order = {
    path: '/orders/{id}/lines',
    tool: buildTool({
      parameters: [
        parameter('path', 'id', { is_required: true, schema: '{"type":["string","number"]}' }),
        parameter('query', 'page', number),
        parameter('query', 'tag', { schema: '{"type":"array","items":{"type":"string"}}' }),
        parameter('query', 'only', { schema: '{"type":"boolean"}' }),
        parameter('header', 'X-Trace-No'),
      ],
    }),
  }

  it.each<[string, object, string]>([
    ['values of the path', { id: 'A 1/ä'.replace('/', '') }, '/orders/A%201%C3%A4/lines'],
    ['a number', { id: 7 }, '/orders/7/lines'],
    ['a query', { id: 'a', page: 2, only: true }, '/orders/a/lines?page=2&only=true'],
    ['a list', { id: 'a', tag: ['x&y', 'z'] }, '/orders/a/lines?tag=x%26y&tag=z'],
    ['nothing for null', { id: 'a' }, '/orders/a/lines'],
  ])('has %s', async (_, given, target) => {
    const { call, upstream } = await startAgentGateway({ endpoints: [order] })
    expect(textsOf(await call('sales_orders', given))).toBe('ok')
    expect(upstream.requests.map(({ requestLine }) => requestLine)).toEqual([
      `GET ${target} HTTP/1.1`,
    ])
  })

  it('has the headers of its arguments, and of the client only what says who it is', async () => {
    const { call, upstream } = await startAgentGateway({ endpoints: [order] })
    const headers = {
      'user-agent': 'agent/1',
      cookie: 'a=b',
      'x-other': 'c',
      'accept-language': 'ar',
    }
    await call('sales_orders', { id: 'a', 'X-Trace-No': '12' }, { headers })
    const sent = new Map(upstream.requests[0]?.headers)
    expect(sent.get('x-trace-no')).toBe('12')
    expect(sent.get('user-agent')).toBe('agent/1')
    for (const name of [
      'cookie',
      'x-other',
      'accept-language',
      'authorization',
      'accept-encoding',
      'content-type',
    ])
      expect(sent.has(name), name).toBe(false)
  })

  it.each<[string, object, string]>([
    ['a slash', { id: 'a/b' }, '/id'],
    ['dots', { id: '..' }, '/id'],
    ['a semicolon', { id: 'a;b' }, '/id'],
    ['nothing', { id: '' }, '/id'],
    ['half a character', { id: '\ud800' }, '/id'],
    ['a line break in a header', { id: 'a', 'X-Trace-No': 'a\r\nHost: b' }, '/X-Trace-No'],
    ['an unknown argument', { id: 'a', other: 1 }, '/other'],
    ['a missing one', {}, '/id'],
    ['another type', { id: 'a', page: 'two' }, '/page'],
    ['an object', { id: {} }, '/id'],
  ])('is not made of %s, and the place is named', async (_, given, place) => {
    const { call, upstream } = await startAgentGateway({ endpoints: [order] })
    const result = await call('sales_orders', given)
    expect(result.isError).toBe(true)
    expect(textsOf(result)).toContain(`\n${place}: `)
    expect(upstream.sockets).toHaveLength(0)
  })

  it('is none where the schema can’t be used, and the others go on', async () => {
    const { call, send, upstream } = await startAgentGateway({
      endpoints: [
        {
          tool: buildTool({
            name: 'sales_odd',
            parameters: [parameter('query', 'a', { schema: '{"$ref":"phone.json"}' })],
          }),
        },
        { path: '/b', tool: buildTool() },
      ],
    })
    const result = await call('sales_odd', { a: '1' })
    expect([result.isError, textsOf(result)]).toEqual([true, expect.stringContaining('schema')])
    expect((await send('tools/list')).body.result?.tools).toHaveLength(2)
    await call('sales_orders')
    expect(upstream.requests).toHaveLength(1)
  })

  it('leads to no other endpoint than that of the tool', async () => {
    const { call, upstream } = await startAgentGateway({
      endpoints: [
        { path: '/orders/{id}', tool: buildTool({ parameters: [parameter('path', 'id')] }) },
        { path: '/orders/new', tool: null },
      ],
    })
    const result = await call('sales_orders', { id: 'new' })
    expect([result.isError, textsOf(result)]).toEqual([
      true,
      expect.stringContaining('client.target'),
    ])
    expect(upstream.sockets).toHaveLength(0)
  })

  it('keeps the digits of numbers', async () => {
    const { post, upstream } = await startAgentGateway({
      endpoints: [
        {
          method: 'POST',
          tool: buildTool({
            effect: 'submit',
            body: jsonBody,
            parameters: [parameter('query', 'no', number)],
          }),
        },
      ],
    })
    const body = '{"total":119.00,"no":12345678901234567890,"list":[1e2,-0.0]}'
    await post(
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"sales_orders","arguments":{"no":1.10,"body":${body}}}}`,
    )
    const [request] = upstream.requests
    expect(request?.requestLine).toBe('POST /orders?no=1.10 HTTP/1.1')
    expect(request?.body).toBe(body)
    expect(new Map(request?.headers).get('content-type')).toBe('application/json')
  })

  it('sends a form, and a text of another kind, as declared', async () => {
    const { call, upstream } = await startAgentGateway({
      endpoints: [
        {
          method: 'POST',
          path: '/form',
          tool: buildTool({
            name: 'sales_form',
            parameters: [parameter('form', 'a'), parameter('form', 'b', number)],
          }),
        },
        {
          method: 'PUT',
          path: '/xml',
          tool: buildTool({
            name: 'sales_xml',
            body: { is_required: true, content_type: 'application/xml', schema: '' },
          }),
        },
      ],
    })
    await call('sales_form', { a: 'x y', b: 2 })
    await call('sales_xml', { body: '<a/>' })
    expect(upstream.requests.map(({ body }) => body)).toEqual(['a=x%20y&b=2', '<a/>'])
    expect((await call('sales_xml', {})).isError).toBe(true)
  })

  it('takes no credential and no static header from arguments', async () => {
    const { call, send, upstream } = await startAgentGateway({
      api: {
        static_headers: [{ name: 'X-Tenant', value: 'ours' }],
        credential: bearerCredential('upstream-secret'),
        policy: { ...noTrafficPolicy, api_key: { header: 'X-Api-Key' } },
      },
      endpoints: [
        {
          tool: buildTool({
            parameters: ['X-Tenant', 'X-Api-Key', 'Authorization', 'X-Forwarded-For', 'X-Free'].map(
              (name) => parameter('header', name),
            ),
          }),
        },
      ],
    })
    const { body, text } = await send('tools/list')
    expect(
      Object.keys((body.result!.tools[0]!.inputSchema as { properties: object }).properties),
    ).toEqual(['X-Free'])
    expect(text).not.toContain('ours')
    expect((await call('sales_orders', { 'X-Tenant': 'theirs' })).isError).toBe(true)
    await call('sales_orders')
    const sent = new Map(upstream.requests[0]?.headers)
    expect([sent.get('x-tenant'), sent.get('authorization')]).toEqual([
      'ours',
      'Bearer upstream-secret',
    ])
  })
})

describe('a call goes through the same stages as a request', () => {
  it.each([
    ['token', 'Its API takes at most 30 calls in 60 seconds from a caller.'],
    ['endpoint', 'It takes at most 30 calls in 60 seconds from all callers together.'],
  ] as const)('names the limits of its API in the list: per %s', async (per, words) => {
    const rate_limit = { requests: 30, window_seconds: 60, per }
    const policy = { ...noTrafficPolicy, rate_limit, max_body_bytes: 4_096 }
    const { compile } = createTrafficPolicies({})
    const { send } = await startAgentGateway({
      api: { policy },
      endpoints: [
        { tool: buildTool() },
        { tool: buildTool({ name: 'sales_add', body: jsonBody }) },
      ],
      options: { compilePolicy: compile },
    })
    const { body } = await send('tools/list')
    expect(body.result?.tools).toMatchObject([
      { name: 'sales_add', description: `The orders. ${words} A body has at most 4096 bytes.` },
      { name: 'sales_orders', description: `The orders. ${words}` },
    ])
  })

  it('counts for the rate limit, which a tool error tells', async () => {
    const rate_limit = { requests: 1, window_seconds: 60, per: 'token' as const }
    const policy = { ...noTrafficPolicy, rate_limit }
    const { compile } = createTrafficPolicies({})
    const { call, gateway, upstream } = await startAgentGateway({
      api: { policy, requires_token: true },
      options: { compilePolicy: compile },
    })
    const plain = await fetch(`${gateway.url}/sales/orders`, {
      headers: { authorization: `Bearer ${clientToken}` },
    })
    expect(plain.status).toBe(200)
    const result = await call('sales_orders')
    expect(result.isError).toBe(true)
    expect(textsOf(result)).toMatch(/status 429\. Try again after \d+ s\.\n.*client\.rate_limited/)
    expect(upstream.requests).toHaveLength(1)
  })

  it('is checked against the schemas of the endpoint', async () => {
    const body_schema = '{"type":"object","required":["no"]}'
    const { call, upstream } = await startAgentGateway({
      endpoints: [
        {
          method: 'POST',
          validation: {
            mode: 'enforce',
            parameters_schema: '',
            body_schema,
            is_body_required: true,
            answer_schema: '',
            is_mocked: false,
          },
          tool: buildTool({ body: jsonBody }),
        },
      ],
    })
    expect(textsOf(await call('sales_orders', { body: {} }))).toContain('client.unfit')
    expect(textsOf(await call('sales_orders', { body: { no: 1 } }))).toBe('ok')
    expect(upstream.requests).toHaveLength(1)
  })

  it('is answered by a fixed output, and says that nothing was called', async () => {
    const { call, upstream } = await startAgentGateway({
      endpoints: [{ custom_output: '{"a":1}', tool: buildTool() }],
    })
    const result = await call('sales_orders')
    expect(result).toMatchObject({ structuredContent: { a: 1 } })
    expect(textsOf(result)).toContain('no API was called')
    expect(upstream.sockets).toHaveLength(0)
  })

  it('is in the log as the endpoint’s, with what the client calls itself', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'gateway-log-'))
    onTestFinished(() => rmSync(dataDir, { recursive: true }))
    const { gateway, sendModern, send } = await startAgentGateway({ options: { dataDir } })
    await sendModern('tools/call', { name: 'sales_orders', arguments: {} })
    await send('tools/list', {}, { headers: { 'user-agent': 'curl/8' } })
    await gateway.close()
    const folder = join(dataDir, 'logs', 'gateway')
    const lines = readdirSync(folder)
      .flatMap((file) => readFileSync(join(folder, file), 'utf8').trim().split('\n'))
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(lines).toMatchObject([
      {
        method: 'GET',
        path: '/sales/orders',
        endpoint_id: 1,
        status: 200,
        token_id: 1,
        via: 'mcp',
        agent: 'test client',
      },
      {
        method: 'POST',
        path: '/mcp',
        endpoint_id: null,
        status: 200,
        token_id: 1,
        via: 'mcp',
        agent: 'curl/8',
      },
    ])
  })
})
