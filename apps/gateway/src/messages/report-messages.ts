// Upper bounds of the latency histogram: the control plane stores and draws what is counted here.
export { latencyBucketsMs } from '@gatehouse/contract/gateway'
import type { CacheCounts, ToolCount } from '@gatehouse/contract/gateway'

/** What came in since the last report, for one endpoint and status. */
export interface TrafficDelta {
  /** 0: no endpoint was matched. */
  endpoint_id: number
  /** As answered; 499 where the client left first, 0 where the answer was cut off after its head. */
  status: number
  requests: number
  /** Sum of the time from the request's head to the end of the answer. */
  duration_ms: number
  /** Sum of the part that the upstream took; 0 where none was called. */
  upstream_ms: number
  /** Bodies only. */
  bytes_in: number
  bytes_out: number
  /** One count per bucket of `latencyBucketsMs`, and one beyond; not cumulative. */
  buckets: number[]
  /** Absent: no request asked a cache. */
  cache?: CacheCounts
}

/** A circuit breaker that is open in a worker. */
export interface OpenBreaker {
  api_id: number
  /** How long. A duration: the clocks of machines differ. */
  open_ms: number
}

/** WebSockets: those that are open, and what was counted since the last report. */
export interface WebSocketReport {
  open: number
  opened: number
  /** Requests for one that were refused, here or by the upstream. */
  refused: number
  /** Frames of clients, and of upstreams. */
  bytes_in: number
  bytes_out: number
}

/** Each second, and once more before `drained`. Deltas add up; a worker that dies loses at most its last. */
export interface ReportMessage {
  type: 'report'
  /** ISO 8601. */
  at: string
  traffic: TrafficDelta[]
  /** How often each code was answered. */
  codes: Record<string, number>
  /** Requests let in per personal token: `[token id, times]`. */
  token_uses: [number, number][]
  /** Calls of tools by personal tokens. */
  tool_calls: ToolCount[]
  /** Requests of tokens with a quota that were let through: `[token id, times]`. */
  quota_uses: [number, number][]
  /** Issuers whose tokens name a key that is not known. */
  unknown_keys: number[]
  /** At this moment. */
  in_flight: number
  connections: number
  web_sockets: WebSocketReport
  open_breakers: OpenBreaker[]
  rss_bytes: number
  /** CPU time of the process since its start, user and system. */
  cpu_ms: number
  /** 99th percentile of the event loop's delay since the last report. */
  loop_delay_ms: number
  /** Log lines that could not be written so far. */
  log_lines_lost: number
}

export interface TraceStage {
  /** The name of a stage (stages/): `match`, `authenticate`, … */
  name: string
  verdict: 'passed' | 'refused' | 'answered' | 'skipped'
  /** Since the request's head had been read. */
  started_ms: number
  took_ms: number
  /** The gateway's code where refused. */
  code?: string
  /** Facts for the screen, secrets masked. */
  details: Record<string, unknown>
}

/** Sent once the answer of a request with a valid `x-gatehouse-trace` has ended. */
export interface TraceMessage {
  type: 'trace'
  /** As in the header, which reads `{id}.` and what follows it (see `traceHeader`). */
  id: string
  request_id: string
  revision: number
  status: number
  took_ms: number
  stages: TraceStage[]
}
