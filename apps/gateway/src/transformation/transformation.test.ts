import { noTransformation } from '@gatehouse/contract'
import type { EndpointTransformation } from '@gatehouse/contract'
import { noTrafficPolicy, type SnapshotApi } from '@gatehouse/contract/gateway'
import { startRecordingUpstream } from '@gatehouse/http1/testing/recording-upstream'
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { buildApi, buildEndpoint, buildSnapshot } from '../testing/build-snapshot.ts'
import type { TraceMessage } from '../messages/report-messages.ts'
import { startGateway, traceSecret } from '../testing/test-gateway.ts'
import { traceHeader, traceHeaderName } from '../trace/trace-signature.ts'
import { trafficPolicies } from '../worker-policy.ts'

interface Setting {
  answer?: string
  status?: number
  method?: 'GET' | 'POST'
  hasCache?: boolean
  /** More fields of the answer. */
  fields?: string
  credential?: SnapshotApi['credential']
}

async function start(transformation: Partial<EndpointTransformation>, setting: Setting = {}) {
  const { answer = '{}', status = 200, method = 'POST', hasCache = false } = setting
  const { credential = null, fields: more = '' } = setting
  const upstream = await startRecordingUpstream((socket) => {
    const fields = 'Content-Type: application/json\r\nX-Old: 1\r\nX-Secret: s\r\n' + more
    socket.write(
      `HTTP/1.1 ${status} OK\r\n${fields}Content-Length: ${answer.length}\r\n\r\n${answer}`,
    )
  })
  const traces: TraceMessage[] = []
  const policy = { ...noTrafficPolicy, cache: hasCache ? { max_bytes: 100_000 } : null }
  const gateway = await startGateway(
    buildSnapshot({
      apis: [buildApi({ base_url: `${upstream.url}/base`, policy, credential })],
      endpoints: [
        buildEndpoint({
          method,
          path: '/orders/{id}',
          transformation: { ...noTransformation, ...transformation },
        }),
      ],
    }),
    { compilePolicy: trafficPolicies.compile, onTrace: (trace) => traces.push(trace) },
  )
  const send = async (path = '/sales/orders/7', init: RequestInit = {}) => {
    const got = await fetch(gateway.url + path, { method, ...init })
    return { status: got.status, headers: got.headers, text: await got.text() }
  }
  const sent = () => {
    const { requestLine = '', headers = [], body = '' } = upstream.requests.at(-1) ?? {}
    return {
      line: requestLine,
      headers: new Map(headers),
      names: headers.map(([name]) => name),
      body,
    }
  }
  return { send, sent, upstream, traces }
}
const codeOf = ({ text }: { text: string }) => (JSON.parse(text) as { code?: string }).code

