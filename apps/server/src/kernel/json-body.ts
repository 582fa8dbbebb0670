import type { FastifyInstance } from 'fastify'
import { AppError } from './app-error.ts'
import { keepText } from './exact-body.ts'

const jsonMaxDepth = 32
/** Commas, colons and opening brackets: parsing 30,000 keys, or 60,000 values, takes some 20 ms. */
const jsonMaxMarks = 60_000

const largeBytes = 262_144

/**
 * Bodies are JSON and nothing else: other parsers are removed, since a type without a schema
 * would bypass validation. Packed bodies are refused before they are read (RFC 9110 §15.5.16),
 * `__proto__` keys, deep nesting and more values than one turn can parse before use. A route with a raw body gets the text as it was sent.
 */
export function acceptOnlyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addHook('preParsing', async (request) => {
    // A small body that unpacks to a large one is a cheap attack, and our clients send none.
    const coding = request.headers['content-encoding']
    if (coding !== undefined && coding.trim().toLowerCase() !== 'identity')
      throw new AppError('request.encoding')
  })
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    (request, body: Buffer, done) => {
      if (body.length === 0) return done(null, undefined)
      const { hasRawBody = false } = request.routeOptions.config
      const isLarge = body.length > largeBytes
      const refusal = overBound(body, hasRawBody)
      if (refusal) return done(refusal)
      if (hasRawBody) {
        const text = decoded(body)
        return text === undefined
          ? done(new AppError('request.malformed', notUtf8))
          : done(null, text)
      }
      const read = () => {
        const text = body.toString('utf8')
        keepText(request, text)
        void parse(request, text, isLarge ? later(done) : done)
      }
      // Others have their turn between the passes over a large body: counting, parsing, validation.
      return isLarge ? void setImmediate(read) : read()
    },
  )
}

type Done = (error: Error | null, body?: unknown) => void

const later =
  (done: Done): Done =>
  (error, body) =>
    void setImmediate(() => done(error, body))

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const notUtf8 = { message: 'The body is not valid UTF-8.' }

/** The text of a body that a handler parses itself; undefined where its bytes are not UTF-8. */
function decoded(body: Buffer): string | undefined {
  try {
    return utf8.decode(body)
  } catch {
    return undefined
  }
}

/**
 * Counts brackets, commas and colons outside of strings; one pass, no parsing. Bytes are read faster than
 * characters, and in UTF-8 no other character holds these (RFC 3629 §3). A raw body is not parsed here, and
 * may have any number of values.
 */
function overBound(json: Uint8Array, isRaw: boolean): AppError | undefined {
  const marksMax = isRaw ? Infinity : jsonMaxMarks
  let depth = 0
  let marks = 0
  let isInString = false
  for (let at = 0; at < json.length; at++) {
    const char = json[at]
    if (isInString) {
      if (char === 0x5c) at++
      else if (char === 0x22) isInString = false
    } else if (char === 0x22) isInString = true
    else if (char === 0x7b || char === 0x5b) {
      if (++depth > jsonMaxDepth) return new AppError('request.too_deep')
      if (++marks > marksMax) return tooManyValues()
    } else if (char === 0x7d || char === 0x5d) depth--
    else if ((char === 0x2c || char === 0x3a) && ++marks > marksMax) return tooManyValues()
  }
  return undefined
}

const tooManyValues = () =>
  new AppError('request.too_large', {
    message: 'The JSON has too many values: at most 60,000, or 30,000 keys.',
  })
