import { isUtf8 } from 'node:buffer'
import { parse } from 'secure-json-parse'
import { answerQuestions } from '../threads/answer-questions.ts'

// The thread that parses large bodies: 12 MB of escapes take 50 ms.

/** Undefined where the bytes are no JSON in UTF-8, or have a key that would change a prototype. */
export type ParsedJson = { value: unknown } | undefined

function parsed(bytes: Uint8Array): ParsedJson {
  if (!isUtf8(bytes)) return undefined
  try {
    return { value: parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString()) }
  } catch {
    return undefined
  }
}

answerQuestions(parsed)