describe('a request', () => {
  it('headers are set, removed and renamed, in the order of the rules', async () => {
    const { send, sent } = await start({
      request_rules: [
        '# what the new version wants',
        'set header X-Kind: order {{params.id}}',
        'rename header X-Old: X-New',
        'remove header X-Debug',
      ].join('\n'),
    })
    await send('/sales/orders/7', { headers: { 'x-old': 'a', 'x-debug': '1', 'x-kind': 'b' } })
    const { headers, names } = sent()
    expect([headers.get('x-kind'), headers.get('x-new')]).toEqual(['order 7', 'a'])
    expect(names.filter((name) => /^x-(?:old|debug|kind)$/.test(name))).toEqual(['x-kind'])
  })

  it('query and path are changed, and values are escaped', async () => {
    const { send, sent } = await start({
      request_rules: [
        'path /v2/orders/{{query.of}}/{{params.id}}',
        'set query page: {{params.id}} & more',
        'remove query of',
      ].join('\n'),
    })
    await send('/sales/orders/a%20b?of=x%3Fy&keep=%2F&page=1')
    expect(sent().line).toBe(
      'POST /base/v2/orders/x%3Fy/a%20b?keep=%2F&page=a%20b%20%26%20more HTTP/1.1',
    )
  })

  it('a body is mapped by rows, and numbers stay exact', async () => {
    const rows = [
      { from: 'total', to: 'invoice.amount', custom_input: '', type: '' },
      { from: 'no', to: 'invoice.no', custom_input: '', type: '' },
      { from: 'lines[*].sku', to: 'codes[*].code', custom_input: '', type: '' },
    ]
    const { send, sent } = await start({ request_body: JSON.stringify(rows) })
    const body = '{"total":0.10,"no":12345678901234567890,"lines":[{"sku":"A"},{"sku":"B"}]}'
    await send(undefined, { body, headers: { 'content-type': 'text/plain' } })
    const { headers, body: got } = sent()
    expect(got).toBe(
      '{"invoice":{"amount":0.10,"no":12345678901234567890},"codes":[{"code":"A"},{"code":"B"}]}',
    )
    expect([headers.get('content-type'), headers.get('content-length')]).toEqual([
      'application/json; charset=utf-8',
      String(got.length),
    ])
  })

  it('a body is made by a template of body, parameters and headers', async () => {
    const { send, sent } = await start({
      request_body:
        '{"id":"{{params.id}}","by":"{{headers[\'x-till\']}}","total":"{{body.total}}"}',
    })
    await send(undefined, { body: '{"total":1E400}', headers: { 'x-till': 'ada' } })
    expect(sent().body).toBe('{"id":"7","by":"ada","total":1E400}')
  })

  it.each([
    ['a body that is no JSON', '<a/>', 400, 'client.not_json'],
    ['a body that the rows can’t read', '{"b":1}', 422, 'client.unfit'],
    ['too large a body', `{"a":"${'x'.repeat(1024 * 1024)}"}`, 413, 'client.too_large'],
  ])('%s is refused, and nothing is called', async (_name, body, status, code) => {
    const rows = [{ from: 'a', to: 'b', custom_input: '', type: '' }]
    const { send, upstream } = await start({ request_body: JSON.stringify(rows) })
    const refused = await send(undefined, { body })
    expect([refused.status, codeOf(refused)]).toEqual([status, code])
    expect(upstream.sockets).toHaveLength(0)
  })
})

describe('what was said of a body that is changed', () => {
  const body = '{"total":5}'
  const said = {
    'content-digest': 'sha-512=:b2xk:',
    'repr-digest': 'sha-256=:b2xk:',
    'content-md5': 'b2xk',
    signature: 'a=:b2xk:',
    'x-other': '1',
  }
  const overDigest = { 'signature-input': 'a=("@method" "content-digest");created=1' }

  it('is computed again, or left out', async () => {
    const { send, sent } = await start({
      request_body: JSON.stringify([{ from: 'total', to: 'sum', custom_input: '', type: '' }]),
    })
    await send(undefined, { body, headers: { ...said, ...overDigest } })
    const { headers, body: got, names } = sent()
    expect(got).toBe('{"sum":5}')
    expect(headers.get('content-digest')).toBe(
      `sha-256=:${createHash('sha256').update('{"sum":5}').digest('base64')}:`,
    )
    expect(headers.get('x-other')).toBe('1')
    expect(names.filter((name) => /signature|repr|md5/.test(name))).toEqual([])
    await send(undefined, { body })
    expect(sent().headers.has('content-digest')).toBe(false)
    await send(undefined, { body, headers: { ...said, 'signature-input': 'a=("@method")' } })
    expect(sent().headers.get('signature')).toBe(said.signature)
  })

  it('goes on where the body stays', async () => {
    const { send, sent } = await start({ request_rules: 'set header X-Kind: order' })
    const headers = { ...said, ...overDigest }
    await send(undefined, { body, headers })
    expect(Object.fromEntries(sent().headers)).toMatchObject(headers)
  })
})

