import { createHash } from 'node:crypto'
import type { RunKind, RunState } from '@gatehouse/contract'
import { fieldError } from '../../../kernel/app-error.ts'

/** A run as far as it matters for whether another may be made. */
export interface KnownRun {
  id: number
  state: RunState
  contentHash: string | null
  /** A submit of it was accepted, is under way, or may have been accepted. */
  mayBeAccepted: boolean
  /** Any of its steps is a submit. */
  hasSubmit: boolean
  /** Another run corrects it, or was sent in its place. */
  retriedBy: number | null
}

export interface BeginQuestion {
  contentHash: string
  /** The run with the same key, user and kind; undefined where there is none, or no key. */
  byKey: KnownRun | undefined
  hasKey: boolean
  /** Runs of the same kind and content, newest first. */
  sameContent: readonly KnownRun[]
  /** Without a key the content is the key: tax and credit. */
  isContentKey: boolean
  /** What is to be sent has a submit among its steps. */
  hasSubmit: boolean
  /** It takes the place of a run, and keeps what was accepted of it. */
  isRetry: boolean
}

export type BeginDecision =
  | { what: 'begin'; retryOf: number | null }
  /** Answer with that run; nothing is sent. */
  | { what: 'replay'; runId: number }
  | { what: 'in_progress'; runId: number }
  | { what: 'key_reused'; runId: number }
  /** The same content was sent, and nobody knows what became of it. */
  | { what: 'unresolved'; runId: number }
  /** The same content ended part-way, after a step of it was accepted. */
  | { what: 'may_be_accepted'; runId: number }
  /** The same content failed, and a run that corrects it was sent. */
  | { what: 'superseded'; runId: number; by: number }

/** Decides whether a request makes a run of its own (spec: idempotency, docs/runs.md). */
export function decideBegin(question: BeginQuestion): BeginDecision {
  const { byKey, contentHash, hasKey, hasSubmit, isContentKey, sameContent } = question
  if (byKey) {
    if (byKey.contentHash !== contentHash) return { what: 'key_reused', runId: byKey.id }
    return byKey.state === 'running'
      ? { what: 'in_progress', runId: byKey.id }
      : { what: 'replay', runId: byKey.id }
  }
  if (isContentKey && !hasKey) return decideByContent(sameContent)
  if (!hasSubmit) return { what: 'begin', retryOf: null }
  // A new key says "once more", which nobody can mean of what may be under way or accepted unseen.
  const open = sameContent.find(({ state }) => state === 'running' || state === 'unknown')
  if (open) return { what: open.state === 'running' ? 'in_progress' : 'unresolved', runId: open.id }
  // After a success a new key says "once more"; after a failure it is the same impatient request.
  const partly = sameContent.find((run) => run.state !== 'succeeded' && run.mayBeAccepted)
  if (partly && !question.isRetry) return { what: 'may_be_accepted', runId: partly.id }
  return { what: 'begin', retryOf: null }
}

function decideByContent(sameContent: readonly KnownRun[]): BeginDecision {
  const open = sameContent.find(({ state }) => state === 'running' || state === 'unknown')
  const latest = open ?? sameContent.find(({ mayBeAccepted }) => mayBeAccepted) ?? sameContent[0]
  if (!latest) return { what: 'begin', retryOf: null }
  if (latest.state === 'running') return { what: 'in_progress', runId: latest.id }
  if (latest.state === 'succeeded' || latest.mayBeAccepted)
    return { what: 'replay', runId: latest.id }
  return latest.retriedBy === null
    ? { what: 'begin', retryOf: latest.id }
    : { what: 'superseded', runId: latest.id, by: latest.retriedBy }
}

/** What two requests have to share to be the same: kind, test flag, endpoints and what was typed. */
export function contentHashOf(
  kind: RunKind,
  isTest: boolean,
  steps: readonly { endpointId: number; body: string; dependencyField: string | null }[],
): string {
  const content = steps.map(({ endpointId, body, dependencyField }) => [
    endpointId,
    body,
    dependencyField,
  ])
  return createHash('sha256')
    .update(JSON.stringify([kind, isTest, content]))
    .digest('hex')
}

/** A number for a lock, from a hash or a key: the same for the same, within 2^47. */
export const lockNumber = (text: string) =>
  createHash('sha256').update(text).digest().readUIntBE(0, 6) % 2 ** 47

/** The key of a request as it came, checked; undefined where there is none. Throws a 422. */
export function readKey(header: string | undefined): string | undefined {
  // The draft standard writes it as a quoted string.
  const key = header?.trim().replace(/^"(.*)"$/, '$1') ?? ''
  if (key === '') return undefined
  if (/^[\x21-\x7e]{8,200}$/.test(key)) return key
  throw fieldError({
    'Idempotency-Key': ['The key must have 8 to 200 visible ASCII characters, like a UUID.'],
  })
}

/** One person's key for one kind of run. */
export const scopedKey = (kind: RunKind, userId: number, key: string) => `${kind}:${userId}:${key}`
