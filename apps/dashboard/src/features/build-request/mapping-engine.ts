import type { RunSummary } from '@gatehouse/contract'
import {
  looksLikeMappingRows,
  parseExact,
  stringifyExact,
  type ExactJson,
  type MappingRow,
} from '@gatehouse/contract/mapping'
import { readExchange } from './exchange-answer.ts'
import { jsonProblemOf, type JsonTextProblem } from '../../lib/json-problem.ts'
import { previewMapping, type MappedPreview } from './mapped-preview.ts'

export interface ReadAnswer {
  /** The server's words, for the toast. */
  message: string
  run: RunSummary | undefined
  /** The data pretty-printed, numbers as they came. */
  text: string
  /** The data in one line, as Send passes it on. */
  json: string
  /** What came, where it was a text and no JSON. */
  plain: string | undefined
}

export interface BodyCheck {
  problem: JsonTextProblem | undefined
  /** The body has the shape of mapping rows, and is taken for those (spec: prepare-data). */
  isRows: boolean
}

/** All that takes long on five megabytes of JSON. It runs in a worker, so that no key press waits. */
export interface MappingEngine {
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
