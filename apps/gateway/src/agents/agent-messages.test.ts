import { describe, expect, it } from 'vitest'
import { buildTool, modernMeta, startAgentGateway } from './testing/agent-gateway.ts'
import { metaKeys } from './protocol.ts'
import { readMessage, type MessageHeaders } from './read-message.ts'

const noHeaders: MessageHeaders = { version: undefined, method: undefined, name: undefined }
const modern = { version: '2026-07-28', method: 'tools/list', name: undefined }
const call = (params: object, method = 'tools/list') => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params: { _meta: modernMeta, ...params },
})
const list = call({})
const bare = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

describe('a message', () => {
  it.each<[string, unknown, Partial<MessageHeaders>, object]>([
    ['without a version', bare, {}, { kind: 'request', revision: '2025-11-25', params: {} }],
    ['of 2025-11-25', bare, { version: '2025-11-25' }, { revision: '2025-11-25' }],
    ['of 2025-06-18', bare, { version: '2025-06-18' }, { revision: '2025-11-25' }],
    ['of 2026-07-28', list, modern, { revision: '2026-07-28', clientName: 'test client' }],
    ['with a text as id', { ...bare, id: 'a"b' }, {}, { kind: 'request', id: 'a"b' }],
    ['without an id', { ...bare, id: undefined }, {}, { kind: 'notification' }],
    [
      'that begins',
      { ...bare, method: 'initialize', params: { clientInfo: { name: 'x' } } },
      {},
      { revision: '2025-11-25', clientName: 'x' },
    ],
    [
      'whose name is not ASCII',
      call({ name: 'تقرير' }, 'tools/call'),
      { ...modern, method: 'tools/call', name: '=?base64?2KrZgtix2YrYsQ==?=' },
      { kind: 'request' },
    ],
  ])('%s is taken', (_, body, headers, expected) => {
    expect(readMessage(body, { ...noHeaders, ...headers })).toMatchObject(expected)
  })

  it.each<[string, unknown, Partial<MessageHeaders>, number]>([
    ['a batch', [bare], {}, -32_600],
    ['a text', 'tools/list', {}, -32_600],
    ['null', null, {}, -32_600],
    ['another version of JSON-RPC', { ...bare, jsonrpc: '1.0' }, {}, -32_600],
    ['no method', { jsonrpc: '2.0', id: 1 }, {}, -32_600],
    ['an answer', { jsonrpc: '2.0', id: 1, result: {} }, {}, -32_600],
    ['null as id', { ...bare, id: null }, {}, -32_600],
    ['a fraction as id', { ...bare, id: 1.5 }, {}, -32_600],
    ['a long id', { ...bare, id: 'x'.repeat(2_000) }, {}, -32_600],
    ['a list of params', { ...bare, params: [] }, {}, -32_600],
    ['an unknown version', bare, { version: '2020-01-01' }, -32_600],
    ['a later header without _meta', bare, modern, -32_602],
    [
      '_meta without capabilities',
      call({ _meta: { [metaKeys.version]: '2026-07-28' } }),
      modern,
      -32_602,
    ],
    [
      'a version that is no text',
      call({ _meta: { ...modernMeta, [metaKeys.version]: 7 } }),
      {},
      -32_602,
    ],
    [
      'a client without a name',
      call({ _meta: { ...modernMeta, [metaKeys.client]: {} } }),
      modern,
      -32_602,
    ],
    [
      'a later version',
      call({ _meta: { ...modernMeta, [metaKeys.version]: '2027-07-28' } }),
      {},
      -32_022,
    ],
    [
      'an earlier version in _meta',
      call({ _meta: { ...modernMeta, [metaKeys.version]: '2025-11-25' } }),
      {},
      -32_022,
    ],
    ['no header for the version', list, { ...modern, version: undefined }, -32_020],
    ['another version in the header', list, { ...modern, version: '2025-11-25' }, -32_020],
    ['no header for the method', list, { ...modern, method: undefined }, -32_020],
    ['another method in the header', list, { ...modern, method: 'tools/call' }, -32_020],
    [
      'no header for the name',
      call({ name: 'a' }, 'tools/call'),
      { ...modern, method: 'tools/call' },
      -32_020,
    ],
    [
      'another name in the header',
      call({ name: 'a' }, 'tools/call'),
      { ...modern, method: 'tools/call', name: 'b' },
      -32_020,
    ],
    [
      'a name that is no base64',
      call({ name: 'a' }, 'tools/call'),
      { ...modern, method: 'tools/call', name: '=?base64?YQ?=' },
      -32_020,
    ],
  ])('%s is refused', (_, body, headers, code) => {
    expect(readMessage(body, { ...noHeaders, ...headers })).toMatchObject({
      kind: 'refused',
      status: 400,
      error: { code },
    })
  })
})

