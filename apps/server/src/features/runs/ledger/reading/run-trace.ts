import { hash } from 'node:crypto'
import type { Row } from '../../../../db/tables.ts'

/** The trace that a run belongs to (W3C Trace Context). It stays the same however often the run is carried out. */
export interface RunTrace {
  /** 32 hexadecimal digits in lower case. */
  traceId: string
  /** The span of the caller; null: the trace begins with the run. */
  parentId: string | null
  isSampled: boolean
}

/** What a run that begins says of its caller. */
export interface TraceSource {
  address: string
  /** The header as it was sent. */
  traceparent?: string | undefined
}

/** The trace of a run that begins; null where spans are off. */
export type TraceFor = (from: TraceSource) => RunTrace | null

export const traceColumns = (trace: RunTrace | null) => ({
  trace_id: trace?.traceId ?? null,
  trace_parent_id: trace?.parentId ?? null,
  is_trace_sampled: trace?.isSampled ? (1 as const) : (0 as const),
})

type TraceRow = Pick<Row<'run'>, 'trace_id' | 'trace_parent_id' | 'is_trace_sampled'>

/** Null where the run was made while spans were off. */
export function traceOf({
  trace_id,
  trace_parent_id,
  is_trace_sampled,
}: TraceRow): RunTrace | null {
  if (trace_id === null) return null
  return { traceId: trace_id, parentId: trace_parent_id, isSampled: is_trace_sampled === 1 }
}

/**
 * The id of a span, computed from what it is about: the upstream that is called now and the span that is
 * made of the ledger later, on whichever server, name the same one.
 */
export const spanIdOf = (
  { traceId }: Pick<RunTrace, 'traceId'>,
  about: { run: number; epoch: number } | { step: number; epoch: number } | { attempt: number },
): string => hash('sha256', `${traceId} ${JSON.stringify(about)}`).slice(0, 16)
