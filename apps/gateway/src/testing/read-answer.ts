export interface RawAnswer {
  status: number
  /** Lower-case names. */
  headers: Map<string, string>
  body: string
}

/** A strict reader of whole answers; `isEnded`: what has neither length nor chunks is whole now. */
export function readAnswer(
  text: string,
  isEnded: boolean,
): { answer: RawAnswer; length: number } | undefined {
  const headEnd = text.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const [statusLine = '', ...lines] = text.slice(0, headEnd).split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1])
  const headers = new Map(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  const rest = text.slice(headEnd + 4)
  const found = (body: string, length: number) => ({
    answer: { status, headers, body },
    length: headEnd + 4 + length,
  })
  if (status < 200 || status === 204 || status === 304) return found('', 0)
  const length = headers.get('content-length')
  if (length !== undefined) {
    const size = Number(length)
    return rest.length < size ? undefined : found(rest.slice(0, size), size)
  }
  if (headers.get('transfer-encoding') === 'chunked') return readChunks(rest, found)
  return isEnded ? found(rest, rest.length) : undefined
}

function readChunks<Found>(rest: string, found: (body: string, length: number) => Found) {
  let body = ''
  let at = 0
  for (;;) {
    const size = /^([\da-f]+)\r\n/i.exec(rest.slice(at, at + 20))
    if (!size) return undefined
    const bytes = Number.parseInt(size[1] ?? '', 16)
    const start = at + size[0].length
    if (rest.length < start + bytes + 2) return undefined
    body += rest.slice(start, start + bytes)
    at = start + bytes + 2
    if (bytes === 0) return found(body, at)
  }
}
