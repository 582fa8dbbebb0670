import { testedServer } from './test-gateway.ts'

/**
 * Requests that two readers of HTTP could understand differently. Each is sent unchanged, with a
 * second request right behind it. Sources: RFC 9112 §2.2, §3.2, §5, §6, §7, §11.2; the published
 * work on request smuggling (CL.TE, TE.CL, TE.TE, CL.0, TE.0, chunk extensions); SECURITY notes on Node's parser.
 */
interface SmugglingCase {
  name: string
  /** Without `Host`, which is added behind the request line unless `isWhole`. */
  text: string
  /** The code it is refused with; undefined: it is fine, and reaches the upstream as one request. */
  code?: string
}

const get = (fields: string, path = '/sales/orders') =>
  `GET ${path} HTTP/1.1\r\nHost: a\r\n${fields}\r\n`
const post = (fields: string, body: string) =>
  `POST /sales/orders HTTP/1.1\r\nHost: a\r\n${fields}\r\n${body}`

const malformed = 'client.malformed'
/** Node's parser calls more of them malformed. */
const own = (code: string, ofNode: string) => (testedServer === 'node' ? ofNode : code)
const length = 'client.length'
const target = 'client.target'
const host = 'client.host'
const connection = 'client.connection'

const chunked = 'Transfer-Encoding: chunked\r\n'
const chunks = '3\r\nabc\r\n0\r\n\r\n'

const lengths: SmugglingCase[] = [
  { name: 'CL.TE', text: post(`Content-Length: 6\r\n${chunked}`, '0\r\n\r\nG'), code: malformed },
  { name: 'TE.CL', text: post(`${chunked}Content-Length: 4\r\n`, chunks), code: malformed },
  {
    name: 'two equal lengths',
    text: post('Content-Length: 3\r\nContent-Length: 3\r\n', 'abc'),
    code: malformed,
  },
  {
    name: 'two lengths',
    text: post('Content-Length: 3\r\nContent-Length: 4\r\n', 'abcd'),
    code: malformed,
  },
  { name: 'a list of lengths', text: post('Content-Length: 3, 3\r\n', 'abc'), code: malformed },
  { name: 'a length with a sign', text: post('Content-Length: +3\r\n', 'abc'), code: malformed },
  { name: 'a negative length', text: post('Content-Length: -3\r\n', 'abc'), code: malformed },
  {
    name: 'a length in hexadecimal',
    text: post('Content-Length: 0x3\r\n', 'abc'),
    code: malformed,
  },
  {
    name: 'a length with a fraction',
    text: post('Content-Length: 3.0\r\n', 'abc'),
    code: malformed,
  },
  {
    name: 'a length with a leading zero',
    text: post('Content-Length: 03\r\n', 'abc'),
    code: own(malformed, length),
  },
  {
    name: 'two types',
    text: post('Content-Length: 3\r\nContent-Type: a/b\r\nContent-Type: a/b\r\n', 'abc'),
    code: 'client.content_type',
  },
  {
    name: 'a length with an exponent',
    text: post('Content-Length: 3e0\r\n', 'abc'),
    code: malformed,
  },
  {
    name: 'a length with a blank inside',
    text: post('Content-Length: 3 3\r\n', 'abc'),
    code: malformed,
  },
  { name: 'an empty length', text: post('Content-Length:\r\n', ''), code: malformed },
  {
    name: 'a length beyond 64 bits',
    text: post('Content-Length: 99999999999999999999\r\n', 'abc'),
    code: malformed,
  },
  {
    name: 'a length beyond 15 digits',
    text: post('Content-Length: 1000000000000003\r\n', 'abc'),
    code: length,
  },
  {
    name: 'a length in other digits',
    text: post('Content-Length: \xb2\r\n', 'abc'),
    code: malformed,
  },
  {
    name: 'a blank before the colon of the length',
    text: post('Content-Length : 3\r\n', 'abc'),
    code: malformed,
  },
  {
    name: 'a tab before the colon of the length',
    text: post('Content-Length\t: 3\r\n', 'abc'),
    code: malformed,
  },
  { name: 'a length behind NUL', text: post('\0Content-Length: 3\r\n', 'abc'), code: malformed },
  {
    name: 'a length with an underscore',
    text: post('Content_Length: 3\r\n', ''),
    code: 'client.header_name',
  },
]

