import { isUtf8 } from 'node:buffer'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../app-error.ts'
import { keepText } from '../http/exact-body.ts'
import { fewAtOnce } from '../few-at-once.ts'
import { boundHeldBodies } from './held-bodies.ts'
import type { ParsedJson } from './json-worker.ts'
import { WorkerLink } from '../threads/worker-link.ts'

const jsonMaxDepth = 32
/** Commas, colons and opening brackets: parsing 30,000 keys, or 60,000 values, takes some 20 ms. */
const jsonMaxMarks = 60_000

/** Of a larger body, others have their turn between the passes: counting, decoding, parsing, validation. */
const largeBytes = 262_144
/** A larger body is parsed in another thread, unless its text is needed here. */
const ownTurnBytes = 4 * 1024 * 1024
/** As much of a body is counted in one turn: some 5 ms. */
const countedBytes = 2 * 1024 * 1024

const parser = new WorkerLink<Buffer, ParsedJson>(new URL('json-worker.ts', import.meta.url), {
  name: 'json',
  timeoutMs: 5_000,
  isComputing: true,
  queueMax: 8,
})

/** Of several at the same time each would have its pass in the same turn. */
const oneAfterTheOther = fewAtOnce({ atOnce: 1, queueMax: Infinity })

/**
 * Bodies are JSON and nothing else: other parsers are removed, since a type without a schema
 * would bypass validation. Packed bodies are refused before they are read (RFC 9110 §15.5.16),
 * `__proto__` keys, deep nesting and more values than one turn can parse before use. A route with a raw body gets the text as it was sent.
 */
export function acceptOnlyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  boundHeldBodies(app)
  app.addHook('preParsing', async (request) => {
    // A small body that unpacks to a large one is a cheap attack, and our clients send none.
    const coding = request.headers['content-encoding']
    if (coding !== undefined && coding.trim().toLowerCase() !== 'identity')
      throw new AppError('request.encoding')
  })
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      if (body.length === 0) return undefined
      const { hasRawBody = false, hasExactBody = false } = request.routeOptions.config
      const isElsewhere = body.length > ownTurnBytes && !hasRawBody && !hasExactBody
      const read = async () => {
        await refuseTooMany(body, hasRawBody)
        if (isElsewhere) return undefined
        const text = await textOf(body)
        if (hasRawBody) return text
        keepText(request, text)
        const parsed = await new Promise((resolve, reject) => {
          void parse(request, text, (error, value) => (error ? reject(error) : resolve(value)))
        })
        await pauseAfter(body)
        return parsed
      }
      const parsed = await (body.length > largeBytes ? oneAfterTheOther(read) : read())
      return isElsewhere ? parsedElsewhere(body) : parsed
    },
  )
}

const pauseAfter = async ({ length }: Buffer): Promise<void> => {
  if (length > largeBytes) await nextTurn()
}

async function parsedElsewhere(body: Buffer): Promise<unknown> {
  const parsed = await parser.ask(body)
  if (!parsed) throw new AppError('request.malformed')
  return parsed.value
}

/** Throws an AppError for a body that is too deep, or has too many values. */
async function refuseTooMany(body: Buffer, isRaw: boolean): Promise<void> {
  const count = countMarks(isRaw)
  for (let from = 0; from < body.length; from += countedBytes) {
    await pauseAfter(body)
    const refusal = count(body.subarray(from, from + countedBytes))
    if (refusal) throw refusal
  }
  await pauseAfter(body)
}

/** Throws an AppError where the bytes are not UTF-8. */
async function textOf(body: Buffer): Promise<string> {
  // Decoding puts a sign of its own in place of each wrong byte, which takes four times as long.
  if (!isUtf8(body))
    throw new AppError('request.malformed', { message: 'The body is not valid UTF-8.' })
  const text = body.toString('utf8')
  await pauseAfter(body)
  return text
}

/**
 * Counts brackets, commas and colons outside of strings; one pass over the parts of a body, no parsing. Bytes are
 * read faster than characters, and in UTF-8 no other character holds these (RFC 3629 §3). A raw body is not parsed
 * here, and may have any number of values. Returns what refuses a part.
 */
function countMarks(isRaw: boolean): (part: Uint8Array) => AppError | undefined {
  const marksMax = isRaw ? Infinity : jsonMaxMarks
  let depth = 0
  let marks = 0
  let isInString = false
  let isEscaped = false
  return (part) => {
    for (const char of part) {
      if (isEscaped) isEscaped = false
      else if (isInString) {
        if (char === 0x5c) isEscaped = true
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
}

const tooManyValues = () =>
  new AppError('request.too_large', {
    message: 'The JSON has too many values: at most 60,000, or 30,000 keys.',
  })
