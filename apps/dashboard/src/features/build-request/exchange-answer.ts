import type { RunSummary } from '@gatehouse/contract'
import {
  isExactObject,
  mappingLimits,
  ownValue,
  parseExact,
  stringifyExact,
  type ExactJson,
} from '@gatehouse/contract/mapping'
import { readRun } from '../../entities/run/read-run.ts'

export interface ExchangeAnswer {
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
