import {
  attributesOf,
  randomHex,
  spanError,
  spanKinds,
  traceparent,
  type OtlpSpan,
} from '@gatehouse/logging/spans'
import type { Exchanged } from '@gatehouse/upstream'
import type { Clock } from '../../../kernel/clock.ts'
import type { RunRow } from '../ledger/run-store.ts'
import { traceOf, type RunTrace } from '../ledger/reading/run-trace.ts'
import { callAttributes, callName } from './call-attributes.ts'

/** Where a call goes. */
export interface CalledUrl {
  method: string
  url: string
  /** The path as the endpoint has it, with its parameters. */
  template: string
}

export interface AskedSpan {
  /** The header that says which span the call is. */
  traceparent: string
  end: (exchanged: Exchanged) => void
}

interface AskedCall {
  trace: RunTrace
  spanId: string
  runId: number
  called: CalledUrl
  startedAt: Date
  endedAt: Date
}

/** Undefined where the run belongs to no trace. What is made of it goes to `add`, where the run is sampled. */
export function askedSpan(
  run: RunRow,
  called: CalledUrl,
  clock: Clock,
  add: (span: OtlpSpan) => void,
): AskedSpan | undefined {
  const trace = traceOf(run)
  if (!trace) return undefined
  const spanId = randomHex(8)
  const startedAt = clock.now()
  return {
    traceparent: traceparent({ ...trace, spanId }),
    end: (exchanged) => {
      if (!trace.isSampled) return
      const endedAt = clock.now()
      add(spanOf({ trace, spanId, runId: run.id, called, startedAt, endedAt }, exchanged))
    },
  }
}

function spanOf(asked: AskedCall, { shown }: Exchanged): OtlpSpan {
  const { trace, spanId, runId, called, startedAt, endedAt } = asked
  const call = callAttributes(called)
  const isWell = shown.ok && shown.status < 400
  return {
    traceId: trace.traceId,
    spanId,
    ...(trace.parentId === null ? {} : { parentSpanId: trace.parentId }),
    name: callName(call),
    kind: spanKinds.client,
    startTimeUnixNano: `${startedAt.getTime()}000000`,
    endTimeUnixNano: `${endedAt.getTime()}000000`,
    attributes: attributesOf({
      ...call,
      'http.response.status_code': shown.status ?? null,
      'gatehouse.run_id': runId,
      'gatehouse.attempt_kind': 'status_query',
      'error.type': isWell ? null : shown.ok ? String(shown.status) : shown.code,
    }),
    ...(isWell ? {} : { status: { code: spanError } }),
  }
}
