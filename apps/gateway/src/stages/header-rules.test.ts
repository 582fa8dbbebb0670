import { startRecordingUpstream } from '@gatehouse/http1/testing/recording-upstream'
import { describe, expect, it } from 'vitest'
import { buildApi, buildEndpoint, buildSnapshot } from '../testing/build-snapshot.ts'
import { RawClient } from '../testing/raw-client.ts'
import { startGateway, traceSecret } from '../testing/test-gateway.ts'
import { viaPseudonym } from '../trace/trace-signature.ts'
import type { GatewayOptions } from '../gateway.ts'

/** Who the client is, and where it came from, in the words of servers and proxies. */
const identityFields = [
  'X-Remote-User',
  'Remote-User',
  'X-Authenticated-User',
  'X-WebAuth-User',
  'X-Auth-Request-Email',
  'X-Forwarded-User',
  'X-Forwarded-Client-Cert',
  'X-MS-Client-Principal-Name',
  'X-Goog-Authenticated-User-Email',
  'X-Amzn-Oidc-Identity',
  'X-Client-IP',
  'Client-IP',
  'X-Remote-Addr',
  'X-Cluster-Client-IP',
  'X-Original-Forwarded-For',
  'X-Originating-IP',
  'True-Client-IP',
  'CF-Connecting-IP',
  'Fastly-Client-IP',
  'Client-Cert',
  'X-SSL-Client-S-DN',
  'X-Host',
  'X-Original-Host',
  'X-Original-URI',
  'X-User',
  'X-User-Id',
  'X-User-Roles',
  'X-UserId',
  'X-Username',
  'X-Consumer-ID',
  'X-Consumer-Custom-Id',
  'X-Consumer-Username',
  'X-Anonymous-Consumer',
  'X-Credential-Identifier',
  'X-Auth-User',
  'X-Auth-Email',
  'X-Authenticated-Groups',
  'X-Authenticated-UserId',
  'X-Remote-Groups',
  'Remote-Groups',
  'X-SSL-Cert',
  'X-SSL-Client-Verify',
  'SSL-Client-Subject-DN',
  'X-Client-Cert',
  'X-Client-DN',
  'X-TLS-Client-Cert',
  'X-ARR-ClientCert',
  'X-Amzn-Mtls-Clientcert',
  'X-Authentik-Username',
  'Cf-Access-Authenticated-User-Email',
  'Tailscale-User-Login',
]

/** What looks like them, and is the client's own. */
const ownFields = ['X-Auth-Token', 'X-Auth-Key', 'X-User-Agent', 'X-Username-Hint', 'X-Author']

async function exchange(
  fields: string,
  answer = '',
  options: Partial<GatewayOptions> = {},
  static_headers: { name: string; value: string }[] = [],
) {
  const upstream = await startRecordingUpstream((socket) => {
    socket.write(`HTTP/1.1 200 OK\r\n${answer}Content-Length: 0\r\n\r\n`, 'latin1')
  })
  const gateway = await startGateway(
    buildSnapshot({ apis: [buildApi({ base_url: upstream.url, static_headers })] }),
    options,
  )
  const client = new RawClient(gateway.port)
  client.send(`GET /sales/orders HTTP/1.1\r\nHost: shop.example.com\r\n${fields}\r\n`)
  const got = await client.answer()
  const sent = new Map(upstream.requests[0]?.headers)
  return { sent, got, fields: upstream.requests[0]?.headers ?? [], port: upstream.port }
}

