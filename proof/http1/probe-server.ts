import { connect } from 'node:net'
import type { RequestCase } from './request-cases.ts'

/** A server that the cases are tried on. */
export interface ProbedServer {
  which: 'gateway' | 'dashboard'
  port: number
  /** Targets of one that takes GET, and of one that takes POST. */
  get: string
  post: string
  /** What reached the upstream since it was asked last: request lines, and `stray` for bytes that are none. Null: there is none. */
  takeReached: (() => string[]) | null
}

const host = 'probe.example'

/** A server that has said nothing until then waits for more. */
const waitMaxMs = 10_000

/** What was wrong; undefined: nothing. */
export async function probe(server: ProbedServer, each: RequestCase): Promise<string | undefined> {
  const parts = [each.send]
    .flat()
    .map((part) =>
      part
        .replaceAll('{host}', host)
        .replaceAll('{HOST}', host.toUpperCase())
        .replaceAll('{get}', server.get)
        .replaceAll('{post}', server.post),
    )
  server.takeReached?.()
  const answer = await exchange(server.port, parts, each.send.includes('HEAD ') ? 'HEAD' : 'GET')
  const reached = server.takeReached?.() ?? null
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0)
  const isTaken = isUnderstood(server, status)
  const isKept = each.expect.some((one) =>
    one === 'taken' ? isTaken : one === 'closed' ? answer === '' : one === status,
  )
  const shown = answer === '' ? 'no answer' : answer.slice(0, answer.indexOf('\r\n'))
  if (!isKept) return `${shown}, expected ${each.expect.join(' or ')}`
  const more = answer.slice(answer.indexOf('\r\n') + 2)
  if (/^HTTP\/1\.\d \d{3}/m.test(more)) return `${shown}, and a second answer`
  if (reached !== null) {
    const expected = isTaken && status === 200 && !each.send.includes('OPTIONS *') ? 1 : 0
    if (reached.length !== expected) return `${shown}, and upstream came ${reached.join('; ')}`
  }
  const head = answer.slice(0, answer.indexOf('\r\n\r\n') + 2).toLowerCase()
  for (const wanted of each.head ?? []) {
    const isThere = head.includes(`\r\n${wanted.replace(/^!/, '')}`)
    if (isThere === wanted.startsWith('!'))
      return `${shown}, and the head is without its “${wanted}”`
  }
  return undefined
}

/** At the gateway an upstream answers 200; the dashboard may know nothing of the path or ask who it is. */
const isUnderstood = ({ which }: ProbedServer, status: number): boolean =>
  which === 'gateway' ? status === 200 : [200, 401, 404, 405, 413, 415, 422].includes(status)

/** All that came until the connection ended, or until nothing more is to come. */
async function exchange(port: number, parts: readonly string[], method: string): Promise<string> {
  return new Promise((resolve) => {
    let received = ''
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true })
    const late = setTimeout(() => settle(), waitMaxMs)
    const settle = (): void => {
      clearTimeout(late)
      resolve(received)
      socket.destroy()
    }
    socket.setEncoding('latin1').on('data', (text: string) => {
      received += text
      // What comes behind it would be in the same read, or in the next one.
      if (isWhole(received, method)) setImmediate(() => setImmediate(settle))
    })
    socket.on('error', settle).on('end', settle).on('close', settle)
    const [first = '', ...rest] = parts
    socket.write(first, 'latin1', () => sendRest(rest))
    const sendRest = ([next, ...others]: string[]): void => {
      if (next !== undefined)
        setImmediate(() => socket.write(next, 'latin1', () => sendRest(others)))
    }
  })
}

function isWhole(text: string, method: string): boolean {
  const headEnd = text.indexOf('\r\n\r\n')
  if (headEnd === -1) return false
  const head = text.slice(0, headEnd).toLowerCase()
  if (/^http\/1\.1 1\d\d/.test(head)) return isWhole(text.slice(headEnd + 4), method)
  if (method === 'HEAD' || / (?:204|304) /.test(head.slice(0, 14))) return true
  const length = /\r\ncontent-length: (\d+)/.exec(head)?.[1]
  if (length !== undefined) return text.length >= headEnd + 4 + Number(length)
  return head.includes('\r\ntransfer-encoding: chunked') && text.endsWith('0\r\n\r\n')
}
