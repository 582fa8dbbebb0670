/**
 * Writes JSON over several lines. Only white space between its tokens changes: numbers and escapes stay as
 * they were written. The text must be JSON.
 */
export function indentJson(json: string): string {
  let depth = 0
  const lineEnd = () => `\n${'  '.repeat(depth)}`
  const write = (token: string) => {
    if (/^[[{]\s*[\]}]$/.test(token)) return token.replaceAll(/\s/g, '')
    if (token === '{' || token === '[') {
      depth++
      return token + lineEnd()
    }
    if (token === '}' || token === ']') {
      depth--
      return lineEnd() + token
    }
    if (token === ',') return token + lineEnd()
    return token === ':' ? ': ' : token
  }
  return (json.match(tokens) ?? []).map(write).join('')
}

/** Texts, empty objects and lists, signs, and whatever lies between them. */
const tokens = /"(?:[^"\\]|\\.)*"|[[{]\s*[\]}]|[[\]{},:]|[^\s"[\]{},:]+/g
