import { ProcedureFailure } from './procedure-failure.ts'

/** The time of one call. Its signal aborts with a ProcedureFailure as the reason. */
export interface Deadline {
  signal: AbortSignal
  /** Whether the procedure may have been called, as far as the signal's reason tells. */
  readonly isSent: boolean
  markSent: () => void
  stop(): void
}

/** Starts the clock; `outer` is the caller's own signal, who may leave at any time. */
export function startDeadline(timeoutMs: number, outer: AbortSignal | undefined): Deadline {
  const controller = new AbortController()
  let isSent = false
  const timer = setTimeout(() => {
    const detail = `No answer within ${timeoutMs} ms.`
    controller.abort(new ProcedureFailure('upstream.timeout', { isSent, detail }))
  }, timeoutMs)
  const leave = () => {
    const detail = 'The caller has left.'
    controller.abort(new ProcedureFailure('procedure.cancelled', { isSent, detail }))
  }
  if (outer?.aborted) leave()
  else outer?.addEventListener('abort', leave, { once: true })
  return {
    signal: controller.signal,
    get isSent() {
      return isSent
    },
    markSent() {
      isSent = true
    },
    stop() {
      clearTimeout(timer)
      outer?.removeEventListener('abort', leave)
    },
  }
}
