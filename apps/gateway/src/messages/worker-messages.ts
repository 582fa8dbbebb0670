import type { Server } from 'node:net'
import type { ProcedureAnswered } from '@gatehouse/upstream'
import type { AgentAnswerMessage, AgentAskedMessage } from './agent-question-messages.ts'
import type {
  AnswerFoundMessage,
  AnswerKeptMessage,
  AnswerWantedMessage,
} from './kept-answer-messages.ts'
import type { ReportMessage, TraceMessage } from './report-messages.ts'
import type { UnsavedEndpointMessage, UnsavedHeldMessage } from './unsaved-messages.ts'
import type { SharedMessage } from './shared-messages.ts'
import type { TokenUsageMessage } from './usage-messages.ts'
import type { WorkerSettings } from './worker-settings.ts'

/**
 * What the supervisor and a worker say to each other over IPC (Node's `fork`, JSON serialisation).
 *
 *   supervisor                                     worker
 *   start {settings} + listening socket  ───────→
 *   snapshot {snapshot}                  ───────→  checks, compiles, swaps
 *   changes {changes}                    ───────→  the same, to a worker that runs on what they change
 *                                        ←───────  snapshot-accepted, or -refused: the last good one stays
 *                                        ←───────  ready, once: listening, with a snapshot
 *                                        ←───────  procedure-seen, for the contract lock
 *                                        ←───────  report each second; trace where asked for
 *   heard                                ───────→  the database answers; each second while it does
 *   own-addresses {ownAddresses}         ───────→  never calls them from now on
 *                                        ←───────  token-wanted {api_id}: a request waits for one
 *   token {api_id, token}                ───────→  to every worker when it is new, or to the one that asked
 *   token-failed {api_id, message}       ───────→
 *                                        ←───────  agent-asked {question}: of the workflows of a token
 *   agent-answer {reply}                 ───────→  to the one that asked
 *                                        ←───────  answer-kept {id, answer}: bytes that a tool has left
 *                                        ←───────  answer-wanted {id, owner}
 *   answer-found {answer}                ───────→  to the one that asked
 *   unsaved-endpoint {unsaved}           ───────→  held for one request; then unsaved-held
 *   rate-takes {takes}                   ←──────→  what rate limits let through; passed on to the others
 *   signatures {seen}                    ←──────→  signatures that counted; passed on to the others
 *   token-usage {usages}                 ───────→  what all workers counted of tokens with a quota
 *   servers {servers}                    ───────→  so many carry traffic
 *                                        ←───────  limits-state: whether rate limits are counted in Redis
 *   lame-duck                            ───────→  finishes what is in flight
 *                                        ←───────  drained, after its last report; then it exits with 0
 *
 * A worker whose parent is gone (`disconnect`) behaves as after `lame-duck`.
 */

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

/** `SnapshotChanges` of the configuration that the worker runs on; answered like a snapshot. */
interface ChangesMessage {
  type: 'changes'
  changes: unknown
}

interface LameDuckMessage {
  type: 'lame-duck'
}

/** The server is about to stop: `/readyz` says so, and everything is served until then. */
interface LeavingMessage {
  type: 'leaving'
}

/** The database has answered to the control plane. */
interface HeardMessage {
  type: 'heard'
}

/** In place of the settings' own ones: by now the control plane listens too. */
interface OwnAddressesMessage {
  type: 'own-addresses'
  ownAddresses: WorkerSettings['ownAddresses']
}

/** How many servers carry traffic: each has an equal share of limits that are not counted together. */
interface ServersMessage {
  type: 'servers'
  servers: number
}

/** `joining`: Redis has not answered yet. `away`: not in time; requests are counted without it. */
export type SharedLimitsState = 'joining' | 'shared' | 'away'

/** Sent at each change, where Redis is set. */
export interface LimitsStateMessage {
  type: 'limits-state'
  state: SharedLimitsState
  /** For an administrator; holds no secret. */
  reason: string | null
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
  | ChangesMessage
  | HeardMessage
  | OwnAddressesMessage
  | SharedMessage
  | ServersMessage
  | TokenUsageMessage
  | TokenMessage
  | TokenFailedMessage
  | AgentAnswerMessage
  | AnswerFoundMessage
  | UnsavedEndpointMessage
  | LameDuckMessage
  | LeavingMessage

/** What may be sent along with a `start`. */
export type ListeningHandle = Server

/** Listening, with a snapshot in force. */
interface ReadyMessage {
  type: 'ready'
  revision: number
  mark: string
  /** The port; of interest where `listen.port` was 0. */
  port: number
}

interface SnapshotAcceptedMessage {
  type: 'snapshot-accepted'
  revision: number
  mark: string
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
  | SharedMessage
  | LimitsStateMessage
  | TokenWantedMessage
  | AgentAskedMessage
  | AnswerKeptMessage
  | AnswerWantedMessage
  | UnsavedHeldMessage
  | DrainedMessage