describe('the answer', () => {
  it('to a client of 2025-11-25', async () => {
    const { send, post } = await startAgentGateway()
    const begun = await send('initialize', { protocolVersion: '2024-11-05', capabilities: {} })
    expect(begun.body.result).toMatchObject({
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'gatehouse', version: expect.any(String) },
    })
    expect((await send('ping')).body.result).toEqual({})
    const noted = await post('{"jsonrpc":"2.0","method":"notifications/initialized"}')
    expect([noted.status, noted.text]).toEqual([202, ''])
    const unknown = await send('prompts/list')
    expect([unknown.status, unknown.body.error?.code]).toEqual([200, -32_601])
  })

  it('to a client of 2026-07-28', async () => {
    const { sendModern } = await startAgentGateway()
    const found = await sendModern('server/discover')
    const common = {
      resultType: 'complete',
      _meta: { [metaKeys.server]: { name: 'gatehouse' } },
    }
    expect(found.body.result).toMatchObject({
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {} },
      ttlMs: 0,
      cacheScope: 'private',
      ...common,
    })
    const listed = await sendModern('tools/list')
    expect(listed.body.result).toMatchObject({ ttlMs: 0, cacheScope: 'private', ...common })
    const called = await sendModern('tools/call', { name: 'sales_orders', arguments: {} })
    expect(called.body.result).toMatchObject({ content: [{ type: 'text', text: 'ok' }], ...common })
    const unknown = await sendModern('ping')
    expect([unknown.status, unknown.body.error?.code]).toEqual([404, -32_601])
  })

  it.each([
    ['no JSON', '{', 400],
    ['a key twice', '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', 400],
    ['no UTF-8', Buffer.from([0x22, 0xff, 0x22]).toString('latin1'), 400],
    ['33 levels', '['.repeat(33) + ']'.repeat(33), 400],
    ['nothing', '', 400],
    ['more than 1 MiB', `"${'x'.repeat(1024 * 1024)}"`, 413],
  ])('to %s', async (_, body, status) => {
    const { post, list: listTools } = await startAgentGateway()
    expect((await post(body)).status).toBe(status)
    expect(await listTools()).toEqual(['sales_orders'])
  })

  it('to another kind of content', async () => {
    const { post } = await startAgentGateway()
    const answer = await post('{}', { headers: { 'content-type': 'text/plain' } })
    expect(answer.status).toBe(400)
  })
})

describe('a long list', () => {
  it('can’t be asked for without end, which keeps nobody from calls', async () => {
    const { send, call } = await startAgentGateway()
    const statuses = new Set<number>()
    for (let at = 0; at < 400 && !statuses.has(429); at++)
      statuses.add((await send('tools/list')).status)
    expect([...statuses]).toEqual([200, 429])
    expect((await call('sales_orders')).content).toHaveLength(1)
  })

  it('comes in pages, each tool once', async () => {
    const endpoints = Array.from({ length: 250 }, (_, at) => ({
      path: `/orders/${at}`,
      tool: buildTool({ name: `sales_${at}` }),
    }))
    const { send } = await startAgentGateway({ endpoints })
    const names: string[] = []
    const sizes: number[] = []
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const { body } = await send('tools/list', cursor === '' ? {} : { cursor })
      const tools = body.result?.tools ?? []
      names.push(...tools.map(({ name }) => name))
      sizes.push(tools.length)
      cursor = body.result?.nextCursor
    }
    expect(sizes).toEqual([100, 100, 50])
    expect(new Set(names).size).toBe(250)
  })

  it('ends a page before it has more than 1 MiB', async () => {
    const endpoints = Array.from({ length: 5 }, (_, at) => ({
      path: `/orders/${at}`,
      tool: buildTool({ name: `sales_${at}`, description: 'x'.repeat(400_000) }),
    }))
    const { send } = await startAgentGateway({ endpoints })
    const { body } = await send('tools/list')
    expect(body.result?.tools).toHaveLength(2)
    expect(body.result?.nextCursor).toBeDefined()
  })

  it.each(['', 'x y', 7, Buffer.from('../etc').toString('base64url')])(
    'refuses the cursor %j',
    async (cursor) => {
      const { send } = await startAgentGateway()
      expect((await send('tools/list', { cursor })).body.error?.code).toBe(-32_602)
    },
  )
})
