/** What a server has to make of what a client sends. */
export interface RequestCase {
  name: string
  /** The sentence that asks for it; of RFC 9110 or RFC 9112 unless it says otherwise. */
  rule: string
  /**
   * Sent one after the other, each once the one before was read. `{get}` and `{post}` are targets of the server that
   * is asked, `{host}` is its Host.
   */
  send: string | readonly string[]
  /**
   * Statuses that keep the rule. `taken`: the request was understood, and nothing else came. `closed`: the connection
   * ends without an answer.
   */
  expect: readonly (number | 'taken' | 'closed')[]
  /** What has to be in the head of the answer, in lower case, or `!` and what may not. */
  head?: readonly string[]
  /** Where the rule concerns what one of the two does not do. */
  only?: 'gateway' | 'dashboard'
  /** Why the dashboard's port does not keep it. */
  leftAtDashboard?: string
}

const fields = 'Host: {host}\r\n'
const get = (more = '', target = '{get}', version = 'HTTP/1.1') =>
  `GET ${target} ${version}\r\n${fields}${more}\r\n`
const post = (more: string, body: string) =>
  `POST {post} HTTP/1.1\r\n${fields}Content-Type: application/json\r\n${more}\r\n${body}`
const chunked = 'Transfer-Encoding: chunked\r\n'
const whole = '3\r\n123\r\n0\r\n\r\n'
const bad = [400] as const
const taken = ['taken'] as const

const of = (rule: string, cases: readonly Omit<RequestCase, 'rule'>[]): RequestCase[] =>
  cases.map((each) => ({ rule, ...each }))