describe('a signature', () => {
  const body = '{"total":5}'
  const rows = JSON.stringify([{ from: 'total', to: 'sum', custom_input: '', type: '' }])
  const covering = (components: string) => ({
    'signature-input': `a=(${components});created=1;keyid="x-kind"`,
    signature: 'a=:b2xk:',
    'x-kind': 'order',
  })
  const signed = (names: string[]) => names.filter((name) => name.startsWith('signature'))

  it.each([
    ['"content-type"', { request_body: rows }],
    ['"@method" "content-length"', { request_body: rows }],
    ['"content-type";sf "date"', { request_body: rows }],
    ['"X-Kind"', { request_rules: 'set header X-Kind: other' }],
    ['"x-kind"', { request_rules: 'rename header X-Kind: X-Other' }],
    ['"@path"', { request_rules: 'path /other' }],
    ['"@query-param";name="page"', { request_rules: 'set query page: 1' }],
  ])('over %s is left out where %j changes that', async (components, transformation) => {
    const { send, sent } = await start(transformation)
    await send(undefined, { body, headers: covering(components) })
    expect(signed(sent().names)).toEqual([])
  })

  it.each([
    ['"@method" "x-kind"', { request_body: rows }],
    ['"content-type" "content-length"', { request_rules: 'set query page: 1' }],
    ['"@path"', { request_rules: 'set header X-Other: 1\nremove query page' }],
  ])('over %s stays where %j leaves that as it was', async (components, transformation) => {
    const { send, sent } = await start(transformation)
    await send(undefined, { body, headers: covering(components) })
    expect(signed(sent().names).toSorted()).toEqual(['signature', 'signature-input'])
  })

  it('beside one that is left out goes on, and a text of its parameters covers nothing', async () => {
    const { send, sent } = await start({ request_rules: 'set header X-Kind: other' })
    const headers = {
      'signature-input': 'a=("x-kind"), b=("@method");keyid="\\"x-kind\\",(", c=();tag="x-kind"',
      signature: 'a=:b2xk:, b=:Ym9sZA==:, c=:Y29sZA==:',
    }
    await send(undefined, { body, headers })
    expect(sent().headers.get('signature')).toBe('b=:Ym9sZA==:, c=:Y29sZA==:')
    expect(sent().headers.get('signature-input')).toBe(
      'b=("@method");keyid="\\"x-kind\\",(", c=();tag="x-kind"',
    )
  })

  it('that a rule sets goes on', async () => {
    const { send, sent } = await start({
      request_rules: 'set header X-Kind: other\nset header Signature: {{headers.x-kind}}',
    })
    await send(undefined, { body, headers: covering('"x-kind"') })
    expect(sent().headers.get('signature')).toBe('order')
  })

  it('of an answer is left out where a header that it covers is changed', async () => {
    const fields = (name: string) =>
      `Signature-Input: a=("${name}");created=1\r\nSignature: a=:b2xk:\r\n`
    const rules = { answer_rules: 'set header X-Old: 2' }
    for (const [name, kept] of [
      ['x-old', null],
      ['content-type', 'a=:b2xk:'],
    ] as const) {
      const { send } = await start(rules, { fields: fields(name) })
      expect((await send()).headers.get('signature')).toBe(kept)
    }
  })
})

