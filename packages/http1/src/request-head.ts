import { UpstreamFailure } from '@gatehouse/upstream/http'
import type { OutgoingCall } from './outgoing-call.ts'

const badTarget = /[^\x21-\x7e\x80-\xff]/
const badValue = /[^\t\x20-\x7e\x80-\xff]/

/** Whether the connection can serve another call after this one. */
export function leavesConnectionUsable({ method, body }: OutgoingCall): boolean {
  // There are servers that send a body with the answer to HEAD, and servers that don't read that of a GET.
  return method !== 'HEAD' && (body === null || method !== 'GET')
}

/**
 * Whether a call may be sent a second time although the first may have arrived: the method is idempotent
 * (RFC 9110 §9.2.2), the caller does not forbid it, and the body is still there.
 */
export function mayBeSentAgain({ method, body, isRepeatable }: OutgoingCall): boolean {
  const isIdempotent = method === 'GET' || method === 'HEAD' || method === 'PUT'
  return isRepeatable && isIdempotent && (body === null || Buffer.isBuffer(body))
}

/**
 * The head of a request, empty line included, as Latin-1. Names of fields are tokens already: they come
 * from Node's parser or are ours. Throws UpstreamFailure where a value could become a second field.
 */
export function requestHead(call: OutgoingCall, host: string): string {
  const { method, path, fields, body } = call
  if (badTarget.test(path)) throw malformed()
  const connection = connectionOf(call)
  let head = `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: ${connection}\r\n`
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const value = fields[at + 1] ?? ''
    if (fineValues[at] !== value) checkValue(value, at)
    head += `${fields[at] ?? ''}: ${value}\r\n`
  }
  if (body !== null)
    return call.bodyLength === -1 ? `${head}Transfer-Encoding: chunked\r\n\r\n` : `${head}\r\n`
  // RFC 9110 §8.6: a method that usually has a body says that there is none.
  return method === 'POST' || method === 'PUT' || method === 'PATCH'
    ? `${head}Content-Length: 0\r\n\r\n`
    : `${head}\r\n`
}

/** Each value that stood last at its place: most stand there again with the next request. */
const fineValues: string[] = []
const fineValuesMax = 64

function checkValue(value: string, at: number): void {
  if (badValue.test(value)) throw malformed()
  if (at < fineValuesMax) fineValues[at] = value
}

function connectionOf(call: OutgoingCall): string {
  if (call.switching !== null) return `Upgrade\r\nUpgrade: ${call.switching.protocol}`
  return leavesConnectionUsable(call) ? 'keep-alive' : 'close'
}

const malformed = () =>
  new UpstreamFailure('protocol', 'the request holds a character that a header may not hold')
