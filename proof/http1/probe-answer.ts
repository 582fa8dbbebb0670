import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { readAnswer } from '../../apps/gateway/src/testing/read-answer.ts'
import type { AnswerCase } from './answer-cases.ts'

/** An upstream that answers the next request as the case says, and any later one with `next`. */
interface OddUpstream {
  url: string
  play(each: AnswerCase): void
  /** How many requests of this case came over a connection that had carried one before. */
  readonly repeated: number
  close(): Promise<void>
}

export async function openOddUpstream(): Promise<OddUpstream> {
  const sockets = new Set<Socket>()
  let playing: AnswerCase | null = null
  let repeated = 0
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket)
    let requests = 0
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket))
    socket.setEncoding('latin1').on('data', (text: string) => {
      if (!text.endsWith('\r\n\r\n')) return
      if (requests++ > 0) repeated++
      const now = playing
      playing = null
      if (now === null) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nnext')
      else write(socket, now.answer, now.ending)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    play: (each) => {
      playing = each
      repeated = 0
      // Each case begins with a connection of its own.
      for (const socket of sockets) socket.destroy()
    },
    get repeated() {
      return repeated
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function write(
  socket: Socket,
  [part, ...rest]: readonly string[],
  ending: AnswerCase['ending'],
): void {
  if (part === undefined) {
    if (ending === 'end') socket.end()
    if (ending === 'reset') socket.resetAndDestroy()
    return
  }
  if (socket.destroyed) return
  socket.write(part, 'latin1', () => setImmediate(write, socket, rest, ending))
}

/** What was wrong; undefined: nothing. */
export async function probeAnswer(
  port: number,
  upstream: OddUpstream,
  each: AnswerCase,
): Promise<string | undefined> {
  upstream.play(each)
  const method = each.method ?? 'GET'
  const first = await ask(port, method)
  const next = await ask(port, 'GET')
  return problemWith(each, first) ?? problemOfNext(each, next, upstream.repeated)
}

function problemWith({ expect, seen = [], method }: AnswerCase, text: string): string | undefined {
  const got = finalAnswer(text, method === 'HEAD')
  const shown = got === undefined ? 'a cut answer' : `${got.status} ${got.body.slice(0, 40)}`
  if (expect === 'cut') {
    if (got !== undefined) return `${shown}, expected a cut answer`
  } else if (got === undefined) return `${shown}, expected ${JSON.stringify(expect)}`
  else if (typeof expect === 'number') {
    if (got.status !== expect || !got.body.includes('"code":"upstream.'))
      return `${shown}, expected our ${expect}`
  } else if (got.status !== expect.status || got.body !== expect.body)
    return `${shown}, expected ${expect.status} ${expect.body}`
  const all = text.toLowerCase()
  for (const wanted of seen)
    if (all.includes(wanted.replace(/^!/, '')) === wanted.startsWith('!'))
      return `${shown}, and the client sees it without its “${wanted}”`
  return undefined
}

function problemOfNext({ isLast = false }: AnswerCase, text: string, repeated: number) {
  const got = finalAnswer(text, false)
  if (got?.body !== 'next') return `the next request was answered ${got?.status} ${got?.body}`
  return isLast && repeated > 0 ? 'the connection was used for the next request' : undefined
}

function finalAnswer(text: string, isHead: boolean) {
  let rest = text
  for (;;) {
    const headEnd = rest.indexOf('\r\n\r\n')
    if (isHead && /^HTTP\/1\.1 [2-9]/.test(rest) && headEnd !== -1)
      return { status: Number(rest.slice(9, 12)), body: rest.slice(headEnd + 4) }
    const read = readAnswer(rest, true)
    if (read === undefined || read.answer.status >= 200) return read?.answer
    rest = rest.slice(read.length)
  }
}

/** All that the client sees until its connection ends; a torn connection is marked. */
async function ask(port: number, method: string): Promise<string> {
  return new Promise((resolve) => {
    let received = ''
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    socket.setEncoding('latin1').on('data', (text: string) => (received += text))
    // What came is not the whole: an answer without a length would look like it.
    socket.on('error', () => (received = ''))
    socket.on('close', () => resolve(received))
    socket.write(`${method} /sales/orders HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
  })
}
