const encoder = new TextEncoder()

/** How large a text is, in bytes as UTF-8 and in lines: `1.5 KiB · 42 lines`. */
export function describeSize(text: string): string {
  if (text === '') return 'empty'
  let lines = 1
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1
  return `${formatBytes(encoder.encode(text).length)} · ${lines} ${lines === 1 ? 'line' : 'lines'}`
}

export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(1)} KiB`
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`
}
