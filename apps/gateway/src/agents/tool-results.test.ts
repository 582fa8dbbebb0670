import type { Answering } from '@gatehouse/http1/testing/open-upstream'
import { describe, expect, it } from 'vitest'
import { buildTool, startAgentGateway, textsOf } from './testing/agent-gateway.ts'
import { linkedBytesMax, resultBytesMax } from './tool-result.ts'

const says =
  (body: string | Buffer, type: string, status = '200 OK', more = ''): Answering =>
  (socket) => {
    socket.write(
      `HTTP/1.1 ${status}\r\nContent-Type: ${type}\r\n${more}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`,
    )
    socket.write(body)
  }

async function resultOf(answer: Answering, tool = buildTool(), method: 'GET' | 'POST' = 'GET') {
  const { call, post, upstream } = await startAgentGateway({
    answer,
    endpoints: [{ method, is_repeatable: false, tool }],
    api: { answer_timeout_ms: 300 },
  })
  const result = await call('sales_orders')
  return { result, text: textsOf(result), post, upstream }
}

describe('what an upstream has answered', () => {
  it('comes as it is, with the digits of its numbers, and as structured content where it is an object', async () => {
    const body = '{"total":119.00,"no":12345678901234567890,"text":"\\u0627\\n"}'
    const { post, result } = await resultOf(says(body, 'application/json'))
    expect(result.content).toEqual([{ type: 'text', text: body }])
    const { text } = await post(
      '{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"sales_orders"}}',
    )
    expect(text).toContain(`"structuredContent":${body}}`)
    expect(text).toContain('"id":"x"')
  })

  it.each<[string, Answering, object]>([
    ['a list', says('[1,2]', 'application/json'), { content: [{ type: 'text', text: '[1,2]' }] }],
    [
      'text',
      says('أهلا', 'text/plain; charset=utf-8'),
      { content: [{ type: 'text', text: 'أهلا' }] },
    ],
    [
      'no JSON after all',
      says('{', 'application/json'),
      { content: [{ type: 'text', text: '{' }] },
    ],
    [
      'an image',
      says(Buffer.from([137, 80, 0, 255]), 'image/png'),
      { content: [{ type: 'image', data: 'iVAA/w==', mimeType: 'image/png' }] },
    ],
    [
      'a file',
      says(Buffer.from([0, 1, 255]), 'application/pdf'),
      { content: [{ type: 'resource_link', mimeType: 'application/pdf', size: 3 }] },
    ],
    [
      'nothing',
      (socket) => socket.write('HTTP/1.1 204 No Content\r\n\r\n'),
      { content: [{ type: 'text', text: 'Done, with status 204 and without a body.' }] },
    ],
  ])('%s', async (_, answer, expected) => {
    const { result } = await resultOf(answer)
    expect(result).toMatchObject(expected)
    expect(result.structuredContent).toBeUndefined()
    expect(result.isError).toBeUndefined()
  })

  it.each([301, 404, 422])('%d is a tool error with its status and body', async (status) => {
    const { result, text } = await resultOf(says('{"why":"x"}', 'application/json', `${status} No`))
    expect(result.isError).toBe(true)
    expect(text).toBe(`The API answered with status ${status}.\n{"why":"x"}`)
  })

  it('is cut after 256 KiB, and the call ends there', async () => {
    const { text, result, upstream } = await resultOf((socket) => {
      socket.write(
        'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n',
      )
      const part = 'é'.repeat(32_768)
      const more = () => {
        while (!socket.destroyed && socket.write(`10000\r\n${part}\r\n`));
      }
      socket.on('drain', more)
      more()
    })
    expect(result.isError).toBeUndefined()
    expect(Buffer.byteLength(result.content[0]?.text ?? '')).toBe(resultBytesMax)
    expect(text).toContain('cut after 256 KiB')
    await expect.poll(() => upstream.sockets[0]?.destroyed).toBe(true)
  })

  it('is refused where it is binary and large, or a stream of events', async () => {
    const large = await resultOf(says(Buffer.alloc(linkedBytesMax + 1, 255), 'image/png'))
    expect(large.text).toContain('too large for a tool')
    const stream = await resultOf((socket) =>
      socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n'),
    )
    expect(stream.result.isError).toBe(true)
    expect(stream.text).toContain('stream')
  })

  it('is a tool error where a client would look for structured content in vain', async () => {
    const tool = buildTool({ answer_schema: '{"type":"object"}' })
    const fit = await resultOf(says('{"a":1}', 'application/json'), tool)
    expect(fit.result).toMatchObject({ structuredContent: { a: 1 } })
    expect(fit.result.isError).toBeUndefined()
    const unfit = await resultOf(says('plain', 'text/plain'), tool)
    expect(unfit.result.isError).toBe(true)
  })
})

describe('an answer that was lost', () => {
  const lost: [string, Answering][] = [
    ['never comes', () => {}],
    ['ends before its head', (socket) => socket.end()],
    ['is no HTTP', (socket) => socket.end('hello\r\n\r\n')],
    [
      'breaks off in the middle',
      (socket) => {
        socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 200000\r\n\r\n${'x'.repeat(70_000)}`)
        setImmediate(() => socket.resetAndDestroy())
      },
    ],
  ]

  it.each(lost)('because it %s, is said so of a submit', async (_, answer) => {
    const { result, text, upstream } = await resultOf(
      answer,
      buildTool({ effect: 'submit' }),
      'POST',
    )
    expect(result.isError).toBe(true)
    expect(text).toBe(
      'The answer was lost. It may have been carried out. Do not call this again; ask a person who can see what became of it.',
    )
    expect(upstream.requests).toHaveLength(1)
  })

  it('may be asked for again where calling it again does no harm', async () => {
    const { text } = await resultOf(
      (socket) => socket.end(),
      buildTool({ effect: 'idempotent' }),
      'POST',
    )
    expect(text).toContain('The same call again changes nothing more.')
    const read = await resultOf((socket) => socket.end())
    expect(read.text).toBe('The answer was lost. This only reads: it may be called again.')
  })

  it('names the tool to ask by, where the caller may use it', async () => {
    const endpoints = [
      {
        method: 'POST' as const,
        tool: buildTool({ name: 'sales_new', effect: 'submit', asked_by: 2 }),
      },
      { path: '/state', tool: buildTool({ name: 'sales_state' }) },
    ]
    const answer: Answering = (socket) => socket.end()
    const { call } = await startAgentGateway({ answer, endpoints })
    expect(textsOf(await call('sales_new'))).toContain(
      'ask what became of it with the tool sales_state.',
    )
    const access = [{ role_id: 2, endpoint_ids: [1] }]
    const limited = await startAgentGateway({ answer, endpoints, snapshot: { access } })
    expect(textsOf(await limited.call('sales_new'))).toContain('ask a person')
  })

  it('is no matter of a submit that did not leave', async () => {
    const { call } = await startAgentGateway({
      api: { base_url: 'http://127.0.0.1:9' },
      endpoints: [{ method: 'POST', tool: buildTool({ effect: 'submit' }) }],
    })
    const text = textsOf(await call('sales_orders'))
    expect(text).toContain('status 502')
    expect(text).not.toContain('may have been')
  })

  it('is not ruled out where the upstream failed at a submit', async () => {
    const failing = says('{}', 'application/json', '500 No')
    const { text } = await resultOf(failing, buildTool({ effect: 'submit' }), 'POST')
    expect(text).toContain('status 500. It may have been carried out.')
  })
})
