import type { Effect, ErrorCode, Outcome, RunState, StepState } from '@gatehouse/contract'
import type { HttpAnswer } from '@gatehouse/upstream'

/** What an attempt came to: for the ledger, and for the person who waits. */
export interface Classified {
  outcome: Outcome
  state: StepState
  /** Undefined when the step succeeded. */
  errorCode?: ErrorCode
}

/**
 * Classes what was seen of one attempt (RUNS.md, table of outcomes). The rule behind it: where a
 * submit may have been received and nobody can tell, it is `unknown`, never "failed"; where nothing
 * can have been received, or repeating does no harm, the step counts as not started.
 */
export function classifyAnswer(answer: HttpAnswer, effect: Effect, isResend = false): Classified {
  const uncertain = effect === 'submit' ? 'unknown' : 'waiting'
  if (answer.ok) return classifyStatus(answer.status, uncertain, isResend)
  const errorCode = `upstream.${answer.code === 'aborted' ? 'cut' : answer.code}` as const
  if (!answer.isSent) return { outcome: 'not_sent', state: 'waiting', errorCode }
  // The head of a refusal tells enough, whether or not its body arrived whole.
  if (answer.status !== undefined && answer.status >= 400)
    return classifyStatus(answer.status, uncertain, isResend)
  return { outcome: answer.code === 'timeout' ? 'timeout' : 'cut', state: uncertain, errorCode }
}

function classifyStatus(status: number, uncertain: StepState, isResend: boolean): Classified {
  const errorCode = 'upstream.status'
  if (status === 208) {
    return isResend
      ? { outcome: 'ok_duplicate', state: 'succeeded' }
      : { outcome: 'duplicate', state: 'blocked', errorCode }
  }
  if (status >= 200 && status < 300) return { outcome: 'ok', state: 'succeeded' }
  if (status < 400) {
    // 307 and 308 ask for the request elsewhere; the others may follow upon its execution.
    const isRefusal = status === 307 || status === 308
    return isRefusal
      ? { outcome: 'rejected', state: 'rejected', errorCode: 'upstream.redirect' }
      : {
          outcome: 'server_error',
          state: uncertain === 'unknown' ? 'unknown' : 'rejected',
          errorCode: 'upstream.redirect',
        }
  }
  if (status === 401 || status === 403 || status === 407)
    return { outcome: 'auth', state: 'blocked', errorCode }
  if (status === 408) return { outcome: 'timeout', state: uncertain, errorCode: 'upstream.timeout' }
  if (status === 429) return { outcome: 'throttled', state: 'waiting', errorCode }
  if (status < 500) return { outcome: 'rejected', state: 'rejected', errorCode }
  return { outcome: 'server_error', state: uncertain, errorCode }
}

/** What our own death amid an attempt comes to, found at the next start. */
export function classifyCrash(effect: Effect): Classified {
  return { outcome: 'crash', state: effect === 'submit' ? 'unknown' : 'waiting' }
}

/** The state of a run whose deciding step ended so. */
export function runStateOf(step: StepState): RunState {
  if (step === 'sending') return 'running'
  return step === 'waiting' ? 'not_started' : step
}
