import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { BatchType } from '@gatehouse/contract'
import { batchMaxBytes, workflowInputMaxBytes } from '@gatehouse/contract'
import { AppError } from '../../../../kernel/app-error.ts'
import { readCsv } from './csv-inputs.ts'
import type { CsvHeader, RawInput } from './raw-input.ts'
import { splitJsonArray, splitLines } from './split-json-array.ts'

/** An upload, read once. `hash` has the SHA-256 of its bytes when all of it was read. */
interface Upload {
  inputs: AsyncIterable<RawInput>
  hash: () => string
  /** Of CSV, once it was read. */
  header: () => CsvHeader | undefined
}

/**
 * Reads an upload as a stream: one input is held at a time. Throws a 413 past the limits, and a 400 or
 * 422 where it is not of its type as a whole.
 */
export function readUpload(
  body: AsyncIterable<Uint8Array>,
  type: BatchType,
  schema: unknown,
): Upload {
  const hash = createHash('sha256').update(type)
  let header: CsvHeader | undefined
  const pieces = decoded(body, (bytes) => void hash.update(bytes))
  const inputs =
    type === 'text/csv'
      ? readCsv(pieces, schema, (found) => void (header = found))
      : numbered(
          type === 'application/json'
            ? splitJsonArray(pieces, workflowInputMaxBytes)
            : splitLines(pieces, workflowInputMaxBytes),
        )
  return { inputs, hash: () => hash.digest('hex'), header: () => header }
}

async function* numbered(texts: AsyncIterable<string>): AsyncGenerator<RawInput> {
  let line = 0
  for await (const text of texts) yield { line: ++line, text }
}

async function* decoded(
  body: AsyncIterable<Uint8Array>,
  onBytes: (bytes: Uint8Array) => void,
): AsyncGenerator<string> {
  // The mark at the beginning counts: places in the file are told in its bytes.
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let bytes = 0
  try {
    for await (const chunk of body) {
      bytes += chunk.length
      if (bytes > batchMaxBytes)
        throw new AppError('request.too_large', {
          message: 'A batch may not be larger than 200 MB.',
        })
      onBytes(chunk)
      yield decoder.decode(chunk, { stream: true })
      // Chunks that have arrived already would all be read in one turn.
      await nextTurn()
    }
    yield decoder.decode()
  } catch (error) {
    throw malformed(error)
  }
}

function malformed(cause: unknown): unknown {
  // The client has gone away, or was too slow.
  const isCut = cause instanceof Error && 'code' in cause && cause.code === 'ECONNRESET'
  if (!isCut && !(cause instanceof TypeError)) return cause
  const message = isCut ? 'The upload broke off.' : 'The body is not valid UTF-8.'
  return new AppError('request.malformed', { message, cause })
}
