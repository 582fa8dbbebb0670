import { HeadingReader } from './heading.ts'
import { isJsonLogLine } from './json-line.ts'

/** How a file is read. The first two are the standard format; in the last each line is an entry. */
export type LineFormat = 'headings' | 'json' | 'plain'

/** So much of a file's beginning decides how it is read. */
export const formatHeadBytes = 64 * 1024

/** The format of the first line in a file's head that has one; a head without any is plain. */
export function detectFormat(head: Buffer): LineFormat {
  const heading = new HeadingReader()
  let at = bomLength(head)
  while (at < head.length) {
    const newline = head.indexOf(0x0a, at)
    const end = newline < 0 ? head.length : newline
    if (heading.read(head, at, end)) return 'headings'
    if (isJsonLogLine(head, at, end)) return 'json'
    at = end + 1
  }
  return 'plain'
}

/** The byte order mark that some editors put before UTF-8. */
export function bomLength(head: Uint8Array): number {
  return head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0
}
