const lineFeed = 10

/** A line is longer than it may be. */
export class LineTooLong extends Error {
  override name = 'LineTooLong'
}

/**
 * The lines of a text in UTF-8, which end with a line feed and nothing else: JSON may hold U+2028 as it is, where Node's
 * `readline` ends a line. Throws LineTooLong before more than `maxBytes` of one are held.
 */
export async function* linesOf(
  input: AsyncIterable<Buffer>,
  maxBytes: number,
): AsyncGenerator<string, undefined> {
  let parts: Buffer[] = []
  let bytes = 0
  const hold = (part: Buffer) => {
    bytes += part.length
    if (bytes > maxBytes) throw new LineTooLong(`A line is longer than ${maxBytes} bytes.`)
    parts.push(part)
  }
  const take = () => {
    const line = Buffer.concat(parts, bytes).toString()
    parts = []
    bytes = 0
    return line
  }
  for await (const chunk of input) {
    let at = 0
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, at)) {
      hold(chunk.subarray(at, end))
      yield take()
      at = end + 1
    }
    hold(chunk.subarray(at))
  }
  if (bytes > 0) yield take()
  return undefined
}
