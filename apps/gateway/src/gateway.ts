import type { AgentReply } from '@gatehouse/contract/gateway'
import type { ProcedureUpstream } from '@gatehouse/upstream'
import { AddressCounts, createAddressGuard, socketBudget } from '@gatehouse/upstream/http'
import type { LookupAll } from '@gatehouse/upstream/http'
import { once } from 'node:events'
import { Server } from 'node:net'
import type { AddressInfo } from 'node:net'
import { SeenProcedures } from './account/seen-procedures.ts'
import { Accounting } from './account/accounting.ts'
import { SeenSignatures } from './callers/signature/seen-signatures.ts'
import { TokenQuotas } from './callers/token-quotas.ts'
import { Freshness } from './exchange/freshness.ts'
import type { ExchangeGateway } from './exchange/exchange.ts'
import { ToolListeners } from './agents/listening/tool-listeners.ts'
import { ListBound } from './exchange/list-bound.ts'
import { CertificateRequests } from './http/certificate-requests.ts'
import { ClientConnections } from './http/client-connections.ts'
import { createClientRules } from './http/client-rules.ts'
import { createServerHandlers } from './server-handlers.ts'
import { openNodeServer } from './http/open-node-server.ts'
import { openServer } from './http/open-server.ts'
import { RequestIds } from './http/request-ids.ts'
import { withoutPolicy, type CompilePolicy } from './exchange/compile-policy.ts'
import { ControlQuestions } from './exchange/control-questions.ts'
import type {
  AnswerKeptMessage,
  AnswerWantedMessage,
  KeptAnswer,
} from './messages/kept-answer-messages.ts'
import { AnswerKeeper } from './exchange/answer-keeper.ts'
import type { AgentAskedMessage } from './messages/agent-question-messages.ts'
import { SnapshotHolder } from './exchange/snapshot-holder.ts'
import type { SwapResult } from './exchange/snapshot-holder.ts'
import { SpanExporter } from './spans/span-exporter.ts'
import { runStages } from './stages/pipeline.ts'
import { TokenSlots } from './sign-in/token-slots.ts'
import { UpstreamOrigins } from './snapshot/upstream-origins.ts'
import { loadChecksFor } from './schemas/load-checks.ts'
import { WebSockets } from './websockets/web-sockets.ts'
import { TraceReader, viaPseudonym } from './trace/trace-signature.ts'
import type { OpenBreaker, ReportMessage, TraceMessage } from './messages/report-messages.ts'
import type { SeenSignature } from './messages/shared-messages.ts'
import type {
  ListeningHandle,
  ProcedureSeenMessage,
  TokenFailedMessage,
  TokenWantedMessage,
  UpstreamToken,
} from './messages/worker-messages.ts'
import type { TokenUsage } from './messages/usage-messages.ts'
import type { WorkerSettings } from './messages/worker-settings.ts'

export interface GatewayOptions extends Omit<WorkerSettings, 'listen'> {
  /** The traffic policy of an API; none unless given. */
  compilePolicy?: CompilePolicy
  /** The circuit breakers of those policies that are open now. */
  openBreakers?: () => OpenBreaker[]
  onTrace?: (trace: TraceMessage) => void
  onProcedureSeen?: (seen: ProcedureSeenMessage) => void
  /** A request needs a token of an authority. Without it such requests wait in vain. */
  onTokenWanted?: (wanted: TokenWantedMessage) => void
  /** An agent asks what only the control plane knows. Without it there is no answer. */
  onAgentAsked?: (asked: AgentAskedMessage) => void
  /** Keeps answers for all workers; absent: they are kept here. */
  onAnswerKept?: (message: AnswerKeptMessage | AnswerWantedMessage) => void
  /** The system's resolver unless given. */
  lookup?: LookupAll
  /** Certificate authorities (PEM) to trust of upstreams instead of Node's own. */
  ca?: string
}

