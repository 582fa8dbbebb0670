import type { Server } from 'node:net'
import type { ProcedureAnswered } from '@gatehouse/upstream'

// Upper bounds of the latency histogram: the control plane stores and draws what is counted here.
export { latencyBucketsMs } from '@gatehouse/contract/gateway'

/**
 * What the supervisor and a worker say to each other over IPC (Node's `fork`, JSON serialisation).
 *
 *   supervisor                                     worker
 *   start {settings} + listening socket  ───────→
 *   snapshot {snapshot}                  ───────→  checks, compiles, swaps
 *                                        ←───────  snapshot-accepted, or -refused: the last good one stays
 *                                        ←───────  ready, once: listening, with a snapshot
 *                                        ←───────  procedure-seen, for the contract lock
 *                                        ←───────  report each second; trace where asked for
 *   own-addresses {ownAddresses}         ───────→  never calls them from now on
 *                                        ←───────  token-wanted {api_id}: a request waits for one
 *   token {api_id, token}                ───────→  to every worker when it is new, or to the one that asked
 *   token-failed {api_id, message}       ───────→
 *   rate-takes {takes}                   ←──────→  what rate limits let through; passed on to the others
 *   lame-duck                            ───────→  finishes what is in flight
 *                                        ←───────  drained, after its last report; then it exits with 0
 *
 * A worker whose parent is gone (`disconnect`) behaves as after `lame-duck`.
 */

/** How slowly the body of a request may arrive. */
export interface UploadBounds {
  /** The time that every body has. */
  graceMs: number
  /** Beyond that, this many bytes for each further second. */
  minBytesPerSecond: number
  /** For all of it, however fast. */
  maxMs: number
}

/** Everything a worker needs beside the snapshot. It reads no environment variable and no other file. */
export interface WorkerSettings {
  /** Part of the name of its log file: `gateway-1-2026-11-21.log`. From 1, one per slot, so that a restart goes on in the same file. */
  worker: number
  /** Where `logs/gateway` lies; null: no access log. */
  dataDir: string | null
  logLevel: 'debug' | 'info' | 'warn' | 'error'
  /** Where to listen, unless a listening socket comes with the message. */
  listen: { host: string; port: number } | null
  /** PEM texts; null: plain HTTP. */
  tls: { cert: string; key: string } | null
  /** CIDR ranges of peers whose X-Forwarded-* are believed. */
  trustedProxies: string[]
  /** CIDR ranges that count as internal. */
  internalNetworks: string[]
  upstreamAllow: string[]
  upstreamDeny: string[]
  /** Our listeners and the store: never called as an upstream. */
  ownAddresses: { address: string; port: number }[]
  /** Signs `x-gatehouse-trace`; null: no traces. */
  traceSecret: string | null
  /** How long an idle connection of a client is kept. */
  keepAliveMs: number
  /** Connections that one client address may have to this worker; trusted proxies have no such bound. */
  connectionsPerAddress: number
  /** How slowly bodies of requests may arrive. */
  upload: UploadBounds
  /** How long what is in flight may take once the worker is to stop. */
  drainMs: number
}

export const workerDefaults = {
  tls: null,
  trustedProxies: [],
  internalNetworks: [
    '127.0.0.0/8',
    '::1',
    '10.0.0.0/8',
    '172.16.0.0/12',
    '192.168.0.0/16',
    'fc00::/7',
  ],
  upstreamAllow: [],
  upstreamDeny: [],
  ownAddresses: [],
  traceSecret: null,
  keepAliveMs: 5_000,
  connectionsPerAddress: 512,
  upload: { graceMs: 20_000, minBytesPerSecond: 500, maxMs: 3_600_000 },
  drainMs: 30_000,
} as const satisfies Partial<WorkerSettings>

/** Sent once, first. The listening socket travels as the handle of the same message. */
interface StartMessage {
  type: 'start'
  settings: WorkerSettings
}

/** A `ConfigSnapshot`, whole. The worker checks it and trusts no part of it. */
interface SnapshotMessage {
  type: 'snapshot'
  snapshot: unknown
}

interface LameDuckMessage {
  type: 'lame-duck'
}

/** In place of the settings' own ones: by now the control plane listens too. */
interface OwnAddressesMessage {
  type: 'own-addresses'
  ownAddresses: WorkerSettings['ownAddresses']
}

/** API, the client as the limit counts it, times. */
export type RateTake = [apiId: number, client: string, times: number]

/**
 * What a worker's rate limits have let through since its last such message; passed on to the other
 * workers, which count it too.
 */
export interface RateTakesMessage {
  type: 'rate-takes'
  takes: RateTake[]
}

/** A token of an authority, for calls of one API. */
export interface UpstreamToken {
  token: string
  /** Rises with each token of a credential. */
  version: number
  /** From here on the worker asks for the next one. Milliseconds since 1970, as is its end. */
  renew_at_ms: number
  expires_at_ms: number
}

export interface TokenMessage {
  type: 'token'
  api_id: number
  token: UpstreamToken
}

/** There is no token, for a `token-wanted` with the same `refused`. */
export interface TokenFailedMessage {
  type: 'token-failed'
  api_id: number
  refused: number | null
  /** For an administrator; holds no secret. */
  message: string
}

export type ToWorker =
  | StartMessage
  | SnapshotMessage
  | OwnAddressesMessage
  | RateTakesMessage
  | TokenMessage
  | TokenFailedMessage
  | LameDuckMessage

/** What may be sent along with a `start`. */
export type ListeningHandle = Server

/** Listening, with a snapshot in force. */
interface ReadyMessage {
  type: 'ready'
  revision: number
  /** The port; of interest where `listen.port` was 0. */
  port: number
}

interface SnapshotAcceptedMessage {
  type: 'snapshot-accepted'
  revision: number
}

interface SnapshotRefusedMessage {
  type: 'snapshot-refused'
  /** What it claimed to be; null where not even that could be read. */
  revision: number | null
  /** For an administrator; holds no secret. */
  reason: string
  /** The one that stays in force; null: none yet. */
  kept: number | null
}

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
  /** At this moment. */
  in_flight: number
  connections: number
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
  /** As in the header, which reads `{id}.{traceSignature(secret, id)}`. */
  id: string
  request_id: string
  revision: number
  status: number
  took_ms: number
  stages: TraceStage[]
}

/** What a stored procedure came back with, where that is not what this worker saw last. */
export interface ProcedureSeenMessage {
  type: 'procedure-seen'
  api_id: number
  signature: ProcedureAnswered['signature']
  columns: ProcedureAnswered['columns']
}

/** A worker never signs in: it asks its parent. */
export interface TokenWantedMessage {
  type: 'token-wanted'
  api_id: number
  /** The version that an upstream has refused: another one is wanted. Null: any that lives. */
  refused: number | null
}

interface DrainedMessage {
  type: 'drained'
  /** Requests that were still under way when the time was up. */
  cut: number
}

export type FromWorker =
  | ReadyMessage
  | SnapshotAcceptedMessage
  | SnapshotRefusedMessage
  | ReportMessage
  | TraceMessage
  | ProcedureSeenMessage
  | RateTakesMessage
  | TokenWantedMessage
  | DrainedMessage
