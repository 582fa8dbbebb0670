import type { Socket } from 'node:net'

/** A head that is longer is no answer of HTTP that we read. */
const headMaxBytes = 16 * 1024
/** Before one answer. */
const interimMax = 20
const statusLineBytes = 12
const begins = ['HTTP/1.1 1', 'HTTP/1.0 1']

/**
 * Takes interim answers (RFC 9110 §15.2: 100, 102, 103) out of what a client reads from the socket, whether it
 * asked for them or not: undici ends the connection on a 100, after the request has left. A switch of
 * protocols (101) stays, and so does what is no HTTP. The client must read by `read`, write each request
 * with `write`, and have one under way at a time.
 */
export function passOverInterim(socket: Socket): void {
  const read = socket.read.bind(socket)
  const write = socket.write.bind(socket)
  /** Of the beginning of an answer, as long as it may be an interim one. */
  let held: Buffer = Buffer.alloc(0)
  let left = 0
  const readOn = (size?: number): Buffer | null => {
    if (left === 0) return read(size) as Buffer | null
    for (let chunk = read() as Buffer | null; chunk !== null; chunk = read() as Buffer | null) {
      held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
      for (; left > 0; left--) {
        const end = endOfInterim(held)
        if (end === 'not_here') break
        if (end === 'is_none') left = 0
        else held = held.subarray(end)
        if (left === 0) break
      }
      if (left > 0) continue
      const rest = held
      held = Buffer.alloc(0)
      if (rest.length > 0) return rest
    }
    return null
  }
  Object.assign(socket, {
    read: readOn,
    write: (...what: Parameters<typeof write>) => {
      left = interimMax
      return write(...what)
    },
  })
}

/** Where the interim answer ends that the bytes begin with. */
function endOfInterim(bytes: Buffer): number | 'not_here' | 'is_none' {
  const line = bytes.toString('latin1', 0, statusLineBytes)
  const isPossible = begins.some((begin) =>
    line.length < begin.length ? begin.startsWith(line) : line.startsWith(begin),
  )
  if (!isPossible) return 'is_none'
  if (line.length < statusLineBytes) return 'not_here'
  if (!/ 1\d\d$/.test(line) || line.endsWith('101')) return 'is_none'
  const end = bytes.indexOf('\r\n\r\n')
  if (end !== -1) return end + 4
  return bytes.length > headMaxBytes ? 'is_none' : 'not_here'
}
