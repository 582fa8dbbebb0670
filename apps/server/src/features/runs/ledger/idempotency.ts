import { createHash } from 'node:crypto'
import type { RunKind, RunState } from '@gatehouse/contract'
import { fieldError } from '../../../kernel/app-error.ts'
import { isUnderWay } from './run-state.ts'

/** The facts of a run that decide whether another may be made. */
export interface KnownRun {
  id: number
  state: RunState
  contentHash: string | null
  /** A submit of it was accepted, is under way, or may have been accepted. */
  mayBeAccepted: boolean
  /** Any of its steps is a submit. */
  hasSubmit: boolean
  /** The run that corrects or replaces it. */
  retriedBy: number | null
}

interface BeginQuestion {
  contentHash: string
  /** The run with the same key, user and kind; undefined without such a run or without a key. */
  byKey: KnownRun | undefined
  hasKey: boolean
  /** Runs of the same kind and content, newest first. */
  sameContent: readonly KnownRun[]
  /** Whether the content serves as the key where there is none: tax and credit. */
  isContentKey: boolean
  /** Whether a step of the new run is a submit. */
  hasSubmit: boolean
  /** Whether the new run replaces another and keeps its accepted steps. */
  isRetry: boolean
}

export type BeginDecision =
  | { what: 'begin'; retryOf: number | null }
  /** Answer with that run; nothing is sent. */
  | { what: 'replay'; runId: number }
  | { what: 'in_progress'; runId: number }
  | { what: 'key_reused'; runId: number }
  /** The same content was sent, and its outcome is unknown. */
  | { what: 'unresolved'; runId: number }
  /** The same content ended part-way, after a step of it was accepted. */
  | { what: 'may_be_accepted'; runId: number }
  /** The same content failed, and a run that corrects it was sent. */
  | { what: 'superseded'; runId: number; by: number }

/** Decides whether a request makes a new run (spec: idempotency, docs/runs/safety.md). */
export function decideBegin(question: BeginQuestion): BeginDecision {
  const { byKey, contentHash, hasKey, hasSubmit, isContentKey, sameContent } = question
  if (byKey) {
    if (byKey.contentHash !== contentHash) return { what: 'key_reused', runId: byKey.id }
    return isUnanswered(byKey.state)
      ? { what: 'in_progress', runId: byKey.id }
      : { what: 'replay', runId: byKey.id }
  }
  if (isContentKey && !hasKey) return decideByContent(sameContent)
  if (!hasSubmit) return { what: 'begin', retryOf: null }
  // A new key means "once more". That is refused while the same content is under way or unknown.
  const open = sameContent.find(({ state }) => isUnderWay(state) || state === 'unknown')
  if (open) return { what: isUnderWay(open.state) ? 'in_progress' : 'unresolved', runId: open.id }
  // After a success a new key means "once more"; after a failure it repeats the failed request.
  const partly = sameContent.find((run) => run.state !== 'succeeded' && run.mayBeAccepted)
  if (partly && !question.isRetry) return { what: 'may_be_accepted', runId: partly.id }
  return { what: 'begin', retryOf: null }
}

/** A run that the authority decides later has its answer: it is given again (decision 0015). */
const isUnanswered = (state: RunState) => isUnderWay(state) && state !== 'pending'

function decideByContent(sameContent: readonly KnownRun[]): BeginDecision {
  const open = sameContent.find(({ state }) => isUnderWay(state) || state === 'unknown')
  const latest = open ?? sameContent.find(({ mayBeAccepted }) => mayBeAccepted) ?? sameContent[0]
  if (!latest) return { what: 'begin', retryOf: null }
  if (isUnanswered(latest.state)) return { what: 'in_progress', runId: latest.id }
  if (latest.state === 'succeeded' || latest.mayBeAccepted)
    return { what: 'replay', runId: latest.id }
  return latest.retriedBy === null
    ? { what: 'begin', retryOf: latest.id }
    : { what: 'superseded', runId: latest.id, by: latest.retriedBy }
}

/** The number of the lock for a hash or a key, less than 2^47. */
export const lockNumber = (text: string) =>
  createHash('sha256').update(text).digest().readUIntBE(0, 6) % 2 ** 47

/**
 * The checked key of a request; undefined without one. Throws a 422 for a key that is not valid.
 */
export function readKey(header: string | undefined): string | undefined {
  // The draft standard writes it as a quoted string.
  const key = header?.trim().replace(/^"(.*)"$/, '$1') ?? ''
  if (key === '') return undefined
  if (/^[\x21-\x7e]{8,200}$/.test(key)) return key
  throw fieldError({
    'Idempotency-Key': ['The key must have 8 to 200 visible ASCII characters, like a UUID.'],
  })
}

/** A key that is unique per user and kind of run. */
export const scopedKey = (kind: RunKind, userId: number, key: string) => `${kind}:${userId}:${key}`
