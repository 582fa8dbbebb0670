import type { RevisionId } from '@gatehouse/contract/gateway'
import type { SwapResult } from './exchange/snapshot-holder.ts'
import { createGateway } from './gateway.ts'
import type { Gateway } from './gateway.ts'
import { takesEveryMs, trafficPolicies } from './worker-policy.ts'
import type { FromWorker, ListeningHandle, ToWorker } from './messages/worker-messages.ts'
import type { WorkerSettings } from './messages/worker-settings.ts'
import type { UnsavedEndpoint } from './messages/unsaved-messages.ts'

/** The entry of a worker process: a gateway that takes its orders by IPC (worker-messages.ts). */

const manyEndpoints = 1_000

let gateway: Gateway | undefined
let where: { host: string; port: number } | ListeningHandle | undefined
let reporting: NodeJS.Timeout | undefined
let sharing: NodeJS.Timeout | undefined
let isListening = false
let isEnding = false
let running: RevisionId | null = null

function send(message: FromWorker): void {
  // When the parent dies, `disconnect` reports it. A message sent before that must not throw.
  if (process.connected && process.send) process.send(message, undefined, {}, () => undefined)
}

/** Resolves once it, and all before it, has left this process. */
async function sendLast(message: FromWorker): Promise<void> {
  await new Promise<void>((resolve) => {
    if (process.connected && process.send) process.send(message, undefined, {}, () => resolve())
    else resolve()
  })
}

function start(settings: WorkerSettings, handle: ListeningHandle | undefined): void {
  where = handle ?? settings.listen ?? undefined
  gateway = createGateway({
    ...settings,
    compilePolicy: trafficPolicies.compile,
    openBreakers: () => trafficPolicies.openBreakers(),
    onTrace: send,
    onProcedureSeen: send,
    onTokenWanted: send,
    onAgentAsked: send,
    onAnswerKept: send,
  })
  trafficPolicies.limits.servers = settings.servers
  if (settings.redis)
    trafficPolicies.limits.connect(settings.redis, (state, reason) =>
      send({ type: 'limits-state', state, reason }),
    )
  reporting = setInterval(() => {
    if (gateway) send(gateway.report())
  }, 1_000)
  sharing = setInterval(() => {
    const takes = trafficPolicies.drainTakes()
    if (takes.length > 0) send({ type: 'rate-takes', takes })
    const seen = gateway?.drainSignatures() ?? []
    if (seen.length > 0) send({ type: 'signatures', seen })
  }, takesEveryMs)
}

let loading: Promise<void> | undefined

/** At once, or after what it needs was loaded and those before it are taken. */
function takeNext(given: unknown, swap: () => SwapResult | undefined): void {
  const before = loading ?? gateway?.prepare(given)
  if (before === undefined) {
    take(swap()).catch(fail)
    return
  }
  const taken = before.then(() => gateway?.prepare(given)).then(() => take(swap()))
  loading = taken.finally(() => {
    if (loading === last) loading = undefined
  })
  const last = loading
  loading.catch(fail)
}

async function take(result: SwapResult | undefined): Promise<void> {
  if (result === undefined) return
  if (!result.ok) {
    const { revision: refused, reason } = result
    return send({
      type: 'snapshot-refused',
      revision: refused,
      reason,
      kept: running?.revision ?? null,
    })
  }
  running = { revision: result.revision, mark: result.mark }
  send({ type: 'snapshot-accepted', ...running })
  if (isListening || gateway === undefined || where === undefined) return
  isListening = true
  const port = await gateway.listen(where)
  send({ type: 'ready', ...running, port })
}

async function holdUnsaved(unsaved: UnsavedEndpoint): Promise<void> {
  await gateway?.prepare({ endpoints: [unsaved.endpoint] })
  gateway?.traces.unsaved.hold(unsaved)
  send({ type: 'unsaved-held', trace_id: unsaved.trace_id })
}

/**
 * A large configuration leaves several times its size behind when it is parsed, checked and compiled, and V8
 * would rather grow than look for it.
 */
function swapWhole(snapshot: unknown): SwapResult | undefined {
  const { endpoints } = (snapshot ?? {}) as { endpoints?: unknown[] }
  if ((endpoints?.length ?? 0) > manyEndpoints)
    setImmediate(() => globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' }))
  return gateway?.swap(snapshot)
}

async function end(): Promise<void> {
  if (isEnding) return
  isEnding = true
  const ended = await gateway?.stop()
  clearInterval(reporting)
  clearInterval(sharing)
  trafficPolicies.limits.close()
  if (gateway) send(gateway.report())
  await sendLast({ type: 'drained', cut: ended?.cut ?? 0 })
  process.exit(0)
}

function fail(error: unknown): void {
  gateway?.logFault(error)
  process.stderr.write(`A gateway worker failed: ${(error as Error)?.stack ?? String(error)}\n`)
  process.exit(1)
}

process.on('message', (message: ToWorker, handle: unknown) => {
  if (message.type === 'start') start(message.settings, handle as ListeningHandle | undefined)
  else if (message.type === 'snapshot')
    takeNext(message.snapshot, () => swapWhole(message.snapshot))
  else if (message.type === 'changes')
    takeNext(message.changes, () => gateway?.change(message.changes))
  else if (message.type === 'rate-takes') trafficPolicies.absorbTakes(message.takes)
  else if (message.type === 'signatures') gateway?.absorbSignatures(message.seen)
  else if (message.type === 'servers') trafficPolicies.limits.servers = message.servers
  else if (message.type === 'token-usage') gateway?.absorbUsage(message.usages)
  else if (message.type === 'unsaved-endpoint') void holdUnsaved(message.unsaved).catch(fail)
  else if (message.type === 'token') gateway?.acceptToken(message.api_id, message.token)
  else if (message.type === 'token-failed') gateway?.failToken(message)
  else if (message.type === 'agent-answer')
    gateway?.answerAgent(message.id, message.reply ?? undefined)
  else if (message.type === 'answer-found')
    gateway?.answerFound(message.id, message.owner, message.answer ?? undefined)
  else if (message.type === 'heard') gateway?.heard()
  else if (message.type === 'leaving') gateway?.leave()
  else if (message.type === 'own-addresses') gateway?.blockAddresses(message.ownAddresses)
  else end().catch(fail)
})
process.on('disconnect', () => void end().catch(fail))
process.on('uncaughtException', fail)
process.on('unhandledRejection', fail)
// The supervisor decides when: a terminal sends its signals to the whole group.
process.on('SIGINT', () => undefined)
process.on('SIGTERM', () => undefined)
