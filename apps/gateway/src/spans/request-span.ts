import { randomHex, traceparent, type TraceParent } from '@gatehouse/logging/spans'

/** One call of an upstream within a request. Times are on the clock of `performance.now()`. */
export class CallSpan {
  readonly spanId = randomHex(8)
  readonly startedAtMs = performance.now()
  readonly server: string
  /** The header field that tells the upstream which call it answers. */
  readonly header: [string, string]
  endedAtMs = 0
  status = 0
  failure: string | null = null

  /** `server`: host and port that are called. */
  constructor({ traceId, isSampled }: RequestSpan, server: string) {
    this.server = server
    this.header = ['traceparent', traceparent({ traceId, spanId: this.spanId, isSampled })]
  }

  /** Once; what comes later changes nothing. */
  end({ status, failure }: { status: number; failure: { failure: string } | null }): void {
    if (this.endedAtMs !== 0) return
    this.endedAtMs = performance.now()
    this.status = status
    this.failure = failure === null ? null : `upstream.${failure.failure}`
  }
}

/** The span of one request to the gateway, and those of its calls. */
export class RequestSpan {
  readonly traceId: string
  /** Of the caller; null: the trace begins here. */
  readonly parentId: string | null
  readonly spanId = randomHex(8)
  readonly isSampled: boolean
  readonly calls: CallSpan[] = []

  constructor(parent: TraceParent | null, isSampled: boolean) {
    this.traceId = parent?.traceId ?? randomHex(16)
    this.parentId = parent?.spanId ?? null
    this.isSampled = isSampled
  }

  startCall(server: string): CallSpan {
    const call = new CallSpan(this, server)
    if (this.isSampled) this.calls.push(call)
    return call
  }
}
