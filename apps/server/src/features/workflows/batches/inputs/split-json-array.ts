import { AppError } from '../../../../kernel/app-error.ts'

const space = /\s/

/**
 * The elements of a JSON array that arrives in pieces, each as it was written. Elements are told apart
 * by brackets and quotes; whether each is JSON is for the reader to find out. Throws a 400 where the
 * text is no array. Holds one element at a time; `maxLength` bounds it, in characters.
 */
export async function* splitJsonArray(
  pieces: AsyncIterable<string>,
  maxLength: number,
): AsyncGenerator<string> {
  let state = 'before' as 'before' | 'inside' | 'after'
  let element = ''
  let depth = 0
  let isInString = false
  let isEscaped = false
  let hasComma = false
  for await (const piece of pieces) {
    let from = 0
    for (let at = 0; at < piece.length; at++) {
      const char = piece[at]!
      if (isInString) {
        if (isEscaped) isEscaped = false
        else if (char === '\\') isEscaped = true
        else if (char === '"') isInString = false
        continue
      }
      if (state !== 'inside') {
        if (space.test(char) || char === '\uFEFF') continue
        if (state === 'after' || char !== '[') throw notArray()
        state = 'inside'
        from = at + 1
      } else if (char === '"') isInString = true
      else if (char === '[' || char === '{') depth++
      else if (depth > 0 && (char === ']' || char === '}')) depth--
      else if (depth === 0 && (char === ',' || char === ']')) {
        element += piece.slice(from, at)
        from = at + 1
        const isBlank = element.trim() === ''
        if (isBlank && (char === ',' || hasComma)) throw notArray()
        if (!isBlank) yield element.trim()
        element = ''
        hasComma = char === ','
        if (char === ']') state = 'after'
      }
    }
    if (state === 'inside') element += piece.slice(from)
    if (element.length > maxLength) throw tooLong()
  }
  if (state !== 'after') throw notArray()
}

/** The lines of a text that arrives in pieces, without blank ones. */
export async function* splitLines(
  pieces: AsyncIterable<string>,
  maxLength: number,
): AsyncGenerator<string> {
  let rest = ''
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > maxLength) throw tooLong()
    for (const line of lines) if (line.trim() !== '') yield line.trim()
  }
  if (rest.trim() !== '') yield rest.trim()
}

const notArray = () =>
  new AppError('request.malformed', { message: 'The body is not a JSON array of inputs.' })

const tooLong = () =>
  new AppError('request.too_large', { message: 'An input may not be longer than 1 MiB.' })