const encodings: SmugglingCase[] = [
  ...[
    'gzip',
    'identity',
    'chunked, identity',
    'identity, chunked',
    'gzip, chunked',
    'chunked, chunked',
    'xchunked',
    'chunkedx',
    '"chunked"',
    'chunked;q=1',
    'cow',
    'chunked, cow',
  ].map((value) => ({
    name: `Transfer-Encoding: ${value}`,
    text: post(`Transfer-Encoding: ${value}\r\n`, chunks),
    code: 'either',
  })),
  { name: 'an empty Transfer-Encoding', text: post('Transfer-Encoding:\r\n', ''), code: 'either' },
  { name: 'Transfer-Encoding twice', text: post(`${chunked}${chunked}`, chunks), code: 'either' },
  {
    name: 'Transfer-Encoding twice, once identity',
    text: post(`${chunked}Transfer-Encoding: identity\r\n`, chunks),
    code: 'either',
  },
  {
    name: 'Transfer-Encoding behind a vertical tab',
    text: post('Transfer-Encoding: \x0bchunked\r\n', chunks),
    code: malformed,
  },
  {
    name: 'Transfer-Encoding before NUL',
    text: post('Transfer-Encoding: chunked\0\r\n', chunks),
    code: malformed,
  },
  {
    name: 'a blank before the colon of Transfer-Encoding',
    text: post('Transfer-Encoding : chunked\r\n', chunks),
    code: malformed,
  },
  {
    name: 'Transfer-Encoding on a folded line',
    text: post('Transfer-Encoding:\r\n chunked\r\n', chunks),
    code: malformed,
  },
  {
    name: 'Transfer_Encoding',
    text: post('Transfer_Encoding: chunked\r\n', ''),
    code: 'client.header_name',
  },
  {
    name: 'Transfer-Encoding in HTTP/1.0',
    text: `POST /sales/orders HTTP/1.0\r\nHost: a\r\n${chunked}\r\n${chunks}`,
    code: 'either',
  },
  { name: 'Transfer-Encoding on GET', text: get(chunked) + chunks },
  { name: 'CHUNKED', text: post('transfer-encoding: CHUNKED\r\n', chunks) },
]

const chunking: SmugglingCase[] = [
  ...[
    ['a chunk size with 0x', '0x3\r\nabc\r\n0\r\n\r\n'],
    ['a negative chunk size', '-3\r\nabc\r\n0\r\n\r\n'],
    ['a chunk size with a sign', '+3\r\nabc\r\n0\r\n\r\n'],
    ['a blank before the chunk size', ' 3\r\nabc\r\n0\r\n\r\n'],
    ['no chunk size', '\r\nabc\r\n0\r\n\r\n'],
    ['a chunk size beyond 64 bits', 'fffffffffffffffff\r\nabc\r\n0\r\n\r\n'],
    ['a chunk size ended by LF', '3\nabc\r\n0\r\n\r\n'],
    ['a chunk size ended by CR', '3\rabc\r\n0\r\n\r\n'],
    ['a chunk longer than its size', '3\r\nabcd\r\n0\r\n\r\n'],
    ['a chunk ended by LF', '3\r\nabc\n0\r\n\r\n'],
    ['a chunk without an end', '3\r\nabc0\r\n\r\n'],
    ['a chunk extension ended by LF', '3;x\nabc\r\n0\r\n\r\n'],
    ['a chunk extension with a bare CR', '3;x\ry\r\nabc\r\n0\r\n\r\n'],
    ['a chunk extension with NUL', '3;x\0\r\nabc\r\n0\r\n\r\n'],
    ['a last chunk ended by LF', '3\r\nabc\r\n0\n\r\n'],
    ['a trailer that is no field', '3\r\nabc\r\n0\r\nno field\r\n\r\n'],
  ].map(([name = '', body = '']) => ({ name, text: post(chunked, body), code: malformed })),
  { name: 'a chunk extension', text: post(chunked, '3;name=value\r\nabc\r\n0\r\n\r\n') },
  { name: 'leading zeros of a chunk size', text: post(chunked, '003\r\nabc\r\n0\r\n\r\n') },
  { name: 'a trailer', text: post(chunked, '3\r\nabc\r\n0\r\nX-Late: 1\r\n\r\n') },
]