const requestLines = [
  ...of(
    '9112 §2.2: A recipient that receives whitespace between the start-line and the first header field MUST either reject the message as invalid or consume each whitespace-preceded line without further processing of it.',
    [
      {
        name: 'a blank before the first field',
        send: `GET {get} HTTP/1.1\r\n ${fields}\r\n`,
        expect: bad,
      },
      {
        name: 'a tab before the first field',
        send: `GET {get} HTTP/1.1\r\n\tX: 1\r\n${fields}\r\n`,
        expect: bad,
      },
    ],
  ),
  ...of(
    '9112 §2.2: a server that is expecting to receive and parse a request-line SHOULD ignore at least one empty line (CRLF) received prior to the request-line.',
    [{ name: 'an empty line before the request', send: `\r\n${get()}`, expect: taken }],
  ),
  ...of(
    '9112 §2.2: A sender MUST NOT generate a bare CR … A recipient of such a bare CR MUST consider that element to be invalid or replace each bare CR with SP.',
    [
      {
        name: 'a bare CR in the request line',
        send: `GET {get}\rHTTP/1.1\r\n${fields}\r\n`,
        expect: bad,
      },
      { name: 'a bare CR in a value', send: get('X: 1\r2\r\n'), expect: bad },
      {
        name: 'a bare CR behind a field',
        send: `GET {get} HTTP/1.1\r\nHost: {host}\rX: 1\r\n\r\n`,
        expect: bad,
      },
    ],
  ),
  ...of(
    '9112 §3: Recipients of an invalid request-line SHOULD respond with either a 400 (Bad Request) error or a 301 (Moved Permanently) redirect with the request-target properly encoded.',
    [
      { name: 'no version', send: `GET {get}\r\n${fields}\r\n`, expect: bad },
      { name: 'no target', send: `GET HTTP/1.1\r\n${fields}\r\n`, expect: bad },
      { name: 'a blank in the target', send: get('', '{get} x'), expect: bad },
      { name: 'a fragment in the target', send: get('', '{get}#x'), expect: bad },
      { name: 'a byte beyond ASCII in the target', send: get('', '{get}\xe4'), expect: bad },
      { name: 'NUL in the target', send: get('', '{get}\0'), expect: bad },
      { name: 'a version in lower case', send: get('', '{get}', 'http/1.1'), expect: bad },
      { name: 'a version of three digits', send: get('', '{get}', 'HTTP/1.11'), expect: bad },
      { name: 'a version without a minor number', send: get('', '{get}', 'HTTP/1'), expect: bad },
      { name: 'another protocol', send: get('', '{get}', 'HTTPS/1.1'), expect: bad },
      { name: 'what is no line at all', send: '123\r\n\r\n', expect: bad },
    ],
  ),
  ...of(
    '9112 §3: a server that receives a request-target longer than any URI it wishes to parse MUST respond with a 414 (URI Too Long) status code.',
    [
      {
        name: 'a target of 100 KB',
        send: get('', `{get}?${'x'.repeat(100_000)}`),
        expect: [414],
        leftAtDashboard: 'Node’s parser counts the bytes of the whole head: it is answered 431.',
      },
    ],
  ),
  ...of(
    '9112 §3: It is RECOMMENDED that all HTTP senders and recipients support, at a minimum, request-line lengths of 8000 octets.',
    [
      {
        name: 'a request line of 8,000 bytes',
        send: get('', `{get}?${'x'.repeat(7_950)}`),
        expect: taken,
      },
    ],
  ),
  ...of(
    '9112 §3: A server that receives a method longer than any that it implements SHOULD respond with a 501 (Not Implemented) status code.',
    [
      {
        name: 'a method of 50 letters',
        send: `${'A'.repeat(50)} {get} HTTP/1.1\r\n${fields}\r\n`,
        expect: [501],
      },
    ],
  ),
  ...of(
    '9110 §9.1: An origin server that receives a request method that is unrecognized or not implemented SHOULD respond with the 501 (Not Implemented) status code.',
    [
      {
        name: 'a method that is not known',
        send: `GOT {get} HTTP/1.1\r\n${fields}\r\n`,
        expect: [501],
      },
      {
        name: 'a method in lower case',
        send: `get {get} HTTP/1.1\r\n${fields}\r\n`,
        expect: [501],
      },
    ],
  ),
  ...of(
    '9110 §9.1: An origin server that receives a request method that is recognized and implemented, but not allowed for the target resource, SHOULD respond with the 405 (Method Not Allowed) status code. §10.2.1: An origin server MUST generate an Allow header field in a 405 response.',
    [
      {
        name: 'DELETE of a path that has GET alone',
        send: `DELETE {get} HTTP/1.1\r\n${fields}\r\n`,
        expect: [405],
        head: ['allow: '],
        only: 'gateway',
      },
    ],
  ),
  ...of('9110 §5.6.2: token = 1*tchar. A method is a token.', [
    { name: 'a method with a slash', send: `G/T {get} HTTP/1.1\r\n${fields}\r\n`, expect: bad },
    { name: 'a method with a colon', send: `GET: {get} HTTP/1.1\r\n${fields}\r\n`, expect: bad },
  ]),
  ...of(
    '9110 §2.5: A recipient that receives a message with a major version number that it implements and a minor version number higher than what it implements SHOULD process the message as if it was in the highest minor version within that major version to which the recipient is conformant.',
    [
      {
        name: 'HTTP/1.2',
        send: get('', '{get}', 'HTTP/1.2'),
        expect: taken,
        leftAtDashboard: 'Node’s parser takes no other minor version: it is answered 505.',
      },
    ],
  ),
  ...of(
    '9110 §15.6.6: The 505 (HTTP Version Not Supported) status code indicates that the server does not support, or refuses to support, the major version of HTTP that was used in the request message.',
    [
      { name: 'HTTP/2.0', send: get('', '{get}', 'HTTP/2.0'), expect: [505] },
      { name: 'HTTP/0.9 as a version', send: get('', '{get}', 'HTTP/0.9'), expect: [505, 400] },
      {
        name: 'the preface of HTTP/2',
        send: 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
        expect: [505, 400],
      },
    ],
  ),
  ...of(
    '9110 §9.3.6: A server MUST reject a CONNECT request that targets an empty or invalid port number, typically by responding with a 400 (Bad Request) status code.',
    [
      {
        name: 'CONNECT without a port',
        send: 'CONNECT {host} HTTP/1.1\r\nHost: {host}\r\n\r\n',
        expect: [400, 'closed'],
      },
      {
        name: 'CONNECT to a path',
        send: `CONNECT {get} HTTP/1.1\r\n${fields}\r\n`,
        expect: [400, 'closed'],
      },
    ],
  ),
]

