import type { AgentQuestion, AgentReply, ToolCount } from '@gatehouse/contract/gateway'
import type {
  CacheCounts,
  ConfigSnapshot,
  GatewayWorker,
  NodeLimits,
  SnapshotApi,
  SnapshotChanges,
  SnapshotEndpoint,
} from '@gatehouse/contract'
import type { ProcedureAnswered } from '@gatehouse/upstream'

/** The fleet of gateway workers as the control plane sees it; the standalone app puts a real one in. */
export interface GatewayLink {
  /** Where the gateway listens. */
  readonly address: { address: string; port: number }
  readonly url: string
  /**
   * Hands the snapshot to every worker and returns once each has answered, or died, or 10 s have passed.
   * `changes` lead to it from the one that was published before.
   */
  publish(snapshot: ConfigSnapshot, changes?: SnapshotChanges): Promise<PublishResult>
  workers(): GatewayWorker[]
  /**
   * Each worker reports each second; what was counted while the control plane was away comes by minute. A report that
   * is not settled when this process ends comes again, to the next.
   */
  onReport(listener: (report: GatewayReport) => void | Promise<void>): void
  /** A stored procedure returned another shape than before, or answered for the first time. */
  onProcedureSeen(listener: (apiId: number, seen: SeenProcedure) => void): void
  /**
   * A header by which one request asks the worker for its trace, which comes once it was answered. A
   * request that turns out to be for another endpoint is refused. With `as`, the gateway takes that one
   * request, if it is sent at once, as one with this token or role, which it checks like any other.
   */
  startTrace(endpointId: number, as?: TriedAs): StartedTrace
  /**
   * The same for a definition that is not saved. The one request that carries the header meets it at its
   * path; no other request does, and no worker's configuration changes. To be sent at once.
   */
  startUnsavedTrace(unsaved: UnsavedEndpoint, as?: TriedAs): Promise<StartedTrace>
  /**
   * Supplies tokens of authorities to workers that ask for one; `refused` is the version that an upstream
   * has refused. Rejects where there is none; the message holds no secret.
   */
  onTokenWanted(supply: (apiId: number, refused: number | null) => Promise<GatewayToken>): void
  /** Answers agents that ask for workflows of their token; where nobody does, they find none. */
  onAgentAsked(answer: (question: AgentQuestion) => Promise<AgentReply>): void
  /** Hands a new token to every worker. It is no new configuration. */
  setToken(apiId: number, token: GatewayToken): void
  /** The database has answered. Called each second while it is there, on PostgreSQL. */
  heard(): void
  /** Tells every worker, also those that start later, what all workers have counted of tokens with a quota. */
  setTokenUsage(usages: readonly TokenUsage[]): void
  /** How many servers carry traffic, this one among them: each has a share of limits that are not counted together. */
  setServers(servers: number): void
  /** How rate limits are counted. */
  limits(): NodeLimits
  /** Called once, when the control plane listens: no upstream call may reach these addresses. */
  blockAddresses(own: readonly { address: string; port: number }[]): void
  /** Forgets all who listen: the control plane that they belong to could not be started. */
  forget(): void
  /** Waits for requests in flight, 30 s at most. The last reports have arrived when it settles. */
  stop(): Promise<void>
}

/** What all gateways have let through of a token with a quota. */
export interface TokenUsage {
  token_id: number
  /** In UTC, like 2026-11-23. */
  day: string
  /** On that day, and in its month up to it. */
  today: number
  this_month: number
}

export interface StartedTrace {
  header: readonly [string, string]
  /** Undefined where the worker's report did not come in time. */
  trace: Promise<GatewayTrace | undefined>
}

/** An endpoint as it would be saved. */
export interface UnsavedEndpoint {
  /** Its id is 0 where no role has access to it yet: it is new, or moves to another API. */
  endpoint: SnapshotEndpoint
  /** Id of the endpoint whose place it would take; null: it is new. */
  replaces: number | null
  /**
   * Its API as it would be saved, over HTTP and with a credential that needs no token any more; null: as it is
   * served. Its id is 0 where it is new.
   */
  api: SnapshotApi | null
}

/** A personal token or a role that a request is tried with, and that request. */
export type TriedAs = TriedClient & {
  method: string
  /** Path and query. */
  target: string
}

export type TriedClient = { tokenId: number } | { roleId: number }

/** A token for the calls of one API. */
export interface GatewayToken {
  token: string
  /** Rises with each token of a credential. */
  version: number
  renewAt: Date
  expiresAt: Date
}

export interface PublishResult {
  /** Workers that run on it now. 0 without a refusal: no worker runs, and the next one started takes it. */
  accepted: number
  /** Why workers keep their earlier snapshot, for an administrator to read; undefined: none does. */
  refusal: string | undefined
}

/** What a worker counted since its last report. */
export interface GatewayReport {
  /** When, ISO 8601; absent: just now. */
  at?: string
  traffic: readonly TrafficCount[]
  /** Requests let in per personal token: token id, times. */
  token_uses: readonly (readonly [number, number])[]
  /** Calls of tools by personal tokens. */
  tool_calls: readonly ToolCount[]
  /** Requests of tokens with a quota that were let through: token id, times. */
  quota_uses: readonly (readonly [number, number])[]
  /** Issuers whose tokens name a key that is not known. */
  unknown_keys: readonly number[]
  web_sockets: WebSocketCount
}

/** WebSockets since the last report. */
interface WebSocketCount {
  opened: number
  refused: number
  bytes_in: number
  bytes_out: number
}

export interface TrafficCount {
  /** 0: no endpoint was matched. */
  endpoint_id: number
  status: number
  requests: number
  duration_ms: number
  bytes_in: number
  bytes_out: number
  /** One count per bucket of `latencyBucketsMs`, and one for what took longer. */
  buckets: readonly number[]
  /** Absent: no request asked a cache. */
  cache?: CacheCounts | undefined
}

/** What a call showed of a stored procedure. */
export type SeenProcedure = Pick<ProcedureAnswered, 'signature' | 'columns'>

/** How a worker handled one request, stage by stage. */
export interface GatewayTrace {
  request_id: string
  revision: number
  took_ms: number
  stages: readonly {
    name: string
    verdict: 'passed' | 'refused' | 'answered' | 'skipped'
    started_ms: number
    took_ms: number
    code?: string
    details: Record<string, unknown>
  }[]
}