describe('a hostile request', () => {
  it.each([
    ['/sales/orders/..%252f..', 200, '/base/v2/..%252f../x'],
    ['/sales/orders/%252e%252e', 200, '/base/v2/%252e%252e/x'],
  ])('%s stays below the base URL', async (path, status, expected) => {
    const { send, sent } = await start({ request_rules: 'path /v2/{{params.id}}/x' })
    expect((await send(path)).status).toBe(status)
    expect(sent().line).toBe(`POST ${expected} HTTP/1.1`)
  })

  it.each(['..', '.', 'a/b', '../../admin', '//evil.example.com', 'a\\b', '\u0000', ''])(
    'a value %j can’t lead elsewhere',
    async (value) => {
      const { send, upstream } = await start({ request_rules: 'path /v2/{{query.to}}/x' })
      const refused = await send(`/sales/orders/7?to=${encodeURIComponent(value)}`)
      expect([refused.status, codeOf(refused)]).toEqual([400, 'client.target'])
      expect(upstream.sockets).toHaveLength(0)
    },
  )

  it.each(['a\r\nX-Admin: 1', 'a\nb', 'a\u0000', '\u{1f600}'])(
    'a value %j can’t become a header of its own',
    async (value) => {
      const { send, upstream } = await start({ request_rules: 'set header X-Kind: {{body.kind}}' })
      const refused = await send(undefined, { body: JSON.stringify({ kind: value }) })
      expect([refused.status, codeOf(refused)]).toEqual([422, 'client.unfit'])
      expect(upstream.sockets).toHaveLength(0)
    },
  )

  it.each([
    'set header Host: evil.example.com',
    'set header Content-Length: 1',
    'remove header Content-Length',
    'set header Transfer-Encoding: chunked',
    'rename header X-A: Connection',
    'set header Via: 1.1 a',
    'set header X-Forwarded-For: 10.0.0.1',
    'set header Authorization: Bearer a',
    'set header X_Kind: a',
    'rename header X-A: X-Original-URL',
    'set header X-HTTP-Method-Override: {{query.m}}',
    'path https://evil.example.com/',
    'path //evil.example.com',
    'path /a?b',
  ])('the rule “%s” is not carried out, and the endpoint is refused', async (rule) => {
    const { send, upstream } = await start({ request_rules: rule })
    const refused = await send()
    expect(refused.status).toBeGreaterThanOrEqual(400)
    expect(upstream.sockets).toHaveLength(0)
  })
})

describe('an answer', () => {
  it('headers are set, removed and renamed', async () => {
    const { send } = await start({
      answer_rules:
        'set header X-Was: {{status}}\nremove header X-Secret\nrename header X-Old: X-New',
    })
    const { headers, text } = await send()
    const got = ['x-was', 'x-new', 'x-secret', 'x-old'].map((name) => headers.get(name))
    expect([got, text]).toEqual([['200', '1', null, null], '{}'])
  })

  it('its body is mapped, with exact numbers', async () => {
    const rows = [{ from: 'data.total', to: 'total', custom_input: '', type: '' }]
    const { send } = await start(
      { answer_body: JSON.stringify(rows), answer_rules: 'set header X-Kind: mapped' },
      { answer: '{"data":{"total":0.10,"no":1}}' },
    )
    const { headers, text } = await send()
    expect([headers.get('x-kind'), text]).toEqual(['mapped', '{"total":0.10}'])
  })

  it('a digest and a signature of its body are left out where that is changed', async () => {
    const rows = [{ from: 'a', to: 'b', custom_input: '', type: '' }]
    const fields = 'Content-Digest: sha-256=:b2xk:\r\nSignature: a=:b2xk:\r\nX-Kept: 1\r\n'
    const { send } = await start(
      { answer_body: JSON.stringify(rows) },
      { answer: '{"a":1}', fields },
    )
    const { headers, text } = await send()
    expect(text).toBe('{"b":1}')
    const names = ['content-digest', 'signature', 'x-kept']
    expect(names.filter((name) => headers.has(name))).toEqual(['x-kept'])
  })

  it('one of another status than 2xx stays as it is', async () => {
    const { send } = await start({ answer_body: '{"a":"{{body.b}}"}' }, { status: 404 })
    expect(await send()).toMatchObject({ status: 404, text: '{}' })
  })

  it('one that can’t be mapped is a 502', async () => {
    const rows = [{ from: 'missing', to: 'a', custom_input: '', type: '' }]
    const { send } = await start({ answer_body: JSON.stringify(rows) })
    const refused = await send()
    expect([refused.status, codeOf(refused)]).toEqual([502, 'upstream.unmapped'])
  })

  it('of an endpoint that changes it is never kept by the cache', async () => {
    const { send, upstream } = await start(
      { answer_rules: 'remove header X-Secret' },
      { method: 'GET', hasCache: true },
    )
    await send()
    expect((await send()).headers.get('x-secret')).toBeNull()
    expect(upstream.requests).toHaveLength(2)
  })
})

