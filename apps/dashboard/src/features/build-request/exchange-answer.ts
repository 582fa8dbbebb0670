import type { RunSummary } from '@gatehouse/contract'
import {
  isExactObject,
  mappingLimits,
  ownValue,
  parseExact,
  stringifyExact,
  type ExactJson,
} from '@gatehouse/contract/mapping'

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

/** The run that an answer, or a refusal, tells of. */
export function readRun(value: unknown): RunSummary | undefined {
  return isRun(value) ? value : undefined
}

function isRun(value: unknown): value is RunSummary {
  return (
    typeof value === 'object' &&
    value !== null &&
    'id' in value &&
    typeof value.id === 'number' &&
    'state' in value &&
    'steps' in value &&
    Array.isArray(value.steps)
  )
}

/** An upstream's answer for reading: JSON pretty-printed with exact numbers, other text as it is. */
export function prettyAnswer(text: string): string {
  try {
    return stringifyExact(parseExact(text), 2)
  } catch {
    return text
  }
}