export interface Gateway {
  server: Server
  /** To be awaited before a snapshot or changes are taken; undefined where nothing has to be loaded for them. */
  prepare(given: unknown): Promise<void> | undefined
  /** Takes a snapshot, or says why not. Requests under way stay with theirs. */
  swap(snapshot: unknown): SwapResult
  /** The same with changes of the snapshot that it runs on. */
  change(changes: unknown): SwapResult
  /** Listens, or shares a socket that another process opened. Resolves to the port. */
  listen(where: { host: string; port: number } | ListeningHandle): Promise<number>
  /** What was counted since the last report. */
  report(): ReportMessage
  /** The database has answered to the control plane: see `Freshness`. */
  heard(): void
  /** From now on `/readyz` refuses; everything is served until `stop`. */
  leave(): void
  /** In place of those in the options. */
  blockAddresses(addresses: WorkerSettings['ownAddresses']): void
  /** A token that was obtained for calls of an API. */
  acceptToken(apiId: number, token: UpstreamToken): void
  /** There is none; requests that wait are refused. */
  failToken(failed: Omit<TokenFailedMessage, 'type'>): void
  /** What the control plane has answered to an agent; undefined: nothing. */
  answerAgent(id: string, reply: AgentReply | undefined): void
  /** An answer that was kept; undefined: there is none. */
  answerFound(id: string, owner: string, answer: KeptAnswer | undefined): void
  /** What all workers have counted of tokens with a quota. */
  absorbUsage(usages: readonly TokenUsage[]): void
  /** Signatures that have counted here since the last call, for the other workers. */
  drainSignatures(): SeenSignature[]
  absorbSignatures(seen: readonly SeenSignature[]): void
  readonly traces: TraceReader
  /** Writes a fault of the process to the log, at once. */
  logFault(error: unknown): void
  /**
   * Lame duck: takes no new connection, answers what comes over those it has with `Connection: close`,
   * and gives idle ones the keep-alive time. Resolves when all are gone, or `drainMs` have passed.
   */
  stop(): Promise<{ cut: number }>
  /** Ends everything at once. */
  close(): Promise<void>
}