describe('a trace', () => {
  const tried = { headers: { [traceHeaderName]: traceHeader(traceSecret, 'e1_t1') } }
  const lastStage = (traces: TraceMessage[]) => traces[0]?.stages.at(-1)

  it('counts the bytes of the body as it was sent, where that was changed and where not', async () => {
    const { send, sent, traces } = await start({ request_body: '{"a":"{{body.b}}"}' })
    await send(undefined, { ...tried, body: '{"b":  "a longer body"}' })
    expect(sent().body).toBe('{"a":"a longer body"}')
    expect(lastStage(traces)?.details).toMatchObject({
      request: { body_bytes: sent().body.length },
    })
    const plain = await start({ request_rules: 'set header X-Kind: a' })
    await plain.send(undefined, { ...tried, body: '{"b": 1}' })
    expect(lastStage(plain.traces)?.details).toMatchObject({ request: { body_bytes: 8 } })
    await plain.send(undefined, tried)
    expect(plain.traces[1]?.stages.at(-1)?.details).toMatchObject({ request: { body_bytes: 0 } })
  })

  it('shows headers and body of the answer before and after, behind the call, with secrets masked', async () => {
    const rows = [{ from: 'a', to: 'b', custom_input: '', type: '' }]
    const { send, traces } = await start(
      {
        answer_rules: 'rename header X-Old: X-New\nset header X-Api-Token: {{headers.x-secret}}',
        answer_body: JSON.stringify(rows),
      },
      { answer: '{"a":0.10}' },
    )
    expect((await send(undefined, tried)).text).toBe('{"b":0.10}')
    const stage = lastStage(traces)
    expect(stage).toMatchObject({
      name: 'transform_answer',
      verdict: 'passed',
      details: { before: { body: '{"a":0.10}' }, after: { body: '{"b":0.10}' } },
    })
    const details = stage?.details as Record<string, { headers: [string, string][] }> | undefined
    expect(new Map(details?.['before']?.headers).has('x-new')).toBe(false)
    expect(new Map(details?.['after']?.headers).get('x-new')).toBe('1')
    expect(JSON.stringify(details?.['after'])).toContain('••••')
    expect(traces[0]?.stages.at(-2)?.name).toBe('forward')
  })

  it('shows nothing of the credential of the API that the upstream sends back', async () => {
    const token = 'a-token-of-the-upstream'
    const rows = [{ from: 'seen', to: 'b', custom_input: '', type: '' }]
    const { send, traces } = await start(
      {
        answer_rules: 'set header X-Seen: Bearer {{headers.x-echo}}',
        answer_body: JSON.stringify(rows),
      },
      {
        answer: JSON.stringify({ seen: `Bearer ${token}` }),
        fields: `X-Echo: ${token}\r\n`,
        credential: { kind: 'bearer', scheme: 'Bearer', token, refused_when: null },
      },
    )
    expect((await send(undefined, tried)).text).toContain(token)
    const details = JSON.stringify(lastStage(traces)?.details)
    expect(details).toContain('••••')
    expect(details).not.toContain(token)
  })

  it('shows headers alone where the body stays, and nothing where no rule is about answers', async () => {
    const { send, traces } = await start({ answer_rules: 'remove header X-Secret' })
    await send(undefined, tried)
    expect(lastStage(traces)?.details).toMatchObject({
      before: { body: null },
      after: { body: null },
    })
    const plain = await start({ request_rules: 'set header X-Kind: a' })
    await plain.send(undefined, tried)
    expect(lastStage(plain.traces)?.name).toBe('forward')
  })
})