const lines: SmugglingCase[] = [
  {
    name: 'a header ended by LF',
    text: 'GET /sales/orders HTTP/1.1\r\nHost: a\nX: 1\r\n\r\n',
    code: malformed,
  },
  {
    name: 'a header ended by CR',
    text: 'GET /sales/orders HTTP/1.1\r\nHost: a\rX: 1\r\n\r\n',
    code: malformed,
  },
  {
    name: 'a request line ended by LF',
    text: 'GET /sales/orders HTTP/1.1\nHost: a\r\n\r\n',
    code: malformed,
  },
  {
    name: 'a head ended by LF LF',
    text: 'GET /sales/orders HTTP/1.1\r\nHost: a\n\n',
    code: malformed,
  },
  { name: 'a bare CR in a value', text: get('X: 1\r2\r\n'), code: malformed },
  { name: 'NUL in a value', text: get('X: 1\x002\r\n'), code: malformed },
  { name: 'DEL in a value', text: get('X: 1\x7f2\r\n'), code: malformed },
  { name: 'a control character in a value', text: get('X: 1\x012\r\n'), code: malformed },
  { name: 'a folded header (obs-fold)', text: get('X: 1\r\n 2\r\n'), code: malformed },
  { name: 'a folded header by tab', text: get('X: 1\r\n\t2\r\n'), code: malformed },
  {
    name: 'a folded first header',
    text: 'GET /sales/orders HTTP/1.1\r\n Host: a\r\n\r\n',
    code: malformed,
  },
  { name: 'a header without a colon', text: get('NoColon\r\n'), code: malformed },
  { name: 'a header without a name', text: get(': value\r\n'), code: malformed },
  { name: 'a blank in a name', text: get('X Y: 1\r\n'), code: malformed },
  { name: 'a blank before the colon', text: get('X : 1\r\n'), code: malformed },
  { name: 'NUL in a name', text: get('X\0Y: 1\r\n'), code: malformed },
  { name: 'a high byte in a name', text: get('X\xe9: 1\r\n'), code: malformed },
  {
    name: 'an underscore in a name',
    text: get('X_Forwarded_For: 1.2.3.4\r\n'),
    code: 'client.header_name',
  },
  {
    name: 'headers beyond 16 KiB',
    text: get(`X: ${'x'.repeat(17_000)}\r\n`),
    code: 'client.headers_too_large',
  },
  {
    name: 'a target beyond 16 KiB',
    text: get('', `/sales/orders?${'x'.repeat(17_000)}`),
    code: own('client.target_too_long', 'client.headers_too_large'),
  },
  {
    name: 'many headers beyond 16 KiB',
    text: get('A: 1\r\n'.repeat(4_000)),
    code: 'client.headers_too_large',
  },
  { name: 'no version', text: 'GET /sales/orders\r\nHost: a\r\n\r\n', code: malformed },
  {
    name: 'HTTP/2.0',
    text: 'GET /sales/orders HTTP/2.0\r\nHost: a\r\n\r\n',
    code: own('client.version', malformed),
  },
  {
    name: 'the preface of HTTP/2',
    text: 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    code: own('client.version', malformed),
  },
  { name: 'HTTP/1.11', text: 'GET /sales/orders HTTP/1.11\r\nHost: a\r\n\r\n', code: malformed },
  { name: 'http/1.1', text: 'GET /sales/orders http/1.1\r\nHost: a\r\n\r\n', code: malformed },
  {
    name: 'an unknown method',
    text: 'GOT /sales/orders HTTP/1.1\r\nHost: a\r\n\r\n',
    code: own('client.unknown_method', malformed),
  },
  {
    name: 'a method in lower case',
    text: 'get /sales/orders HTTP/1.1\r\nHost: a\r\n\r\n',
    code: own('client.unknown_method', malformed),
  },
  {
    // RFC 9112 §3 lets a reader pass over them, as Node's does. What goes upstream has one.
    name: 'two blanks in the request line',
    text: 'GET  /sales/orders HTTP/1.1\r\nHost: a\r\n\r\n',
    ...(testedServer === 'node' ? {} : { code: malformed }),
  },
  {
    name: 'a blank in the target',
    text: 'GET /sales/ orders HTTP/1.1\r\nHost: a\r\n\r\n',
    code: malformed,
  },
  {
    name: 'a tab in the request line',
    text: 'GET\t/sales/orders HTTP/1.1\r\nHost: a\r\n\r\n',
    code: malformed,
  },
  { name: 'TLS', text: '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', code: malformed },
]

