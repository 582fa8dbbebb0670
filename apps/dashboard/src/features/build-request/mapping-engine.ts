import type { RunSummary } from '@gatehouse/contract'
import {
  looksLikeMappingRows,
  parseExact,
  stringifyExact,
  isExactObject,
  mappingLimits,
  ownValue,
  type ExactJson,
  type MappingRow,
} from '@gatehouse/contract/mapping'
import { jsonProblemOf, type JsonTextProblem } from '../../lib/format/json-problem.ts'
import { previewMapping, type MappedPreview } from '../../entities/mapping/mapped-preview.ts'
import { readRun } from '../../entities/run/read-run.ts'

export interface ReadAnswer {
  /** The server's words, for the toast. */
  message: string
  run: RunSummary | undefined
  /** The data pretty-printed, numbers as they came. */
  text: string
  /** The data in one line, as Send passes it on. */
  json: string
  /** The answer, where it was text and not JSON. */
  plain: string | undefined
}

export interface BodyCheck {
  problem: JsonTextProblem | undefined
  /** The body has the shape of mapping rows, and is taken for those (spec: prepare-data). */
  isRows: boolean
}

/** All that takes long on five megabytes of JSON. It runs in a worker, so that no key press waits. */
interface MappingEngine {
  /** Reads the text of an answer; with `keep`, rows are mapped from its data from then on. */
  read(answerText: string, keep: boolean): ReadAnswer
  map(rows: readonly MappingRow[]): MappedPreview
  check(body: string): BodyCheck
}

export function createMappingEngine(): MappingEngine {
  let kept: ExactJson | undefined
  return {
    read(answerText, keep) {
      const { message, run, data } = readExchange(answerText)
      if (keep) kept = data
      const plain = typeof data === 'string' ? data : undefined
      return { message, run, text: stringifyExact(data, 2), json: stringifyExact(data), plain }
    },
    map: (rows) => previewMapping(kept, rows),
    check(body) {
      const problem = jsonProblemOf(body)
      const isRows =
        problem === undefined && body.trim() !== '' && looksLikeMappingRows(parseExact(body))
      return { problem, isRows }
    },
  }
}

interface ExchangeAnswer {
  /** The server's words, for the toast. */
  message: string
  data: ExactJson
  run: RunSummary | undefined
}

const envelopeBytes = 65_536

/** Reads the answer to Get or Send from its text, so that the numbers in `data` stay as they came. */
export function readExchange(text: string): ExchangeAnswer {
  const { bytes, depth } = mappingLimits
  const answer = parseExact(text, { maxBytes: bytes + envelopeBytes, maxDepth: depth + 1 })
  if (!isExactObject(answer)) throw new Error('The answer is not an object')
  const message = ownValue(answer, 'message')
  return {
    message: typeof message === 'string' ? message : '',
    data: ownValue(answer, 'data') ?? null,
    run: readRun(JSON.parse(stringifyExact(ownValue(answer, 'run') ?? null))),
  }
}

/** What is asked of the engine, as it travels to the worker. */
export type EngineCall =
  | { kind: 'read'; answerText: string; keep: boolean }
  | { kind: 'map'; rows: readonly MappingRow[] }
  | { kind: 'check'; body: string }

export type EngineAnswer =
  | { kind: 'read'; result: ReadAnswer }
  | { kind: 'map'; result: MappedPreview }
  | { kind: 'check'; result: BodyCheck }
  | { kind: 'failed'; message: string }

export type Ask = (call: EngineCall) => Promise<EngineAnswer>

/** Never throws: an error travels as its message. */
export function answerCall(engine: MappingEngine, call: EngineCall): EngineAnswer {
  try {
    switch (call.kind) {
      case 'read':
        return { kind: 'read', result: engine.read(call.answerText, call.keep) }
      case 'map':
        return { kind: 'map', result: engine.map(call.rows) }
      case 'check':
      default:
        return { kind: 'check', result: engine.check(call.body) }
    }
  } catch (error) {
    return { kind: 'failed', message: error instanceof Error ? error.message : '' }
  }
}
