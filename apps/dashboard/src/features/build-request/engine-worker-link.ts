import type { Ask, EngineAnswer, EngineCall } from './engine-calls.ts'

interface Waiting {
  call: EngineCall
  resolve: (answer: EngineAnswer | Promise<EngineAnswer>) => void
}

/**
 * Asks the engine in a worker, which is started with the first call and ended when nobody retains it
 * and nothing is being asked. A worker whose code could not be loaded (a lost connection, a new
 * version on the server) says so by an error: from then on all is done in the page.
 */
export function askEngineWorker(askHere: () => Ask) {
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