const hosts: SmugglingCase[] = [
  { name: 'no Host', text: 'GET /sales/orders HTTP/1.1\r\n\r\n', code: host },
  { name: 'an empty Host', text: 'GET /sales/orders HTTP/1.1\r\nHost:\r\n\r\n', code: host },
  { name: 'two Hosts', text: get('Host: b\r\n'), code: host },
  { name: 'two equal Hosts', text: get('Host: a\r\n'), code: host },
  ...[
    'a/b',
    'a@b',
    'user@a',
    'a b',
    'a,b',
    'a?b',
    'a#b',
    'a\\b',
    'a:b',
    'a:80:80',
    '[::1',
    'a"b',
    '<a>',
  ].map((value) => ({
    name: `Host: ${value}`,
    text: `GET /sales/orders HTTP/1.1\r\nHost: ${value}\r\n\r\n`,
    code: host,
  })),
  { name: 'absolute-form for another host', text: get('', 'http://b/sales/orders'), code: host },
  { name: 'absolute-form with a user', text: get('', 'http://a@a/sales/orders'), code: host },
  {
    name: 'absolute-form with a port that Host lacks',
    text: get('', 'http://a:81/sales/orders'),
    code: host,
  },
  { name: 'absolute-form of another scheme', text: get('', 'ftp://a/sales/orders'), code: target },
  { name: 'absolute-form as it should be', text: get('', 'http://a/sales/orders') },
  { name: 'authority-form', text: get('', 'a:80'), code: 'either' },
  { name: 'asterisk-form', text: 'GET * HTTP/1.1\r\nHost: a\r\n\r\n', code: target },
  { name: 'CONNECT', text: 'CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n', code: target },
]

const paths: SmugglingCase[] = [
  '//sales/orders',
  '/sales//orders',
  '/sales/./orders',
  '/sales/../sales/orders',
  '/sales/%2e/orders',
  '/sales/%2e%2e/sales/orders',
  '/sales/.%2E/sales/orders',
  '/sales/..;/sales/orders',
  '/sales/..;a=b/orders',
  '/sales%2forders',
  '/sales%2Forders',
  '/sales%5corders',
  '/sales\\orders',
  '/sales/orders%00',
  '/sales/orders%0d%0aX:1',
  '/sales/orders%7f',
  '/sales/orders%zz',
  '/sales/orders%',
  '/sales/orders%c0%ae',
  '/sales/orders%ff',
  '/sales/orders#x',
  '/sales/orders?a=1#x',
  '/sales/orders"',
  '/sales/{id}',
  '/sales/orders|x',
].map((path) => ({ name: `the path ${path}`, text: get('', path), code: 'either' }))

const nominations: SmugglingCase[] = [
  ...[
    'Content-Length',
    'Host',
    'Authorization',
    'Cookie',
    'X-Forwarded-For',
    'X-Api-Key',
    'content-type',
    'close, Content-Length',
    'keep-alive,  authorization',
    'X-Forwarded-Host',
    'Via',
  ].map((value) => ({
    name: `Connection: ${value}`,
    text: post(`Connection: ${value}\r\nContent-Length: 3\r\n`, 'abc'),
    code: connection,
  })),
  {
    name: 'Connection twice, once Cookie',
    text: get('Connection: keep-alive\r\nConnection: cookie\r\n'),
    code: connection,
  },
  {
    name: 'Upgrade to WebSocket',
    text: get('Connection: Upgrade\r\nUpgrade: websocket\r\n'),
    code: 'client.upgrade',
  },
  {
    name: 'Upgrade to WebSocket where the endpoint takes none',
    text: get(
      'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n',
    ),
    code: 'client.upgrade',
  },
  {
    name: 'Upgrade to h2c',
    text: get('Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAA\r\n'),
    code: 'client.upgrade',
  },
  { name: 'Upgrade without Connection', text: get('Upgrade: h2c\r\n'), code: 'client.upgrade' },
  {
    name: 'Connection that drops a field of its own',
    text: get('Connection: X-Mine\r\nX-Mine: 1\r\n'),
  },
  {
    name: 'two Authorizations',
    text: get('Authorization: Bearer a\r\nAuthorization: Bearer b\r\n'),
    code: 'client.authorization_twice',
  },
  {
    name: 'an unknown expectation',
    text: get('Expect: miracles\r\n'),
    code: 'client.expectation',
  },
]

export const smugglingCases: readonly SmugglingCase[] = [
  ...lengths,
  ...encodings,
  ...chunking,
  ...lines,
  ...hosts,
  ...paths,
  ...nominations,
]
