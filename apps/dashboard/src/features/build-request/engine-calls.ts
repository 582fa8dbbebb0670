import type { MappingRow } from '@gatehouse/contract/mapping'
import type { MappedPreview } from './mapped-preview.ts'
import type { BodyCheck, MappingEngine, ReadAnswer } from './mapping-engine.ts'

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