/** A gateway in this process. It answers requests once it has a snapshot; before that, with 503. */
export function createGateway(options: GatewayOptions): Gateway {
  let { ownAddresses } = options
  const guard = createAddressGuard({
    allow: options.upstreamAllow,
    deny: options.upstreamDeny,
    own: () => ownAddresses,
  })
  const dns = options.lookup === undefined ? {} : { lookup: options.lookup }
  const ca = options.ca === undefined ? {} : { ca: options.ca }
  let procedures: Promise<ProcedureUpstream> | undefined
  const clientRules = createClientRules(options.trustedProxies, options.internalNetworks)
  const { keepAliveMs, upload } = options
  const connections = new ClientConnections(clientRules, keepAliveMs, upload)
  const budget = socketBudget()
  // One address must not take all there are.
  const perAddress = Math.min(options.connectionsPerAddress, Math.ceil(budget.clients / 2))
  const addresses = new AddressCounts(perAddress, (address) => clientRules.isTrustedProxy(address))
  const accounting = new Accounting(options)
  const spans =
    options.spans && new SpanExporter(options.spans, (lost, why) => accounting.lostSpans(lost, why))
  const freshness = new Freshness(options.staleAfterMs, options.unheardMs)
  const seenProcedures = new SeenProcedures((seen) => options.onProcedureSeen?.(seen))
  const controlQuestions = new ControlQuestions((asked) => {
    if (options.onAgentAsked) options.onAgentAsked(asked)
    else setImmediate(() => controlQuestions.settle(asked.id, undefined))
  })
  const toolStreams = new ToolListeners()
  const answerKeeper = new AnswerKeeper(options.onAnswerKept)
  const context: ExchangeGateway = {
    clientRules,
    counters: accounting.counters,
    quotas: new TokenQuotas(),
    seenSignatures: new SeenSignatures(),
    origins: new UpstreamOrigins({ guard, idleMax: budget.idleUpstreams, ...dns, ...ca }),
    // Their drivers take 70 MB: only where a stored procedure is called.
    procedures: () =>
      (procedures ??= import('@gatehouse/upstream').then(({ createProcedureUpstream }) =>
        createProcedureUpstream({ guard, ...dns }),
      )),
    noteProcedure: (apiId, answered) => seenProcedures.note(apiId, answered),
    requestIds: new RequestIds(),
    pseudonym: viaPseudonym(options.traceSecret),
    traces: new TraceReader(options.traceSecret),
    spans,
    isStopping: false,
    isLeaving: false,
    freshness,
    webSockets: new WebSockets(options.webSocketsMax),
    toolLists: new ListBound(),
    toolStreams,
    controlQuestions,
    answerKeeper,
    inFlight: 0,
    runStages,
    account: (exchange) => {
      accounting.account(exchange)
      if (exchange.span !== null) spans?.add(exchange, exchange.span)
    },
    logFault: (error, requestId) => accounting.fault(error, requestId),
  }
  const slots = new TokenSlots((apiId, refused) =>
    options.onTokenWanted?.({ type: 'token-wanted', api_id: apiId, refused }),
  )
  const holder = new SnapshotHolder({
    slots,
    origins: context.origins,
    compilePolicy: options.compilePolicy ?? withoutPolicy,
  })
  const open = options.httpServer === 'node' ? openNodeServer : openServer
  const server = open(
    options.tls,
    createServerHandlers({ context, holder, accounting, connections, addresses }),
  )
  const certificates = new CertificateRequests(server, options.tls)
  if (budget.clients !== Infinity) server.maxConnections = budget.clients
  server.on('drop', () => accounting.refusedConnection())
  const ticking = setInterval(() => {
    accounting.flush()
    void spans?.flush()
    connections.sweep()
    context.webSockets.sweep(performance.now(), Date.now())
    toolStreams.sweep(performance.now(), Date.now())
  }, 1_000)

  function recheck(result: SwapResult): SwapResult {
    if (!result.ok || !holder.current) return result
    const { snapshot } = holder.current
    const isWanted = snapshot.parts.apis
      .values()
      .some(({ authorities, draft }) => (authorities ?? draft?.authorities ?? null) !== null)
    certificates.ask(isWanted)
    context.webSockets.recheck(snapshot)
    toolStreams.recheck(snapshot)
    return result
  }

  async function listen(where: { host: string; port: number } | ListeningHandle): Promise<number> {
    const isListening = once(server, 'listening')
    server.listen(where)
    await isListening
    return (server.address() as AddressInfo | null)?.port ?? 0
  }

  async function stop(): Promise<{ cut: number }> {
    context.isStopping = true
    // http.Server's own would close idle connections too, into which a client may just be writing.
    Server.prototype.close.call(server)
    context.webSockets.drain()
    toolStreams.drain()
    const deadline = Promise.withResolvers<void>()
    const timer = setTimeout(() => deadline.resolve(), options.drainMs)
    await Promise.race([connections.none(), deadline.promise])
    clearTimeout(timer)
    const cut = context.inFlight
    await close()
    return { cut }
  }

  let closing: Promise<void> | undefined
  async function shutDown(): Promise<void> {
    context.isStopping = true
    clearInterval(ticking)
    if (server.listening) Server.prototype.close.call(server)
    connections.destroy()
    context.webSockets.destroy()
    await connections.none()
    holder.close()
    await Promise.all([
      context.origins.destroy(),
      procedures?.then((each) => each.close()),
      spans?.flush(),
    ])
    accounting.close()
    // Node's own: it ends the timer that looks for slow heads.
    server.close()
  }
  const close = (): Promise<void> => (closing ??= shutDown())

  return {
    server,
    prepare: loadChecksFor,
    swap: (snapshot) => recheck(holder.swap(snapshot)),
    change: (changes) => recheck(holder.change(changes)),
    listen,
    heard: () => freshness.heard(),
    leave: () => {
      context.isLeaving = true
    },
    blockAddresses: (addresses) => {
      ownAddresses = addresses
    },
    acceptToken: (apiId, token) => slots.accept(apiId, token),
    answerAgent: (id, reply) => controlQuestions.settle(id, reply),
    answerFound: (id, owner, answer) => answerKeeper.settle(id, owner, answer),
    failToken: ({ api_id, refused, message }) => slots.fail(api_id, refused, message),
    absorbUsage: (usages) => context.quotas.absorb(usages, Date.now()),
    drainSignatures: () => context.seenSignatures.drain(),
    absorbSignatures: (seen) => context.seenSignatures.absorb(seen, Date.now() / 1_000),
    traces: context.traces,
    logFault: (error) => accounting.fault(error, null),
    report: () => ({
      ...accounting.report(context.inFlight, connections.count),
      quota_uses: context.quotas.drain(),
      web_sockets: context.webSockets.take(),
      open_breakers: options.openBreakers?.() ?? [],
    }),
    stop,
    close,
  }
}