describe('upstream', () => {
  it('gets what the client sent, in its order and spelling, values byte for byte', async () => {
    const { fields } = await exchange('X-B: 1\r\nX-A: caf\xe9\r\nCookie: a=1\r\nCookie: b=2\r\n')
    expect(fields.filter(([name]) => /^(x-[ab]|cookie)$/.test(name))).toEqual([
      ['x-b', '1'],
      ['x-a', 'caf\xe9'],
      ['cookie', 'a=1'],
      ['cookie', 'b=2'],
    ])
  })

  it('gets nothing that belongs to the client’s connection', async () => {
    const { sent } = await exchange(
      'Connection: keep-alive, X-Mine\r\nX-Mine: 1\r\nKeep-Alive: 5\r\nTE: trailers\r\nTrailer: X\r\nProxy-Authorization: Basic a\r\nProxy-Connection: close\r\n',
    )
    for (const name of [
      'x-mine',
      'keep-alive',
      'te',
      'trailer',
      'proxy-authorization',
      'proxy-connection',
    ]) {
      expect(sent.has(name), name).toBe(false)
    }
  })

  it('learns from us where the request came from, whatever the client says', async () => {
    const { sent, port } = await exchange(
      'X-Forwarded-For: 10.0.0.1\r\nX-Forwarded-Proto: https\r\nX-Forwarded-Host: evil\r\nX-Forwarded-Prefix: /x\r\nForwarded: for=10.0.0.1\r\nX-Real-IP: 10.0.0.1\r\nX-Request-Id: forged\r\nVia: 1.1 before\r\n',
    )
    expect(sent.get('host')).toBe(`127.0.0.1:${port}`)
    expect(sent.get('x-forwarded-for')).toBe('127.0.0.1')
    expect(sent.get('x-forwarded-proto')).toBe('http')
    expect(sent.get('x-forwarded-host')).toBe('shop.example.com')
    expect(sent.get('via')).toBe(`1.1 before, 1.1 ${viaPseudonym(traceSecret)}`)
    expect(sent.get('x-request-id')).not.toBe('forged')
    expect([sent.has('forwarded'), sent.has('x-real-ip'), sent.has('x-forwarded-prefix')]).toEqual([
      false,
      false,
      false,
    ])
  })

  it('learns what a trusted proxy says', async () => {
    const { sent, got } = await exchange(
      'X-Forwarded-For: 203.0.113.9\r\nX-Forwarded-Proto: https\r\nX-Forwarded-Host: shop\r\nX-Forwarded-Prefix: /x\r\nX-Request-Id: from-the-proxy\r\n',
      '',
      { trustedProxies: ['127.0.0.0/8'] },
    )
    expect(sent.get('x-forwarded-for')).toBe('203.0.113.9, 127.0.0.1')
    expect(sent.get('x-forwarded-proto')).toBe('https')
    expect(sent.get('x-forwarded-host')).toBe('shop')
    expect(sent.get('x-forwarded-prefix')).toBe('/x')
    expect(sent.get('x-request-id')).toBe('from-the-proxy')
    expect(got?.headers.get('x-request-id')).toBe('from-the-proxy')
  })

  it.each([
    ['one that each proxy adds', 'shop, inner', 'https, http', 'shop', 'https'],
    ['one that the inner proxy left as it was', 'shop', 'https', 'shop', 'https'],
    ['what the client wrote before them', 'evil, shop, inner', 'ftp, https, http', 'shop', 'https'],
  ])('learns from two trusted proxies %s', async (_, hosts, protos, host, proto) => {
    const { sent } = await exchange(
      `X-Forwarded-For: 203.0.113.9, 127.0.0.2\r\nX-Forwarded-Proto: ${protos}\r\nX-Forwarded-Host: ${hosts}\r\n`,
      '',
      { trustedProxies: ['127.0.0.0/8'] },
    )
    expect(sent.get('x-forwarded-host')).toBe(host)
    expect(sent.get('x-forwarded-proto')).toBe(proto)
  })

  it('gets nothing that came through this gateway before, by whatever way', async () => {
    const { got, fields } = await exchange(
      `Via: 1.1 relay, 1.1 ${viaPseudonym(traceSecret)}, 1.1 another\r\n`,
    )
    expect([got?.status, fields]).toEqual([508, []])
    const other = await exchange(`Via: 1.1 ${viaPseudonym('the secret of another')}\r\n`)
    expect(other.got?.status).toBe(200)
  })

  it.each([
    'X-Original-URL',
    'X-Rewrite-URL',
    'X-HTTP-Method-Override',
    'X-HTTP-Method',
    'x-method-override',
  ])('never gets %s, which could name another path or method', async (name) => {
    const { sent } = await exchange(`${name}: /admin\r\n`)
    expect(sent.size).toBeGreaterThan(0)
    expect(sent.has(name.toLowerCase())).toBe(false)
  })

  it.each(['Bearer\tT', 'Token T', 'T,x', 'Bearer T, x', 'bearer T', 'Bearer "T"'])(
    'never gets a token of ours, written as %j',
    async (spelling) => {
      for (const kind of ['ghp', 'ghs']) {
        const value = spelling.replace('T', `${kind}_${'a-B_9'.repeat(9)}abcd`)
        const { sent } = await exchange(`Authorization: ${value}\r\n`)
        expect(sent.size).toBeGreaterThan(0)
        expect(sent.has('authorization'), value).toBe(false)
      }
    },
  )

  it('never gets the cookie of the dashboard, and all others as they came', async () => {
    const { fields } = await exchange(
      'Cookie: a=1; gatehouse_download=secret; b="2"\r\nCookie: gatehouse_download=secret\r\nCookie: not_gatehouse_download=1;gatehouse_downloads=2\r\ncookie:gatehouse_download=a ;c=3; gatehouse_download=b\r\n',
    )
    expect(fields.filter(([name]) => name === 'cookie')).toEqual([
      ['cookie', 'a=1; b="2"'],
      ['cookie', 'not_gatehouse_download=1;gatehouse_downloads=2'],
      ['cookie', 'c=3'],
    ])
  })

  it.each(identityFields)('never gets %s from a client, but from a trusted proxy', async (name) => {
    const lower = name.toLowerCase()
    const { sent } = await exchange(`${name}: admin\r\n`)
    expect(sent.size).toBeGreaterThan(0)
    expect(sent.has(lower)).toBe(false)
    const trusted = await exchange(`${name}: admin\r\n`, '', { trustedProxies: ['127.0.0.0/8'] })
    expect(trusted.sent.get(lower)).toBe('admin')
    const nominated = await exchange(`${name}: admin\r\nConnection: ${name}\r\n`)
    expect([nominated.got?.status, nominated.fields]).toEqual([400, []])
  })

  it.each(ownFields)('gets %s, which says nothing of who the client is', async (name) => {
    const { sent } = await exchange(`${name}: 1\r\n`)
    expect(sent.get(name.toLowerCase())).toBe('1')
  })

  it('gets such a field from the configuration, whatever the client says', async () => {
    const { fields } = await exchange('X-User-Id: forged\r\n', '', {}, [
      { name: 'X-User-Id', value: '7' },
    ])
    expect(fields.filter(([name]) => name === 'x-user-id')).toEqual([['x-user-id', '7']])
  })

  it('never gets a trace header, valid or not', async () => {
    const { sent } = await exchange(`X-Gatehouse-Trace: a.${'0'.repeat(64)}\r\n`)
    expect(sent.has('x-gatehouse-trace')).toBe(false)
  })
})

