/** What a gateway has to make of what an upstream answers. */
export interface AnswerCase {
  name: string
  rule: string
  method?: 'GET' | 'HEAD'
  /** Written as it is, one after the other. `end`: the connection is closed behind it, `reset`: it is torn. */
  answer: readonly string[]
  ending?: 'end' | 'reset'
  /** `cut`: the client sees an answer that is not whole; a number: an answer of our own; otherwise what it has to see. */
  expect: 'cut' | number | Seen
  /** What has to be in all that the client sees, in lower case, or `!` and what may not. */
  seen?: readonly string[]
  /** The next request has to be answered by a connection of its own. */
  isLast?: boolean
}

interface Seen {
  status: number
  body: string
}

const ok = 'HTTP/1.1 200 OK\r\n'
const sized = `${ok}Content-Length: 3\r\n\r\nabc`
const chunked = `${ok}Transfer-Encoding: chunked\r\n\r\n`
const fine: Seen = { status: 200, body: 'abc' }

const of = (rule: string, cases: readonly Omit<AnswerCase, 'rule'>[]): AnswerCase[] =>
  cases.map((each) => ({ rule, ...each }))

const interim = [
  ...of(
    '9110 §15.2: A proxy MUST forward 1xx responses unless the proxy itself requested the generation of the 1xx response.',
    [
      {
        name: '103 before the answer',
        answer: ['HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n', sized],
        expect: fine,
        seen: ['http/1.1 103 ', 'link: </a.css>'],
      },
      {
        name: '103 in one read with the answer',
        answer: [`HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n${sized}`],
        expect: fine,
        seen: ['http/1.1 103 '],
      },
      {
        name: 'two of 103',
        answer: [
          'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </b>\r\n\r\n',
          sized,
        ],
        expect: fine,
        seen: ['link: </a>', 'link: </b>'],
      },
      {
        name: '102 before the answer',
        answer: ['HTTP/1.1 102 Processing\r\n\r\n', sized],
        expect: fine,
        seen: ['http/1.1 102 '],
      },
    ],
  ),
  ...of(
    '9110 §15.2: A client MUST be able to parse one or more 1xx responses received prior to a final response, even if the client does not expect one.',
    [
      {
        name: '100 that nobody asked for',
        answer: ['HTTP/1.1 100 Continue\r\n\r\n', sized],
        expect: fine,
        seen: ['!http/1.1 100 '],
      },
      {
        name: '103 without an answer behind',
        answer: ['HTTP/1.1 103 Early Hints\r\n\r\n'],
        ending: 'end',
        expect: 502,
      },
      {
        name: '103 without end',
        answer: ['HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100)],
        ending: 'end',
        expect: 502,
      },
    ],
  ),
  ...of(
    '9112 §6.1: A server MUST NOT send a Transfer-Encoding header field in any response with a status code of 1xx (Informational) or 204 (No Content). 9110 §8.6: the same of Content-Length.',
    [
      {
        name: '103 with a length',
        answer: [`HTTP/1.1 103 Early Hints\r\nContent-Length: 3\r\n\r\nabc`, sized],
        ending: 'end',
        expect: 502,
      },
      {
        name: '103 with chunks',
        answer: ['HTTP/1.1 103 Early Hints\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', sized],
        ending: 'end',
        expect: 502,
      },
      {
        name: '204 with a length',
        answer: ['HTTP/1.1 204 No Content\r\nContent-Length: 3\r\n\r\n'],
        expect: { status: 204, body: '' },
        seen: ['!content-length'],
      },
      {
        name: '204 with chunks',
        answer: ['HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
        expect: { status: 204, body: '' },
        seen: ['!transfer-encoding'],
        isLast: true,
      },
    ],
  ),
  ...of('9110 §7.8: A server MUST NOT switch to a protocol that was not indicated by the client.', [
    {
      name: '101 unasked',
      answer: ['HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'],
      expect: 502,
    },
  ]),
]

const heads = [
  ...of(
    '9112 §4: status-line = HTTP-version SP status-code SP [ reason-phrase ], status-code = 3DIGIT.',
    [
      {
        name: 'no reason',
        answer: ['HTTP/1.1 200 \r\nContent-Length: 3\r\n\r\nabc'],
        expect: fine,
      },
      {
        name: 'no blank behind the status',
        answer: ['HTTP/1.1 200\r\nContent-Length: 3\r\n\r\nabc'],
        expect: fine,
      },
      { name: 'another protocol', answer: ['220 mail ESMTP\r\n'], ending: 'end', expect: 502 },
      { name: 'HTTP/0.9', answer: ['<html></html>'], ending: 'end', expect: 502 },
      {
        name: 'HTTP/2.0',
        answer: ['HTTP/2.0 200 OK\r\nContent-Length: 3\r\n\r\nabc'],
        expect: 502,
      },
      {
        name: 'a status of two digits',
        answer: ['HTTP/1.1 20 OK\r\nContent-Length: 3\r\n\r\nabc'],
        expect: 502,
      },
      {
        name: 'a status of four digits',
        answer: ['HTTP/1.1 2000 OK\r\nContent-Length: 3\r\n\r\nabc'],
        expect: 502,
      },
      {
        name: 'a status of letters',
        answer: ['HTTP/1.1 abc OK\r\nContent-Length: 3\r\n\r\nabc'],
        expect: 502,
      },
      {
        name: 'status 0',
        answer: ['HTTP/1.1 000 OK\r\nContent-Length: 3\r\n\r\nabc'],
        expect: 502,
      },
      {
        name: 'a bare LF behind the status line',
        answer: [`HTTP/1.1 200 OK\nContent-Length: 3\r\n\r\nabc`],
        ending: 'end',
        expect: 502,
      },
      {
        name: 'NUL in the reason',
        answer: ['HTTP/1.1 200 O\0K\r\nContent-Length: 3\r\n\r\nabc'],
        expect: 502,
      },
    ],
  ),
  ...of(
    '9110 §15: A client that receives a status code of a class it does not recognise treats it as the x00 of its class; values outside 100 to 599 are invalid, and a client SHOULD process them as a 5xx.',
    [
      {
        name: 'status 299',
        answer: ['HTTP/1.1 299 Odd\r\nContent-Length: 3\r\n\r\nabc'],
        expect: { status: 299, body: 'abc' },
      },
      {
        name: 'status 599',
        answer: ['HTTP/1.1 599 Odd\r\nContent-Length: 3\r\n\r\nabc'],
        expect: { status: 599, body: 'abc' },
      },
      {
        name: 'status 600',
        answer: ['HTTP/1.1 600 Odd\r\nContent-Length: 3\r\n\r\nabc'],
        expect: 502,
      },
      {
        name: 'status 999',
        answer: ['HTTP/1.1 999 Odd\r\nContent-Length: 3\r\n\r\nabc'],
        expect: 502,
      },
    ],
  ),
  ...of(
    '9112 §5.2: A proxy or gateway that receives an obs-fold in a response message … MUST either discard the message and replace it with a 502 (Bad Gateway) response … or replace each received obs-fold with one or more SP octets.',
    [
      {
        name: 'a folded field',
        answer: [`${ok}X: a\r\n b\r\nContent-Length: 3\r\n\r\nabc`],
        expect: 502,
      },
      { name: 'a folded length', answer: [`${ok}Content-Length:\r\n 3\r\n\r\nabc`], expect: 502 },
    ],
  ),
  ...of(
    '9112 §5.1: A proxy MUST remove any such whitespace from a response message before forwarding the message downstream.',
    [
      {
        name: 'a blank before a colon',
        answer: [`${ok}X : 1\r\nContent-Length: 3\r\n\r\nabc`],
        expect: 502,
      },
    ],
  ),
  ...of(
    '9110 §5.5: a recipient of CR, LF, or NUL within a field value MUST either reject the message or replace each of those characters with SP.',
    [
      {
        name: 'NUL in a value',
        answer: [`${ok}X: a\0b\r\nContent-Length: 3\r\n\r\nabc`],
        expect: 502,
      },
      {
        name: 'a bare CR in a value',
        answer: [`${ok}X: a\rSet-Cookie: b=c\r\nContent-Length: 3\r\n\r\nabc`],
        expect: 502,
      },
      {
        name: 'a bare LF in a value',
        answer: [`${ok}X: a\nSet-Cookie: b=c\r\nContent-Length: 3\r\n\r\nabc`],
        expect: 502,
      },
    ],
  ),
  ...of('9110 §5.1: field-name = token.', [
    { name: 'no colon', answer: [`${ok}no colon\r\nContent-Length: 3\r\n\r\nabc`], expect: 502 },
    { name: 'no name', answer: [`${ok}: 1\r\nContent-Length: 3\r\n\r\nabc`], expect: 502 },
    {
      name: 'a blank in a name',
      answer: [`${ok}A B: 1\r\nContent-Length: 3\r\n\r\nabc`],
      expect: 502,
    },
  ]),
  ...of(
    '9110 §7.6.1: Intermediaries MUST parse a received Connection header field before a message is forwarded and, for each connection-option in this field, remove any header or trailer field(s) from the message with the same name as the connection-option.',
    [
      {
        name: 'a field of the connection',
        answer: [`${ok}Connection: X-Mine\r\nX-Mine: 1\r\nContent-Length: 3\r\n\r\nabc`],
        expect: fine,
        seen: ['!x-mine'],
      },
      {
        name: 'Keep-Alive and Upgrade',
        answer: [`${ok}Keep-Alive: timeout=9\r\nUpgrade: h2c\r\nContent-Length: 3\r\n\r\nabc`],
        expect: fine,
        seen: ['!timeout=9', '!h2c'],
      },
      {
        name: 'Proxy-Connection',
        answer: [`${ok}Proxy-Connection: keep-alive\r\nContent-Length: 3\r\n\r\nabc`],
        expect: fine,
        seen: ['!proxy-connection'],
      },
      {
        name: 'a length that Connection names',
        answer: [`${ok}Connection: Content-Length\r\nContent-Length: 3\r\n\r\nabc`],
        ending: 'end',
        expect: fine,
      },
    ],
  ),
  ...of(
    '9110 §5.4: A client MAY discard or truncate received field lines that are larger than the client wishes to process if the field semantics are such that the dropped value(s) can be safely ignored. Any other head is no answer.',
    [
      {
        name: 'a head of 5 MB',
        answer: [
          `${ok}X: `,
          ...Array.from({ length: 80 }, () => 'x'.repeat(65_536)),
          '\r\nContent-Length: 3\r\n\r\nabc',
        ],
        expect: 502,
      },
      {
        name: 'a status line of 5 MB',
        answer: ['HTTP/1.1 200 ', ...Array.from({ length: 80 }, () => 'x'.repeat(65_536))],
        expect: 502,
      },
      {
        name: '100,000 fields',
        answer: [
          ok,
          ...Array.from({ length: 100 }, () => 'A: 1\r\n'.repeat(1_000)),
          'Content-Length: 3\r\n\r\nabc',
        ],
        expect: 502,
      },
      {
        name: 'an interim head of 5 MB',
        answer: [
          'HTTP/1.1 103 Early Hints\r\nLink: ',
          ...Array.from({ length: 80 }, () => 'x'.repeat(65_536)),
        ],
        expect: 502,
      },
    ],
  ),
]

const framing = [
  ...of(
    '9112 §6.3: If the response … is received by a proxy with an invalid Content-Length, the proxy MUST close the connection to the server, discard the received response, and send a 502 (Bad Gateway) response to the client.',
    [
      ...['abc', '-3', '+3', '3.0', '0x3', '3 4', '', '99999999999999999999'].map((length) => ({
        name: `Content-Length: ${length}`,
        answer: [`${ok}Content-Length: ${length}\r\n\r\nabc`],
        expect: 502,
        isLast: true,
      })),
      {
        name: 'two lengths',
        answer: [`${ok}Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd`],
        expect: 502,
        isLast: true,
      },
      {
        name: 'two equal lengths',
        answer: [`${ok}Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc`],
        expect: 502,
        isLast: true,
      },
      {
        name: 'a list of lengths',
        answer: [`${ok}Content-Length: 3, 3\r\n\r\nabc`],
        expect: 502,
        isLast: true,
      },
    ],
  ),
  ...of(
    '9112 §6.3: If a message is received with both a Transfer-Encoding and a Content-Length header field … such a message might indicate an attempt to perform request smuggling or response splitting and ought to be handled as an error.',
    [
      {
        name: 'a length and chunks',
        answer: [
          `${ok}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n`,
        ],
        expect: 502,
        isLast: true,
      },
      {
        name: 'chunks in HTTP/1.0',
        answer: ['HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n'],
        ending: 'end',
        expect: 502,
      },
      ...[
        'gzip',
        'gzip, chunked',
        'chunked, gzip',
        'identity',
        'xchunked',
        'chunked, chunked',
        '\x0bchunked',
      ].map((coding) => ({
        name: `Transfer-Encoding: ${JSON.stringify(coding).slice(1, -1)}`,
        answer: [`${ok}Transfer-Encoding: ${coding}\r\n\r\n3\r\nabc\r\n0\r\n\r\n`],
        ending: 'end' as const,
        expect: 502,
      })),
      {
        name: 'Transfer-Encoding twice',
        answer: [
          `${ok}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n`,
        ],
        expect: 502,
      },
    ],
  ),
  ...of(
    '9112 §8: A client that receives an incomplete response message … MUST record the message as incomplete. A cut body must not look whole behind us (§6.3).',
    [
      {
        name: 'a short body, then the end',
        answer: [`${ok}Content-Length: 5\r\n\r\nabc`],
        ending: 'end',
        expect: 'cut',
      },
      {
        name: 'a short large body',
        answer: [`${ok}Content-Length: 500000\r\n\r\n${'x'.repeat(100_000)}`],
        ending: 'end',
        expect: 'cut',
      },
      {
        name: 'a short body, then a reset',
        answer: [`${ok}Content-Length: 500000\r\n\r\nabc`],
        ending: 'reset',
        expect: 'cut',
      },
      { name: 'no body', answer: [`${ok}Content-Length: 5\r\n\r\n`], ending: 'end', expect: 502 },
      { name: 'half a chunk', answer: [`${chunked}5\r\nabc`], ending: 'end', expect: 'cut' },
      { name: 'no last chunk', answer: [`${chunked}3\r\nabc\r\n`], ending: 'end', expect: 'cut' },
      {
        name: 'half a last chunk',
        answer: [`${chunked}3\r\nabc\r\n0\r\n`],
        ending: 'end',
        expect: 'cut',
      },
      { name: 'half a head', answer: [`${ok}Content-Length: 3`], ending: 'end', expect: 502 },
      { name: 'no answer', answer: [], ending: 'end', expect: 502 },
      { name: 'a reset in place of an answer', answer: [], ending: 'reset', expect: 502 },
      {
        name: 'a body up to the end that is torn',
        answer: [`${ok}Connection: close\r\n\r\nabc`],
        ending: 'reset',
        expect: 'cut',
      },
    ],
  ),
  ...of(
    '9112 §6.3: Otherwise, this is a response message without a declared message body length, so the message body length is determined by the number of octets received prior to the server closing the connection.',
    [
      {
        name: 'a body up to the end',
        answer: [`${ok}Connection: close\r\n\r\nabc`],
        ending: 'end',
        expect: fine,
      },
      {
        name: 'a body up to the end in HTTP/1.0',
        answer: ['HTTP/1.0 200 OK\r\n\r\nabc'],
        ending: 'end',
        expect: fine,
      },
    ],
  ),
  ...of(
    '9112 §6.3: Any response to a HEAD request and any response with a 1xx, 204, or 304 status code is always terminated by the first empty line after the header fields.',
    [
      {
        name: '304 with a length',
        answer: ['HTTP/1.1 304 Not Modified\r\nETag: "a"\r\nContent-Length: 3\r\n\r\n'],
        expect: { status: 304, body: '' },
      },
      {
        name: '204 with a body behind',
        answer: ['HTTP/1.1 204 No Content\r\n\r\nabc'],
        expect: { status: 204, body: '' },
        isLast: true,
      },
      {
        name: '304 with a body behind',
        answer: ['HTTP/1.1 304 Not Modified\r\n\r\nabc'],
        expect: { status: 304, body: '' },
        isLast: true,
      },
      {
        name: 'HEAD with a length',
        method: 'HEAD',
        answer: [`${ok}Content-Length: 3\r\n\r\n`],
        expect: { status: 200, body: '' },
        seen: ['content-length: 3'],
      },
      {
        name: 'HEAD with a body',
        method: 'HEAD',
        answer: [sized],
        expect: { status: 200, body: '' },
        isLast: true,
      },
    ],
  ),
  ...of('9112 §7.1: chunk-size = 1*HEXDIG, each chunk and its size ends in CRLF.', [
    { name: 'two chunks', answer: [`${chunked}1\r\na\r\n2\r\nbc\r\n0\r\n\r\n`], expect: fine },
    {
      name: 'an extension and trailers',
      answer: [`${chunked}3;a=b\r\nabc\r\n0\r\nX-Late: 1\r\n\r\n`],
      expect: fine,
      seen: ['!x-late'],
    },
    { name: 'in single bytes', answer: [...`${chunked}3\r\nabc\r\n0\r\n\r\n`], expect: fine },
    ...(
      [
        ['a size that is no number', 'zz\r\nabc\r\n0\r\n\r\n'],
        ['a size with 0x', '0x3\r\nabc\r\n0\r\n\r\n'],
        ['a size with a sign', '+3\r\nabc\r\n0\r\n\r\n'],
        ['a negative size', '-1\r\nabc\r\n0\r\n\r\n'],
        ['a size behind a blank', ' 3\r\nabc\r\n0\r\n\r\n'],
        ['a size beyond 64 bits', '10000000000000003\r\nabc\r\n0\r\n\r\n'],
        ['a size ended by LF', '3\nabc\r\n0\r\n\r\n'],
        ['a size that is not there', '\r\nabc\r\n0\r\n\r\n'],
        ['more data than its size', '3\r\nabcd\r\n0\r\n\r\n'],
        ['data ended by LF', '3\r\nabc\n0\r\n\r\n'],
        ['an extension ended by LF', '3;a\nabc\r\n0\r\n\r\n'],
        ['a trailer that is no field', '3\r\nabc\r\n0\r\nno field\r\n\r\n'],
      ] as const
    ).map(([name, body]) => ({
      name,
      answer: [chunked + body],
      ending: 'end' as const,
      expect: 'cut' as const,
      isLast: true,
    })),
  ]),
]

const connections = [
  ...of(
    '9112 §6.3: If the final response to the last request on a connection has been completely received and there remains additional data to read, a user agent MAY discard the remaining data or attempt to determine if that data belongs as part of the prior message body. §9.2: A client that receives data on a connection that does not have any outstanding requests MUST NOT consider that data to be a valid response.',
    [
      {
        name: 'more than its length',
        answer: [`${sized}def`],
        expect: fine,
        seen: ['!def'],
        isLast: true,
      },
      {
        name: 'more than its chunks',
        answer: [`${chunked}3\r\nabc\r\n0\r\n\r\ndef`],
        expect: fine,
        seen: ['!def'],
        isLast: true,
      },
      {
        name: 'a second answer at once',
        answer: [`${sized}${ok}Content-Length: 4\r\n\r\nevil`],
        expect: fine,
        seen: ['!evil'],
        isLast: true,
      },
      {
        name: 'a second answer later',
        answer: [sized, `${ok}Content-Length: 4\r\n\r\nevil`],
        expect: fine,
        seen: ['!evil'],
        isLast: true,
      },
      { name: 'late bytes', answer: [sized, 'x'], expect: fine, isLast: true },
      {
        name: 'a late interim answer',
        answer: [sized, 'HTTP/1.1 103 Early Hints\r\n\r\n'],
        expect: fine,
        isLast: true,
      },
    ],
  ),
  ...of(
    '9112 §9.3: If the close connection option is present … the connection will not persist after the current response.',
    [
      {
        name: 'close',
        answer: [`${ok}Connection: close\r\nContent-Length: 3\r\n\r\nabc`],
        expect: fine,
        isLast: true,
      },
      {
        name: 'HTTP/1.0 without keep-alive',
        answer: ['HTTP/1.0 200 OK\r\nContent-Length: 3\r\n\r\nabc'],
        expect: fine,
        isLast: true,
      },
      {
        name: 'the end behind an answer',
        answer: [sized],
        ending: 'end',
        expect: fine,
        isLast: true,
      },
    ],
  ),
]

/** Our own cases, made from the RFCs. */
export const answerCases: readonly AnswerCase[] = [...interim, ...heads, ...framing, ...connections]
