import type { AnswerKeeper } from './answer-keeper.ts'
import type { ControlQuestions } from './control-questions.ts'
import type { ProcedureAnswered, ProcedureUpstream } from '@gatehouse/upstream'
import type { AccountedRequest } from '../account/accounted-request.ts'
import type { Counters } from '../account/counters.ts'
import type { SeenSignatures } from '../callers/signature/seen-signatures.ts'
import type { TokenQuotas } from '../callers/token-quotas.ts'
import type { Freshness } from './freshness.ts'
import type { ClientRules } from '../http/client-rules.ts'
import type { RequestIds } from '../http/request-ids.ts'
import type { UpstreamOrigins } from '../snapshot/upstream-origins.ts'
import type { ListBound } from './list-bound.ts'
import type { ToolStreams } from './tool-streams.ts'
import type { RequestSpan } from '../spans/request-span.ts'
import type { SpanExporter } from '../spans/span-exporter.ts'
import type { WebSockets } from '../websockets/web-sockets.ts'
import type { TraceReader } from '../trace/trace-signature.ts'

/** What all requests of a worker share. */
export interface GatewayContext {
  readonly clientRules: ClientRules
  readonly counters: Counters
  readonly quotas: TokenQuotas
  readonly seenSignatures: SeenSignatures
  readonly origins: UpstreamOrigins
  /** Loads the drivers when it is asked for the first time. */
  procedures(): Promise<ProcedureUpstream>
  /** Called for each call that was answered. */
  noteProcedure(apiId: number, answered: ProcedureAnswered): void
  readonly requestIds: RequestIds
  /** How this gateway names itself in Via: other ones have other names. */
  readonly pseudonym: string
  readonly traces: TraceReader
  /** Null: no spans are made. */
  readonly spans: SpanExporter | null
  /** Lame duck: every answer ends its connection. */
  isStopping: boolean
  /** Load balancers are told to send nothing more, and what comes is served. */
  isLeaving: boolean
  readonly freshness: Freshness
  readonly webSockets: WebSockets
  readonly toolLists: ListBound
  readonly toolStreams: ToolStreams
  readonly controlQuestions: ControlQuestions
  readonly answerKeeper: AnswerKeeper
  inFlight: number
  /** Log, counters, trace and spans of an exchange that has ended. */
  account(exchange: AccountedRequest & { readonly span: RequestSpan | null }): void
  logFault(error: unknown, requestId: string | null): void
}