describe('the client', () => {
  it('gets the answer’s fields but for those of its connection', async () => {
    const { got } = await exchange(
      '',
      'Connection: close, X-Hop\r\nX-Hop: 1\r\nKeep-Alive: timeout=5\r\nProxy-Authenticate: Basic\r\nX-Request-Id: theirs\r\nX-Gateway-Mock: 1\r\nSet-Cookie: a=1\r\nDate: Sat, 01 Jan 2000 00:00:00 GMT\r\nX-Text: caf\xe9\r\n',
    )
    expect(got?.status).toBe(200)
    for (const name of ['x-hop', 'keep-alive', 'proxy-authenticate', 'x-gateway-mock']) {
      expect(got?.headers.has(name), name).toBe(false)
    }
    expect(got?.headers.get('x-request-id')).not.toBe('theirs')
    expect(got?.headers.get('set-cookie')).toBe('a=1')
    expect(got?.headers.get('date')).toBe('Sat, 01 Jan 2000 00:00:00 GMT')
    expect(got?.headers.get('x-text')).toBe('caf\xe9')
    expect(got?.headers.get('content-length')).toBe('0')
  })

  it('gets nothing that would act on the dashboard, which may have the same host', async () => {
    const { got } = await exchange(
      '',
      'Strict-Transport-Security: max-age=1\r\nClear-Site-Data: "*"\r\nSet-Cookie: gatehouse_download=theirs; Path=/\r\nset-cookie:  gatehouse_download =x\r\nSet-Cookie: =gatehouse_download=x\r\nSet-Cookie: gatehouse_downloads=1\r\n',
    )
    expect(got?.status).toBe(200)
    expect(got?.headers.has('strict-transport-security')).toBe(false)
    expect(got?.headers.has('clear-site-data')).toBe(false)
    expect(got?.headers.get('set-cookie')).toBe('gatehouse_downloads=1')
  })

  it('gets the same of an answer that a template renders', async () => {
    const upstream = await startRecordingUpstream((socket) => {
      socket.write(
        'HTTP/1.1 200 OK\r\nSet-Cookie: gatehouse_download=x\r\nSet-Cookie: a=1\r\nClear-Site-Data: "*"\r\nContent-Length: 2\r\n\r\n{}',
      )
    })
    const gateway = await startGateway(
      buildSnapshot({
        apis: [buildApi({ base_url: upstream.url })],
        endpoints: [buildEndpoint({ custom_output: '{"status":"{{status}}"}' })],
      }),
    )
    const { headers } = await fetch(`${gateway.url}/sales/orders`)
    expect([headers.getSetCookie(), headers.has('clear-site-data')]).toEqual([['a=1'], false])
  })
})
