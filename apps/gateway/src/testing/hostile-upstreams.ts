import type { Answering } from '@gatehouse/http1/testing/open-upstream'

/** What became of an exchange, as the client sees it. */
export type Expected =
  | { status: number; code: string }
  /** The connection broke before the answer was whole. */
  | 'cut'
  /** A whole answer with this body. */
  | { body: string }

interface HostileUpstream {
  name: string
  answer: Answering
  expected: Expected
  /** Needs the answer time-out to pass. */
  isSlow?: boolean
}

const head = 'HTTP/1.1 200 OK\r\n'
const cut = { status: 502, code: 'upstream.cut' }
const protocol = { status: 502, code: 'upstream.protocol' }
const timeout = { status: 504, code: 'upstream.timeout' }

const says =
  (text: string): Answering =>
  (socket) =>
    socket.write(text, 'latin1')

const saysAndEnds =
  (text: string): Answering =>
  (socket) =>
    socket.end(text, 'latin1')

const saysAndResets =
  (text: string): Answering =>
  (socket) =>
    socket.write(text, 'latin1', () => socket.resetAndDestroy())

/** Upstreams that break the rules, each in one way. The same list is gone through 10,000 times in proof/. */
export const hostileUpstreams: readonly HostileUpstream[] = [
  { name: 'closes without an answer', answer: (socket) => socket.end(), expected: cut },
  { name: 'resets without an answer', answer: (socket) => socket.resetAndDestroy(), expected: cut },
  { name: 'closes within the status line', answer: saysAndEnds('HTTP/1.1 20'), expected: cut },
  {
    name: 'closes within the head',
    answer: saysAndEnds(`${head}Content-Length: 5\r\n`),
    expected: cut,
  },
  { name: 'resets within the head', answer: saysAndResets(`${head}Content-`), expected: cut },
  {
    name: 'closes before a body with a length',
    answer: saysAndEnds(`${head}Content-Length: 5\r\n\r\n`),
    expected: cut,
  },
  {
    name: 'closes within a body with a length',
    answer: saysAndEnds(`${head}Content-Length: 5\r\n\r\nabc`),
    expected: 'cut',
  },
  {
    name: 'resets within a body with a length',
    answer: saysAndResets(`${head}Content-Length: 5\r\n\r\nabc`),
    expected: 'cut',
  },
  {
    name: 'closes within a large body',
    answer: saysAndEnds(`${head}Content-Length: 99999\r\n\r\nabc`),
    expected: 'cut',
  },
  {
    name: 'closes within a chunk',
    answer: saysAndEnds(`${head}Transfer-Encoding: chunked\r\n\r\n5\r\nabc`),
    expected: 'cut',
  },
  {
    name: 'closes before the last chunk',
    answer: saysAndEnds(`${head}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n`),
    expected: 'cut',
  },
  {
    name: 'resets within a chunk',
    answer: saysAndResets(`${head}Transfer-Encoding: chunked\r\n\r\n5\r\nabc`),
    expected: 'cut',
  },
  {
    name: 'resets within a body without a length',
    answer: saysAndResets(`${head}Connection: close\r\n\r\nabc`),
    expected: 'cut',
  },
  {
    name: 'ends a body without a length',
    answer: saysAndEnds(`${head}Connection: close\r\n\r\nabc`),
    expected: { body: 'abc' },
  },
  {
    name: 'sends more than its length',
    answer: says(`${head}Content-Length: 3\r\n\r\nabcdef`),
    expected: { body: 'abc' },
  },
  {
    name: 'sends a second answer',
    answer: says(`${head}Content-Length: 3\r\n\r\nabc${head}Content-Length: 3\r\n\r\nxyz`),
    expected: { body: 'abc' },
  },
  {
    name: 'states two lengths',
    answer: says(`${head}Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd`),
    expected: protocol,
  },
  {
    name: 'states length and chunks',
    answer: says(
      `${head}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n`,
    ),
    expected: protocol,
  },
  {
    name: 'states an invalid length',
    answer: says(`${head}Content-Length: abc\r\n\r\nabc`),
    expected: protocol,
  },
  {
    name: 'sends an invalid chunk size',
    answer: says(`${head}Transfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n0\r\n\r\n`),
    expected: 'cut',
  },
  {
    name: 'speaks another protocol',
    answer: saysAndEnds('220 mail.example.com ESMTP\r\n'),
    expected: protocol,
  },
  { name: 'speaks HTTP/0.9', answer: saysAndEnds('<html></html>'), expected: protocol },
  {
    name: 'puts NUL into a header',
    answer: says(`${head}X: a\0b\r\nContent-Length: 3\r\n\r\nabc`),
    expected: protocol,
  },
  {
    name: 'folds a header',
    answer: says(`${head}X: a\r\n b\r\nContent-Length: 3\r\n\r\nabc`),
    expected: protocol,
  },
  {
    name: 'sends a head beyond 16 KiB',
    answer: says(`${head}X: ${'x'.repeat(20_000)}\r\nContent-Length: 3\r\n\r\nabc`),
    expected: { status: 502, code: 'upstream.too_large' },
  },
  {
    name: 'switches protocols',
    answer: says('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
    expected: protocol,
  },
  {
    name: 'sends 100 Continue',
    answer: says(`HTTP/1.1 100 Continue\r\n\r\n${head}Content-Length: 3\r\n\r\nabc`),
    expected: { body: 'abc' },
  },
  {
    name: 'sends interim answers without end',
    answer: says('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(40)),
    expected: protocol,
  },
  {
    name: 'sends an interim answer first',
    answer: says(`HTTP/1.1 103 Early Hints\r\n\r\n${head}Content-Length: 3\r\n\r\nabc`),
    expected: { body: 'abc' },
  },
  {
    name: 'answers in single bytes',
    answer: (socket) => drip(socket, `${head}Content-Length: 3\r\n\r\nabc`),
    expected: { body: 'abc' },
  },
  {
    name: 'closes the connection that it said it would keep',
    answer: saysAndEnds(`${head}Connection: keep-alive\r\nContent-Length: 3\r\n\r\nabc`),
    expected: { body: 'abc' },
  },
  {
    name: 'sends a body with 204',
    answer: says('HTTP/1.1 204 No Content\r\nContent-Length: 3\r\n\r\nabc'),
    expected: { body: '' },
  },
  { name: 'hangs', answer: () => undefined, expected: timeout, isSlow: true },
  { name: 'hangs within the head', answer: says(`${head}X: `), expected: timeout, isSlow: true },
  {
    name: 'hangs before a small body',
    answer: says(`${head}Content-Length: 5\r\n\r\n`),
    expected: timeout,
    isSlow: true,
  },
  {
    name: 'hangs within the body',
    answer: says(`${head}Content-Length: 99999\r\n\r\nabc`),
    expected: 'cut',
    isSlow: true,
  },
]

/** One byte for each turn of the event loop. */
function drip(socket: Parameters<Answering>[0], text: string): void {
  const [byte] = text
  if (byte === undefined || socket.destroyed) return
  socket.write(byte, 'latin1', () => setImmediate(drip, socket, text.slice(1)))
}
