/** Shorter texts have no trigram. */
const indexedMin = 3

/** Whether trigrams can find a text. SQLite's query language would end a text at a NUL. */
export const isIndexed = (text: string) => [...text].length >= indexedMin && !text.includes('\0')

export const isAscii = (text: string) => Buffer.byteLength(text) === text.length

/**
 * A query for FTS5 that finds rows which may hold a text in these columns. It looks for trigrams that
 * cover the text, which are a third of all; what it finds has to be verified. Inside quotes, a doubled
 * quote is the only escape.
 */
export function matching(text: string, columns: readonly string[]): string {
  const quoted = (part: string) => `"${part.replaceAll('"', '""')}"`
  const parts = isAscii(text) ? covering(text).map(quoted).join(' AND ') : quoted(text)
  return `{${columns.join(' ')}} : (${parts})`
}

function covering(text: string): string[] {
  const starts = Array.from({ length: Math.floor(text.length / indexedMin) }, (_, at) => at * 3)
  if (text.length % indexedMin > 0) starts.push(text.length - indexedMin)
  return starts.map((start) => text.slice(start, start + indexedMin))
}