const targets = [
  ...of(
    '9112 §3.2: A server MUST respond with a 400 (Bad Request) status code to any HTTP/1.1 request message that lacks a Host header field and to any request message that contains more than one Host header field line or a Host header field with an invalid field value.',
    [
      { name: 'no Host', send: 'GET {get} HTTP/1.1\r\n\r\n', expect: bad },
      { name: 'two Hosts', send: get('Host: b\r\n'), expect: bad },
      { name: 'two equal Hosts', send: get('Host: {host}\r\n'), expect: bad },
      { name: 'two Hosts in HTTP/1.0', send: get('Host: b\r\n', '{get}', 'HTTP/1.0'), expect: bad },
      ...[
        'a/b',
        'u@a',
        'a b',
        'a,b',
        'a?b',
        'a#b',
        'a\\b',
        'a:b',
        'a:1:2',
        '[::1',
        '<a>',
        'a"',
        'http://a',
        '\xe4',
      ].map((host) => ({
        name: `Host: ${host}`,
        send: `GET {get} HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
        expect: bad,
      })),
    ],
  ),
  ...of('9112 §3.2.2: a server MUST accept the absolute-form in requests.', [
    { name: 'absolute-form', send: get('', 'http://{host}{get}'), expect: taken },
    { name: 'absolute-form in other letters', send: get('', 'HTTP://{HOST}{get}'), expect: taken },
  ]),
  ...of(
    '9110 §7.4: a recipient needs to reject a request whose target names another authority than it serves; where Host and target differ, two readers would serve two hosts (9112 §3.2.2, §11.2).',
    [
      { name: 'absolute-form of another host', send: get('', 'http://b{get}'), expect: [400, 421] },
      {
        name: 'absolute-form with another port',
        send: get('', 'http://{host}:81{get}'),
        expect: [400, 421],
      },
      {
        name: 'absolute-form with a user',
        send: get('', 'http://u@{host}{get}'),
        expect: [400, 421],
      },
      {
        name: 'absolute-form of another scheme',
        send: get('', 'ftp://{host}{get}'),
        expect: [400, 421],
      },
      { name: 'absolute-form without a host', send: get('', 'http://{get}'), expect: [400, 421] },
    ],
  ),
  ...of('9112 §3.2.3: The authority-form of request-target is only used for CONNECT requests.', [
    { name: 'authority-form of GET', send: get('', '{host}:80'), expect: bad },
  ]),
  ...of(
    '9112 §3.2.4: The asterisk-form of request-target is only used for a server-wide OPTIONS request.',
    [
      { name: '* of GET', send: get('', '*'), expect: bad },
      {
        name: 'OPTIONS *',
        send: `OPTIONS * HTTP/1.1\r\n${fields}\r\n`,
        expect: [200, 204],
        head: ['allow: '],
        only: 'gateway',
      },
    ],
  ),
  ...of(
    '9110 §9.3.7: A server generating a successful response to OPTIONS SHOULD send any header that might indicate optional features implemented by the server and applicable to the target resource (e.g., Allow).',
    [
      {
        name: 'OPTIONS of a known path',
        send: `OPTIONS {get} HTTP/1.1\r\n${fields}\r\n`,
        expect: [204],
        head: ['allow: get, head'],
        only: 'gateway',
      },
    ],
  ),
]

const fieldLines = [
  ...of(
    '9112 §5.1: A server MUST reject, with a response status code of 400 (Bad Request), any received request message that contains whitespace between a header field name and colon.',
    [
      { name: 'a blank before a colon', send: get('X : 1\r\n'), expect: bad },
      { name: 'a tab before a colon', send: get('X\t: 1\r\n'), expect: bad },
      {
        name: 'a blank before the colon of Host',
        send: 'GET {get} HTTP/1.1\r\nHost : {host}\r\n\r\n',
        expect: bad,
      },
      {
        name: 'a blank before the colon of a length',
        send: post('Content-Length : 3\r\n', '123'),
        expect: bad,
      },
      {
        name: 'a blank before the colon of a coding',
        send: post('Transfer-Encoding : chunked\r\n', whole),
        expect: bad,
      },
    ],
  ),
  ...of(
    '9112 §5.2: A server that receives an obs-fold in a request message that is not within a "message/http" container MUST either reject the message by sending a 400 (Bad Request), preferably with a representation explaining that obsolete line folding is unacceptable, or replace each received obs-fold with one or more SP octets.',
    [
      { name: 'a folded field', send: get('X: 1\r\n 2\r\n'), expect: bad },
      { name: 'a field folded by a tab', send: get('X: 1\r\n\t2\r\n'), expect: bad },
      {
        name: 'a folded coding',
        send: post('Transfer-Encoding:\r\n chunked\r\n', whole),
        expect: bad,
      },
      { name: 'a folded length', send: post('Content-Length:\r\n 3\r\n', '123'), expect: bad },
    ],
  ),
  ...of('9110 §5.1: field-name = token.', [
    { name: 'no colon', send: get('NoColon\r\n'), expect: bad },
    { name: 'no name', send: get(': 1\r\n'), expect: bad },
    { name: 'a blank in a name', send: get('X Y: 1\r\n'), expect: bad },
    { name: 'NUL in a name', send: get('X\0Y: 1\r\n'), expect: bad },
    { name: 'a byte beyond ASCII in a name', send: get('X\xe9: 1\r\n'), expect: bad },
    { name: 'a bracket in a name', send: get('X(Y): 1\r\n'), expect: bad },
  ]),
  ...of(
    '9110 §5.5: Field values containing CR, LF, or NUL characters are invalid and dangerous … a recipient of CR, LF, or NUL within a field value MUST either reject the message or replace each of those characters with SP.',
    [
      { name: 'NUL in a value', send: get('X: 1\x002\r\n'), expect: bad },
      { name: 'LF in a value', send: get('X: 1\n2\r\n'), expect: bad },
    ],
  ),
  ...of('9110 §5.5: Field values containing other CTL characters are also invalid.', [
    { name: 'SOH in a value', send: get('X: 1\x012\r\n'), expect: [400, 'taken'] },
    { name: 'DEL in a value', send: get('X: 1\x7f2\r\n'), expect: [400, 'taken'] },
  ]),
  ...of(
    '9110 §5.5: field-vchar = VCHAR / obs-text. A value may hold them, and tabs and blanks between.',
    [
      { name: 'bytes beyond ASCII in a value', send: get('X: gr\xfc\xdfe\r\n'), expect: taken },
      { name: 'a tab in a value', send: get('X: a\tb\r\n'), expect: taken },
      { name: 'an empty value', send: get('X:\r\n'), expect: taken },
      { name: 'blanks around a value', send: get('X:  \t a \t \r\n'), expect: taken },
      { name: 'no blank before a value', send: get('X:a\r\n'), expect: taken },
    ],
  ),
  ...of(
    '9110 §5.4: A server that receives a request header field line, field value, or set of fields larger than it wishes to process MUST respond with an appropriate 4xx (Client Error) status code.',
    [
      {
        name: 'a field of 100 KB',
        send: get(`X: ${'x'.repeat(100_000)}\r\n`),
        expect: [431, 400, 413],
      },
      { name: '10,000 fields', send: get('A: 123\r\n'.repeat(10_000)), expect: [431, 400, 413] },
    ],
  ),
  ...of(
    '9110 §5.3: a sender MUST NOT generate multiple field lines with the same name in a message … unless that field is defined as a list. Content-Type is none (§8.3): readers differ in which of two they take.',
    [
      {
        name: 'two Content-Types',
        send: post('Content-Type: text/plain\r\nContent-Length: 2\r\n', '{}'),
        expect: bad,
      },
    ],
  ),
]

const lengths = [
  ...of(
    '9112 §6.3: If a message is received without Transfer-Encoding and with an invalid Content-Length header field, then the message framing is invalid and the recipient MUST treat it as an unrecoverable error … the server MUST respond with a 400 (Bad Request) status code and then close the connection.',
    [
      ...[
        '+3',
        '-3',
        '0x3',
        '3.0',
        '3e0',
        '3 3',
        '3;',
        '"3"',
        'abc',
        '\xb2',
        '99999999999999999999999',
      ].map((length) => ({
        name: `Content-Length: ${length}`,
        send: post(`Content-Length: ${length}\r\n`, '123'),
        expect: bad,
        head: ['connection: close'],
      })),
      {
        name: 'an empty length',
        send: post('Content-Length:\r\n', ''),
        expect: bad,
        head: ['connection: close'],
      },
      {
        name: 'two lengths',
        send: post('Content-Length: 3\r\nContent-Length: 4\r\n', '1234'),
        expect: bad,
      },
      {
        name: 'a list of two lengths',
        send: post('Content-Length: 3, 4\r\n', '1234'),
        expect: bad,
      },
    ],
  ),
  ...of(
    '9110 §8.6: a recipient … MUST either reject the message as invalid or replace the duplicated field values with a single valid Content-Length.',
    [
      {
        name: 'two equal lengths',
        send: post('Content-Length: 3\r\nContent-Length: 3\r\n', '123'),
        expect: bad,
      },
      {
        name: 'a list of equal lengths',
        send: post('Content-Length: 3, 3\r\n', '123'),
        expect: bad,
      },
    ],
  ),
  ...of(
    '9110 §8.6: Content-Length = 1*DIGIT. A recipient MUST anticipate potentially large decimal numerals and prevent parsing errors due to integer conversion overflows. Leading zeros are octal to some readers (9112 §11.2).',
    [
      {
        name: 'a length with a leading zero',
        send: post('Content-Length: 03\r\n', '123'),
        expect: bad,
      },
      {
        name: 'a length with many leading zeros',
        send: post('Content-Length: 0000000000000003\r\n', '123'),
        expect: bad,
      },
    ],
  ),
  ...of(
    '9112 §6.1: A server MAY reject a request that contains both Content-Length and Transfer-Encoding or process such a request in accordance with the Transfer-Encoding alone. Regardless, the server MUST close the connection after responding to such a request.',
    [
      {
        name: 'CL.TE',
        send: post(`Content-Length: 6\r\n${chunked}`, '0\r\n\r\nG'),
        expect: bad,
        head: ['connection: close'],
      },
      {
        name: 'TE.CL',
        send: post(`${chunked}Content-Length: 4\r\n`, whole),
        expect: bad,
        head: ['connection: close'],
      },
    ],
  ),
  ...of(
    '9112 §6.1: A server or client that receives an HTTP/1.0 message containing a Transfer-Encoding header field MUST treat the message as if the framing is faulty, even if a Content-Length is present, and close the connection after processing the message.',
    [
      {
        name: 'chunks in HTTP/1.0',
        send: `POST {post} HTTP/1.0\r\n${fields}${chunked}\r\n${whole}`,
        expect: bad,
        head: ['connection: close'],
      },
    ],
  ),
  ...of(
    '9112 §6.1: A server that receives a request message with a transfer coding it does not understand SHOULD respond with 501 (Not Implemented). §6.3: If a Transfer-Encoding header field is present in a request and the chunked transfer coding is not the final encoding … the server MUST respond with the 400 (Bad Request) status code and then close the connection.',
    [
      ...[
        'gzip',
        'identity',
        'cow',
        'chunked, identity',
        'chunked, chunked',
        'xchunked',
        'chunked;q=1',
        '"chunked"',
        '\x0bchunked',
      ].map((coding) => ({
        name: `Transfer-Encoding: ${JSON.stringify(coding).slice(1, -1)}`,
        send: post(`Transfer-Encoding: ${coding}\r\n`, whole),
        expect: [400, 501],
      })),
      {
        name: 'gzip, chunked',
        send: post('Transfer-Encoding: gzip, chunked\r\n', whole),
        expect: [400, 501],
      },
      {
        name: 'Transfer-Encoding twice',
        send: post(`${chunked}${chunked}`, whole),
        expect: [400, 501],
      },
      {
        name: 'chunked, then cow',
        send: post(`${chunked}Transfer-Encoding: cow\r\n`, whole),
        expect: [400, 501],
      },
      {
        name: 'an empty Transfer-Encoding',
        send: post('Transfer-Encoding:\r\n', ''),
        expect: [400, 501],
      },
    ],
  ),
  ...of('9112 §7: All transfer-coding names are case-insensitive.', [
    { name: 'CHUNKED', send: post('TRANSFER-ENCODING: CHUNKED\r\n', whole), expect: taken },
  ]),
  ...of('9112 §7.1: A recipient MUST be able to parse and decode the chunked transfer coding.', [
    { name: 'two chunks', send: post(chunked, '3\r\n123\r\n2\r\n45\r\n0\r\n\r\n'), expect: taken },
    {
      name: 'a chunk size in capitals',
      send: post(chunked, 'A\r\n1234567890\r\n0\r\n\r\n'),
      expect: taken,
    },
    {
      name: 'a chunk in parts',
      send: [post(chunked, '3'), '\r', '\n12', '3\r\n0\r\n', '\r\n'],
      expect: taken,
    },
    { name: 'no chunk but the last', send: post(chunked, '0\r\n\r\n'), expect: taken },
    { name: 'chunks of GET', send: `${get(chunked)}${whole}`, expect: taken },
    { name: 'trailers', send: post(chunked, '3\r\n123\r\n0\r\nX-Late: 1\r\n\r\n'), expect: taken },
  ]),
  ...of('9112 §7.1.1: A recipient MUST ignore unrecognized chunk extensions.', [
    { name: 'an extension', send: post(chunked, '3;a=b\r\n123\r\n0\r\n\r\n'), expect: taken },
    {
      name: 'an extension without a value',
      send: post(chunked, '3;a\r\n123\r\n0\r\n\r\n'),
      expect: taken,
    },
    {
      name: 'a quoted extension',
      send: post(chunked, '3;a="b;c"\r\n123\r\n0\r\n\r\n'),
      expect: taken,
    },
  ]),
  ...of(
    '9112 §7.1: chunk = chunk-size [ chunk-ext ] CRLF chunk-data CRLF, chunk-size = 1*HEXDIG. §7.1: A recipient MUST anticipate potentially large hexadecimal numerals and prevent parsing errors due to integer conversion overflows or precision loss.',
    [
      ...(
        [
          ['with 0x', '0x3\r\n123\r\n0\r\n\r\n'],
          ['with a sign', '+3\r\n123\r\n0\r\n\r\n'],
          ['that is negative', '-3\r\n123\r\n0\r\n\r\n'],
          ['behind a blank', ' 3\r\n123\r\n0\r\n\r\n'],
          ['that is not there', '\r\n123\r\n0\r\n\r\n'],
          ['beyond 64 bits', '10000000000000003\r\n123\r\n0\r\n\r\n'],
          ['of 40 digits', `${'f'.repeat(40)}\r\n123\r\n0\r\n\r\n`],
          ['that is no number', 'zz\r\n123\r\n0\r\n\r\n'],
          ['with an underscore', '1_0\r\n1234567890abcdef\r\n0\r\n\r\n'],
          ['ended by LF', '3\n123\r\n0\r\n\r\n'],
          ['ended by CR', '3\r123\r\n0\r\n\r\n'],
          ['shorter than its data', '3\r\n1234\r\n0\r\n\r\n'],
          ['longer than its data', '5\r\n123\r\n0\r\n\r\n'],
          ['of data ended by LF', '3\r\n123\n0\r\n\r\n'],
          ['of data without an end', '3\r\n1230\r\n\r\n'],
          ['with an extension ended by LF', '3;a\n123\r\n0\r\n\r\n'],
          ['with a bare CR in its extension', '3;a\rb\r\n123\r\n0\r\n\r\n'],
          ['with NUL in its extension', '3;a\0\r\n123\r\n0\r\n\r\n'],
          ['of zero, ended by LF', '3\r\n123\r\n0\n\r\n'],
        ] as const
      ).map(([name, body]) => ({
        name: `a chunk size ${name}`,
        send: post(chunked, body),
        expect: bad,
        head: ['connection: close'],
      })),
      {
        name: 'a trailer that is no field',
        send: post(chunked, '3\r\n123\r\n0\r\nno field\r\n\r\n'),
        expect: bad,
      },
      {
        name: 'a folded trailer',
        send: post(chunked, '3\r\n123\r\n0\r\nA: 1\r\n 2\r\n\r\n'),
        expect: bad,
      },
    ],
  ),
  ...of(
    '9112 §7.1.2: a server … MUST NOT … merge a trailer field into the header section unless the recipient understands the corresponding header field definition and that definition explicitly permits it.',
    [
      {
        name: 'a length among the trailers',
        send: post(chunked, '3\r\n123\r\n0\r\nContent-Length: 9\r\n\r\n'),
        expect: ['taken', 400],
      },
      {
        name: 'a Host among the trailers',
        send: post(chunked, '3\r\n123\r\n0\r\nHost: b\r\n\r\n'),
        expect: ['taken', 400],
      },
    ],
  ),
]

const connections = [
  ...of(
    '9112 §9.3: A server that supports persistent connections MUST … remain open for the next request unless close is sent.',
    [
      { name: 'HTTP/1.1 is kept', send: get(), expect: taken, head: ['!connection: close'] },
      {
        name: 'HTTP/1.1 with close',
        send: get('Connection: close\r\n'),
        expect: taken,
        head: ['connection: close'],
      },
      {
        name: 'HTTP/1.0 is not kept',
        send: get('', '{get}', 'HTTP/1.0'),
        expect: taken,
        head: ['!connection: keep-alive'],
      },
      {
        name: 'close among others',
        send: get('Connection: foo, close\r\n'),
        expect: taken,
        head: ['connection: close'],
      },
    ],
  ),
  ...of('9110 §15.2: A server MUST NOT send a 1xx response to an HTTP/1.0 client.', [
    {
      name: 'Expect in HTTP/1.0',
      send: `POST {post} HTTP/1.0\r\n${fields}Expect: 100-continue\r\nContent-Length: 3\r\n\r\n123`,
      expect: taken,
    },
  ]),
  ...of(
    '9110 §10.1.1: A server that receives an Expect field value containing a member other than 100-continue MAY respond with a 417 (Expectation Failed) status code.',
    [{ name: 'another expectation', send: get('Expect: miracles\r\n'), expect: [417, 'taken'] }],
  ),
  ...of(
    '9110 §7.8: A server MAY ignore a received Upgrade header field. §7.8: A server MUST NOT switch to a protocol that was not indicated by the client.',
    [
      {
        name: 'an upgrade to h2c',
        send: get(
          'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n',
        ),
        expect: [400, 'taken'],
      },
    ],
  ),
  ...of('9110 §9.3.2: The server MUST NOT send content in the response to HEAD.', [
    {
      name: 'HEAD',
      send: `HEAD {get} HTTP/1.1\r\n${fields}Connection: close\r\n\r\n`,
      expect: taken,
    },
  ]),
  ...of(
    '9110 §6.6.1: An origin server with a clock MUST generate a Date header field in all 2xx (Successful), 3xx (Redirection), and 4xx (Client Error) responses.',
    [{ name: 'a date', send: get(), expect: taken, head: ['date: '] }],
  ),
]

/** Our own cases, made from the RFCs. */
export const requestCases: readonly RequestCase[] = [
  ...requestLines,
  ...targets,
  ...fieldLines,
  ...lengths,
  ...connections,
]
