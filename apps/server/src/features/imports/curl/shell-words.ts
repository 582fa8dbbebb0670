/** A command can't be split: a quotation mark is open. */
export class OpenQuote extends Error {
  override name = 'OpenQuote'
}

const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t' }

/**
 * The words of a command as a POSIX shell splits them: quotation marks, backslashes, lines that go on. Variables and
 * commands in it are text. Takes time in proportion to the text. Throws `OpenQuote`.
 */
export function shellWords(command: string): string[] {
  const words: string[] = []
  let word: string | undefined
  let at = 0
  while (at < command.length) {
    const sign = command[at]!
    const joined = joinAt(command, at)
    const read = joined > 0 ? undefined : quoteAt(command, at)
    if (joined > 0) at += joined
    else if (read) {
      word = (word ?? '') + read.text
      at = read.end
    } else if (/\s/.test(sign)) {
      if (word !== undefined) words.push(word)
      word = undefined
      at++
    } else {
      word = (word ?? '') + sign
      at++
    }
  }
  if (word !== undefined) words.push(word)
  return words
}

interface Read {
  text: string
  /** Of the sign behind it. */
  end: number
}

/** What a quotation mark or a backslash at this place stands for; undefined: the sign is itself. */
function quoteAt(command: string, at: number): Read | undefined {
  const sign = command[at]
  if (sign === '\\') return { text: command[at + 1] ?? '', end: at + 2 }
  if (sign === "'") return single(command, at)
  if (sign === '"') return double(command, at)
  if (sign === '$' && command[at + 1] === "'") return ansi(command, at + 1)
  return undefined
}

/** How long a backslash at the end of a line is, with that end: it joins the line with the next. */
function joinAt(command: string, at: number): number {
  return /^\\\r?\n/.exec(command.slice(at, at + 3))?.[0].length ?? 0
}

function single(command: string, at: number): Read {
  const end = command.indexOf("'", at + 1)
  if (end === -1) throw new OpenQuote()
  return { text: command.slice(at + 1, end), end: end + 1 }
}

/** `"…"`: a backslash counts before a quotation mark, a backslash, `$`, a backtick and the end of a line. */
function double(command: string, from: number): Read {
  const parts: string[] = []
  for (let at = from + 1; at < command.length; at++) {
    const sign = command[at]!
    if (sign === '"') return { text: parts.join(''), end: at + 1 }
    const next = command[at + 1] ?? ''
    if (sign === '\\' && '"\\$`\n'.includes(next)) {
      if (next !== '\n') parts.push(next)
      at++
    } else parts.push(sign)
  }
  throw new OpenQuote()
}

/** `$'…'`, as browsers copy a body: with `\n`, `\'`, `\u0021`. */
function ansi(command: string, from: number): Read {
  const parts: string[] = []
  for (let at = from + 1; at < command.length; at++) {
    const sign = command[at]!
    if (sign === "'") return { text: parts.join(''), end: at + 1 }
    if (sign !== '\\') {
      parts.push(sign)
      continue
    }
    const code = /^(?:u([\da-f]{1,4})|x([\da-f]{1,2}))/i.exec(command.slice(at + 1, at + 6))
    const next = command[at + 1] ?? ''
    parts.push(
      code ? String.fromCharCode(parseInt(code[1] ?? code[2]!, 16)) : (escapes[next] ?? next),
    )
    at += code ? code[0].length : 1
  }
  throw new OpenQuote()
}
