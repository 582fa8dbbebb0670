import type { MappingRow } from '@gatehouse/contract/mapping'
import type { MappedPreview } from '../../entities/mapping/mapped-preview.ts'
import {
  createMappingEngine,
  answerCall,
  type BodyCheck,
  type ReadAnswer,
  type Ask,
  type EngineAnswer,
  type EngineCall,
} from './mapping-engine.ts'

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

/** The engine in a worker, or in the page where the browser has no workers. */
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

interface Waiting {
  call: EngineCall
  resolve: (answer: EngineAnswer | Promise<EngineAnswer>) => void
}

/**
 * Asks the engine in a worker, which is started with the first call and ended when no screen retains it
 * and nothing is being asked. A worker whose code could not be loaded (a lost connection, a new
 * version on the server) says so by an error: from then on all is done in the page.
 */
function askEngineWorker(askHere: () => Ask) {
  const waiting = new Map<number, Waiting>()
  let worker: Worker | undefined
  let fallback: Ask | undefined
  let isRetained = false
  let lastId = 0

  function startWorker(): Worker {
    const started = new Worker(new URL('./mapping-worker.ts', import.meta.url), { type: 'module' })
    started.addEventListener('message', handleMessage)
    started.addEventListener('error', handleError)
    return started
  }
  function handleMessage({ data }: MessageEvent<{ id: number; answer: EngineAnswer }>) {
    waiting.get(data.id)?.resolve(data.answer)
    waiting.delete(data.id)
    endIfIdle()
  }
  function handleError() {
    fallback = askHere()
    for (const { call, resolve } of waiting.values()) resolve(fallback(call))
    waiting.clear()
  }
  function endIfIdle() {
    if (isRetained || waiting.size > 0) return
    worker?.terminate()
    worker = undefined
  }

  const ask: Ask = (call) => {
    if (fallback) return fallback(call)
    return new Promise((resolve) => {
      const id = (lastId += 1)
      waiting.set(id, { call, resolve })
      worker ??= startWorker()
      worker.postMessage({ id, call })
    })
  }
  const retain = () => {
    isRetained = true
    return () => {
      isRetained = false
      endIfIdle()
    }
  }
  return { ask, retain }
}
