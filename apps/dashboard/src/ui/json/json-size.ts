import { formatBytes } from '../../lib/format/format-bytes.ts'

const encoder = new TextEncoder()

/** How large a text is, in bytes as UTF-8 and in lines: `1.5 KiB · 42 lines`. */
export function sizeWords(text: string): string {
  if (text === '') return 'empty'
  let lines = 1
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1
  const size = formatBytes(encoder.encode(text).length, 'binary')
  return lines === 1 ? `${size} · 1 line` : `${size} · ${lines} lines`
}
