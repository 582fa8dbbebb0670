import { startRecordingUpstream } from '@gatehouse/http1/testing/recording-upstream'
import { describe, expect, it } from 'vitest'
import { buildApi, buildEndpoint, buildSnapshot } from '../testing/build-snapshot.ts'
import { startGateway } from '../testing/test-gateway.ts'
import { gzipSync } from 'node:zlib'

async function start(output: string, answer: string | Buffer = '{}', fields = '') {
  const upstream = await startRecordingUpstream((socket) => {
    socket.write(
      `HTTP/1.1 201 Created\r\nX-Kind: y\r\n${fields}Content-Length: ${answer.length}\r\n\r\n`,
    )
    socket.write(answer)
  })
  const gateway = await startGateway(
    buildSnapshot({
      apis: [buildApi({ base_url: upstream.url })],
      endpoints: [buildEndpoint({ path: '/orders/{id}', custom_output: output })],
    }),
  )
  const send = async (path = '/sales/orders/7', init: RequestInit = {}) => {
    const got = await fetch(gateway.url + path, init)
    return { status: got.status, headers: got.headers, text: await got.text() }
  }
  return { upstream, send }
}

describe('a fixed reply', () => {
  it.each([
    ['{"a":1}', 'application/json; charset=utf-8'],
    ['<script>alert(1)</script>', 'text/plain; charset=utf-8'],
    ['Grüße {{', 'text/plain; charset=utf-8'],
  ])('%s is answered without a call', async (output, contentType) => {
    const { upstream, send } = await start(output)
    const answer = await send()
    expect([answer.status, answer.text]).toEqual([200, output])
    expect(answer.headers.get('content-type')).toBe(contentType)
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('x-gateway-mock')).toBe('1')
    expect(upstream.sockets).toHaveLength(0)
    const head = await send(undefined, { method: 'HEAD' })
    expect([head.text, head.headers.get('content-length')]).toEqual([
      '',
      String(Buffer.byteLength(output)),
    ])
  })
})

describe('a template', () => {
  const body =
    '{"id":12345678901234567890,"price":0.10,"name":"a\\"b\\n","tags":["x","y"],"none":null}'

  it.each([
    ['{"id":"{{body.id}}"}', '{"id":12345678901234567890}'],
    ['{"p":"{{ body.price }} EUR"}', '{"p":"0.10 EUR"}'],
    ['{"n":"<{{body.name}}>"}', '{"n":"<a\\"b\\n>"}'],
    ['{"t":"{{body.tags}}","all":"{{body.tags[*]}}"}', '{"t":["x","y"],"all":["x","y"]}'],
    ['{"id": {{body.id}}, "s": {{status}}}', '{"id": 12345678901234567890, "s": 201}'],
    [
      '{"m":"{{body.missing}}","none":"{{body.none}}","t":"-{{body.missing}}-"}',
      '{"m":null,"none":null,"t":"--"}',
    ],
    [
      '{"q":"{{query.a}}","p":"{{params.id}}","h":"{{headers[\'x-kind\']}}"}',
      '{"q":["1","2"],"p":"7 8","h":"y"}',
    ],
    ['{"h":"{{headers[\\"x-kind\\"]}}"}', '{"h":"y"}'],
    ['"{{body}}"', body],
    ['Order {{body.id}} is {{body.name}}', 'Order 12345678901234567890 is a"b\n'],
  ])('%s', async (output, expected) => {
    const { send } = await start(output, body)
    const answer = await send('/sales/orders/7%208?a=1&a=2')
    expect([answer.status, answer.text]).toEqual([201, expected])
    expect(answer.headers.get('content-type')).toBe(
      output.startsWith('Order') ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8',
    )
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('x-kind')).toBe('y')
  })

  it('reads a compressed answer, and asks for none', async () => {
    const { send, upstream } = await start(
      '{"id":"{{body.id}}"}',
      gzipSync(body),
      'Content-Encoding: gzip\r\n',
    )
    const answer = await send()
    expect(answer.text).toBe('{"id":12345678901234567890}')
    expect(answer.headers.get('content-encoding')).toBeNull()
    expect(upstream.requests[0]?.headers.filter(([name]) => name === 'accept-encoding')).toEqual([
      ['accept-encoding', 'identity'],
    ])
  })

  it('takes an answer that is not JSON as text, and refuses to look into it', async () => {
    const whole = await start('{"b":"{{body}}"}', '<html>')
    expect((await whole.send()).text).toBe('{"b":"<html>"}')
    const inside = await start('{"b":"{{body.a}}"}', '<html>')
    const answer = await inside.send()
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([
      502,
      { code: 'upstream.not_json' },
    ])
  })

  it('reads own keys only', async () => {
    const { send } = await start(
      '{"a":"{{body.constructor}}","b":"{{body.__proto__}}"}',
      '{"__proto__":1}',
    )
    expect((await send()).text).toBe('{"a":null,"b":1}')
  })

  it.each(['{"a":"{{secret.token}}"}', '{{body..a}}', '{{}}', '{{body[?(@.a)]}}'])(
    '%s can’t be used, and nothing is called',
    async (output) => {
      const { send, upstream } = await start(output)
      const answer = await send()
      expect([answer.status, JSON.parse(answer.text)]).toMatchObject([
        500,
        { code: 'config.custom_output' },
      ])
      expect(upstream.sockets).toHaveLength(0)
    },
  )

  it('of more than it may read or make is a 502', async () => {
    const large = await start('{"b":"{{body}}"}', `"${'x'.repeat(6_000_000)}"`)
    expect((await large.send()).status).toBe(502)
    const many = await start('{{body}}'.repeat(20), `"${'x'.repeat(1_000_000)}"`)
    expect(JSON.parse((await many.send()).text)).toMatchObject({ code: 'upstream.too_large' })
  })
})
