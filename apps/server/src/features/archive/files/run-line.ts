import { createHash } from 'node:crypto'
import type { ArchiveClass } from '@gatehouse/contract'
import type { Row } from '../../../db/tables.ts'

/** A step with its attempts, in their order. */
type StepOfLine = Row<'run_step'> & { attempts: Row<'run_attempt'>[] }

/** A run as a line of the archive holds it: the rows of the ledger, whole (docs/archive.md). */
export interface RunLine {
  format: 1
  class: ArchiveClass
  run: Row<'run'>
  /** What a workflow was given, as it was sent; null outside of workflows. */
  input: string | null
  steps: StepOfLine[]
  documents: Row<'document_step'>[]
}

export const newline = 0x0a

export const hashOf = (data: Uint8Array | string): string =>
  createHash('sha256').update(data).digest('hex')

export const readLine = (text: string): RunLine => JSON.parse(text) as RunLine

/** What of a run has to be the same for its line to be a copy: a column of bytes counts by its length. */
export interface LineFacts {
  state: string
  epoch: number
  input: number | null
  steps: {
    id: number
    state: string
    headers: number
    body: number | null
    source: number | null
  }[]
  attempts: { id: number; outcome: string | null; headers: number | null; body: number | null }[]
}

export function factsOfLine({ run, input, steps }: RunLine): LineFacts {
  return {
    state: run.state,
    epoch: run.epoch,
    input: bytesOf(input),
    steps: steps.map((step) => ({
      id: step.id,
      state: step.state,
      headers: Buffer.byteLength(step.headers),
      body: bytesOf(step.body),
      source: bytesOf(step.source_body),
    })),
    attempts: steps
      .flatMap(({ attempts }) => attempts)
      .map((attempt) => ({
        id: attempt.id,
        outcome: attempt.outcome,
        headers: bytesOf(attempt.answer_headers),
        body: bytesOf(attempt.answer_body),
      })),
  }
}

const bytesOf = (text: string | null) => (text === null ? null : Buffer.byteLength(text))

/** The same for two runs, or a run and its line, that hold the same. */
export function fingerprintOf({ state, epoch, input, steps, attempts }: LineFacts): string {
  const byId = (a: { id: number }, b: { id: number }) => a.id - b.id
  return JSON.stringify([
    state,
    epoch,
    input,
    steps.toSorted(byId).map((step) => [step.id, step.state, step.headers, step.body, step.source]),
    attempts.toSorted(byId).map(({ id, outcome, headers, body }) => [id, outcome, headers, body]),
  ])
}

/** Bytes of what goes into the archive of a run. */
export function factsBytes(facts: LineFacts | undefined): number {
  if (!facts) return 0
  const ofSteps = facts.steps.map(
    ({ headers, body, source }) => headers + (body ?? 0) + (source ?? 0),
  )
  const ofAttempts = facts.attempts.map(({ headers, body }) => (headers ?? 0) + (body ?? 0))
  return [facts.input ?? 0, ...ofSteps, ...ofAttempts].reduce((sum, each) => sum + each, 0)
}
