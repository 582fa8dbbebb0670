/** Braces included; a path alone may have 256 characters. */
const placeholderMaxLength = 300
const shownMaxLength = 100
const braces = /\{{2,}/g
const ours = /\s{0,8}(steps|input)\b/y

/** What a placeholder takes from: an earlier step, or the input of a workflow. */
export interface Written {
  from: 'steps' | 'input'
  /** What follows that word. */
  rest: string
}

/**
 * A piece of a text: plain text as it is sent, or what two braces open. For the latter, `written`
 * is null where it is no placeholder.
 */
interface Piece {
  text: string
  /** Of what two braces open: where it begins. */
  at?: number
  written?: Written | null
}

/**
 * Cuts a text at its placeholders. A placeholder without an end can't be read. In a sequence of
 * braces each four mean two braces of text, and the last two of the rest open a placeholder.
 */
export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = []
  let done = 0
  let plain = ''
  for (;;) {
    braces.lastIndex = done
    const match = braces.exec(text)
    if (!match) break
    const { length } = match[0]
    const inner = match.index + length
    const left = length % 4
    plain += text.slice(done, match.index) + '{{'.repeat((length - left) / 4)
    if (left % 2 === 1) plain += '{'
    done = inner
    if (left < 2) continue
    if (plain !== '') pieces.push({ text: plain })
    plain = ''
    const opened = openedAt(text, inner)
    pieces.push(opened.piece)
    done = opened.end
  }
  plain += text.slice(done)
  if (plain !== '') pieces.push({ text: plain })
  return pieces
}

/** Whether a text is nothing but one placeholder. */
export function isOnePlaceholder(text: string): boolean {
  const [only, ...others] = piecesOf(text)
  return Boolean(only?.written) && others.length === 0
}

/** The piece that is opened by the two braces before `inner`. */
function openedAt(text: string, inner: number): { piece: Piece; end: number } {
  ours.lastIndex = inner
  const word = ours.exec(text)?.[1]
  const begin = ours.lastIndex
  const { end, isClosed } = word === undefined ? endOfStray(text, inner) : endOf(text, begin)
  const whole = text.slice(inner - 2, end)
  if (word === undefined) return { piece: { text: whole, at: inner - 2, written: null }, end }
  // What is not closed can't be read.
  const rest = isClosed ? text.slice(begin, end - 2).trim() : '?'
  const written = { from: word as Written['from'], rest }
  return { piece: { text: whole, at: inner - 2, written }, end }
}

/**
 * For messages only: up to the nearest closing braces, or the longest text that a message shows.
 */
function endOfStray(text: string, from: number): { end: number; isClosed: boolean } {
  const at = text.slice(from, from + shownMaxLength).indexOf('}}')
  return { end: at < 0 ? from + shownMaxLength : from + at + 2, isClosed: at >= 0 }
}

/** Where the braces that are open at `from` close. Braces in quotes do not count. */
function endOf(text: string, from: number): { end: number; isClosed: boolean } {
  const last = Math.min(text.length, from + placeholderMaxLength)
  let quote = ''
  for (let at = from; at < last; at++) {
    const char = text[at] ?? ''
    if (quote !== '') {
      if (char === '\\') at++
      else if (char === quote) quote = ''
    } else if (char === "'" || char === '"') quote = char
    else if (char === '}' && text[at + 1] === '}') return { end: at + 2, isClosed: true }
  }
  return { end: last, isClosed: false }
}
