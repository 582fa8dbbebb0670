import type { MappingRow } from '@gatehouse/contract/mapping'
import { answerCall, type Ask, type EngineAnswer } from './engine-calls.ts'
import { askEngineWorker } from './engine-worker-link.ts'
import type { MappedPreview } from './mapped-preview.ts'
import { createMappingEngine, type BodyCheck, type ReadAnswer } from './mapping-engine.ts'

/** A mapping engine that answers later. Calls are answered in their order. */
export interface EngineLink {
  /** Rejects when the text is no answer of our server. */
  read: (answerText: string, keep: boolean) => Promise<ReadAnswer>
  map: (rows: readonly MappingRow[]) => Promise<MappedPreview>
  check: (body: string) => Promise<BodyCheck>
  /**
   * Keeps the engine alive, and with it the data that it holds, until the returned function is
   * called. Calls made outside of that are answered all the same.
   */
  retain: () => () => void
}

/** The engine in a worker of its own; where there is no such thing, in the page itself. */
export function createEngineLink(): EngineLink {
  const { ask, retain } =
    'Worker' in globalThis ? askEngineWorker(askHere) : { ask: askHere(), retain: () => () => {} }
  return {
    async read(answerText, keep) {
      const answer = await ask({ kind: 'read', answerText, keep })
      if (answer.kind === 'read') return answer.result
      throw unexpected(answer)
    },
    async map(rows) {
      const answer = await ask({ kind: 'map', rows })
      if (answer.kind === 'map') return answer.result
      throw unexpected(answer)
    },
    async check(body) {
      const answer = await ask({ kind: 'check', body })
      if (answer.kind === 'check') return answer.result
      throw unexpected(answer)
    },
    retain,
  }
}

function askHere(): Ask {
  const engine = createMappingEngine()
  return (call) => Promise.resolve(answerCall(engine, call))
}

function unexpected(answer: EngineAnswer) {
  return new Error(answer.kind === 'failed' ? answer.message : `Unexpected answer ${answer.kind}`)
}
