/** Numbers that look random and are the same for the same seed (mulberry32). From 0 up to, and without, `below`. */
type Random = (below: number) => number

export function createRandom(seed: number): Random {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below)
  }
}

const methods = [
  'GET',
  'POST',
  'PUT',
  'HEAD',
  'DELETE',
  'OPTIONS',
  'PATCH',
  'get',
  'GETX',
  'PRI',
  '',
]
const targets = ['/', '/a?b=c', '*', 'http://a/b', 'a:1', '/a b', '/\xe9', '//', '/%00', '']
const versions = [
  'HTTP/1.1',
  'HTTP/1.1',
  'HTTP/1.1',
  'HTTP/1.0',
  'HTTP/1.2',
  'HTTP/2.0',
  'http/1.1',
  'HTTP/1.1 ',
  '',
]
const lineEnds = [
  '\r\n',
  '\r\n',
  '\r\n',
  '\r\n',
  '\r\n',
  '\r\n',
  '\r\n',
  '\r\n',
  '\n',
  '\r',
  '\r\r\n',
  '\r\n ',
]
const fields = [
  'Host: a',
  'Host:a',
  'X: \t b \t',
  'X:',
  'Content-Length: 3',
  'Content-Length: 0',
  'Content-Length: +3',
  'Content-Length: 03',
  'Content-Length: 3, 3',
  'content-length:3',
  'Content-Length : 3',
  'Transfer-Encoding: chunked',
  'transfer-encoding:CHUNKED',
  'Transfer-Encoding: gzip, chunked',
  'Transfer-Encoding: chunked, identity',
  'Transfer-Encoding: identity',
  'Transfer-Encoding: \x0bchunked',
  'Transfer-Encoding:',
  'Connection: close',
  'Connection: keep-alive',
  'Connection: x, close',
  'Upgrade: h2c',
  'Expect: 100-continue',
  'X\xe9: 1',
  'X Y: 1',
  'X_Y: \xff',
  ': 1',
  'no colon',
  ' folded: 1',
]
const bodies = [
  '',
  'abc',
  'abcd',
  '0\r\n\r\n',
  '3\r\nabc\r\n0\r\n\r\n',
  '3;x="y"\r\nabc\r\n0\r\nT: 1\r\n\r\n',
  '0003\r\nabc\r\n00\r\n\r\n',
  '3 \r\nabc\r\n0\r\n\r\n',
  '3\r\nabc0\r\n\r\n',
  '0x3\r\nabc\r\n0\r\n\r\n',
  '3\nabc\n0\n\n',
  'ffffffffffffffffff\r\nabc',
  '3\r\nabc\r\n0\r\nno trailer\r\n\r\n',
]
/** Without `Connection: Upgrade`: where Upgrade stands beside it, llhttp reads nothing behind the head, and the gateway refuses it. */
const bytes = [
  '\r',
  '\n',
  '\r\n',
  '\0',
  ' ',
  '\t',
  ':',
  ',',
  ';',
  '0',
  '3',
  'a',
  '\x7f',
  '\x80',
  '\xff',
  '\x0b',
  '/',
]

/** Some requests in a row, most of them nearly right, with a few wrong bytes. Latin-1. */
export function randomRequests(random: Random): string {
  const pick = (from: readonly string[]) => from[random(from.length)] ?? ''
  // Most parts are right, or hardly any request would be.
  const mostly = (usual: string, others: readonly string[]) =>
    random(6) > 0 ? usual : pick(others)
  const one = () => {
    const end = () => mostly('\r\n', lineEnds)
    const line = `${mostly('POST', methods)} ${mostly('/a', targets)} ${mostly('HTTP/1.1', versions)}${end()}`
    const head = Array.from({ length: random(4) }, () => `${pick(fields)}${end()}`).join('')
    return `${line}Host: a${end()}${head}${end()}${pick(bodies)}`
  }
  let text = Array.from({ length: 1 + random(3) }, one).join('')
  for (let left = random(3); left > 0; left--) {
    const at = random(text.length)
    text = text.slice(0, at) + (random(3) > 0 ? pick(bytes) : '') + text.slice(at + random(2))
  }
  return text
}
