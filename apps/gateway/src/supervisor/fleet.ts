import { KeptAnswers } from '../exchange/kept-answers.ts'
import type { AnswerWantedMessage } from '../messages/kept-answer-messages.ts'
import type { AgentAskedMessage } from '../messages/agent-question-messages.ts'
import type { SnapshotChanges } from '@gatehouse/contract/gateway'
import type { SharedMessage } from '../messages/shared-messages.ts'
import type { FromWorker, TokenWantedMessage, UpstreamToken } from '../messages/worker-messages.ts'
import type { TokenUsage } from '../messages/usage-messages.ts'
import type { UnsavedEndpoint } from '../messages/unsaved-messages.ts'
import type { WorkerSettings } from '../messages/worker-settings.ts'
import { adoptPort, bindPort, type BoundPort } from './bind-port.ts'
import type { FleetOptions, FleetWorker } from './fleet-options.ts'
import { LimitsWatch, type FleetLimits } from './fleet-limits.ts'
import { FleetSnapshot } from './fleet-snapshot.ts'
import { UnsavedHolds } from './unsaved-holds.ts'
import { WorkerProcess } from './worker-process.ts'
import { WorkerSlot } from './worker-slot.ts'

const readyMaxMs = 30_000
const checkMs = 15_000

/**
 * The workers of the gateway. This process binds the port and hands it to each of them, so that all accept
 * from one queue: when one of them dies, the port stays open, and connections that wait are
 * accepted by the others or by the next. A worker listens only once it has a configuration.
 */
export class Fleet {
  readonly #options: FleetOptions
  /** What tools of all workers have left to be fetched. */
  readonly #answers = new KeptAnswers()
  readonly #port: BoundPort
  readonly #slots: WorkerSlot[]
  readonly #snapshot: FleetSnapshot
  readonly #limits: LimitsWatch
  readonly #holds = new UnsavedHolds()
  readonly #usages = new Map<number, TokenUsage>()
  #servers = 1
  #own: WorkerSettings['ownAddresses'] | undefined
  #heardAtMs = performance.now()
  #isHeardWanted = false
  #restarting: Promise<void> = Promise.resolve()
  #restartNext: Promise<void> | undefined
  #stopping: Promise<void> | undefined

  /**
   * Binds the port and starts the workers with the configuration that was kept on disk, where there is
   * one. Throws with the code EADDRINUSE and the like.
   */
  constructor(options: FleetOptions) {
    this.#options = options
    const { host, port, held } = options
    this.#port = held === undefined ? bindPort(host, port) : adoptPort(held)
    this.#snapshot = new FleetSnapshot(options)
    this.#limits = new LimitsWatch(options.log)
    this.#slots = Array.from({ length: options.size }, (_, index) => this.#createSlot(index + 1))
  }

  get address(): { address: string; port: number } {
    const { address, port } = this.#port
    return { address, port }
  }

  /** For the process that keeps the port open while this one is started again. */
  get portHandle(): BoundPort['handle'] {
    return this.#port.handle
  }

  /** The revision that was kept on disk, if workers could be started with one. */
  get keptRevision(): number | undefined {
    return this.#snapshot.keptRevision
  }

  /** Settles when every worker listens, or has ended before. */
  async ready(): Promise<boolean> {
    const ready = await Promise.all(this.#slots.map(({ process }) => process.ready))
    return ready.every(Boolean)
  }

  workers(): FleetWorker[] {
    return this.#slots.map(({ id, process, restarts }) => {
      const { pid, state, running, startedAt, rssBytes, inFlight, webSockets, openBreakers } =
        process
      const { revision = null, mark = null } = running ?? {}
      const own = { id, pid, state, revision, mark, startedAt, restarts }
      return { ...own, rssBytes, inFlight, webSockets, openBreakers }
    })
  }

  /**
   * Offers a configuration to every worker. It is kept, and given to every later worker, when one took it
   * over and none refused it. One that no worker answers may be what silenced them: it counts as refused,
   * and workers that are started in their place get the one before. One publishes at a time. `changes` lead
   * to it, and are all that a worker is sent which runs on what they change.
   */
  publish(
    snapshot: unknown,
    changes?: SnapshotChanges,
  ): Promise<{ accepted: number; refusal: string | undefined }> {
    const running = this.#slots.flatMap(({ id, processes }) =>
      processes.map((process) => ({ id, process })),
    )
    return this.#snapshot.publish(snapshot, changes, running)
  }

  /** How rate limits are counted. */
  get limits(): FleetLimits & { servers: number } {
    return { ...this.#limits.limits, servers: this.#servers }
  }

  /** How many servers carry traffic: limits that are not counted together are shared out equally. */
  setServers(servers: number): void {
    if (servers === this.#servers) return
    this.#servers = servers
    for (const { processes } of this.#slots)
      for (const process of processes) process.setServers(servers)
  }

  /** What all workers have counted of tokens with a quota; those that are started later are told too. */
  setTokenUsage(usages: readonly TokenUsage[]): void {
    for (const usage of usages) this.#usages.set(usage.token_id, usage)
    for (const { processes } of this.#slots)
      for (const process of processes) process.giveUsage(usages)
  }

  /** Hands a new token of an authority to every worker. It is no new configuration. */
  setToken(apiId: number, token: UpstreamToken): void {
    for (const { processes } of this.#slots)
      for (const process of processes) process.giveToken({ type: 'token', api_id: apiId, token })
  }

  /** Settles once each worker holds the definition for the one request that tries it: any may get that. */
  async holdUnsaved(unsaved: UnsavedEndpoint): Promise<void> {
    const processes = this.#slots.flatMap((slot) => slot.processes)
    for (const process of processes) process.giveUnsaved(unsaved)
    // One that starts takes no request yet.
    const serving = processes.filter(({ state }) => state === 'serving')
    await Promise.all(
      serving.map((process) => this.#holds.wait(process, unsaved.trace_id, process.ended)),
    )
  }

  /** The database has answered to the control plane. */
  heard(): void {
    this.#heardAtMs = performance.now()
    if (!this.#isHeardWanted) return
    for (const { processes } of this.#slots) for (const process of processes) process.hear()
  }

  /** From now on `/readyz` refuses. Everything is served until `stop`. */
  leave(): void {
    for (const { processes } of this.#slots) for (const process of processes) process.leave()
  }

  /** From now on no worker calls these addresses, or the fleet's own, as an upstream. */
  blockAddresses(own: WorkerSettings['ownAddresses']): void {
    this.#own = own
    for (const { processes } of this.#slots)
      for (const process of processes) process.blockAddresses([...own, this.address])
  }

  /**
   * Replaces one worker after the other by a new one, which listens before the old one stops. A call
   * while workers are being replaced replaces them once more afterwards: there may be a new certificate.
   */
  rollingRestart(): Promise<void> {
    this.#restartNext ??= this.#restarting.then(() => {
      this.#restartNext = undefined
      return (this.#restarting = this.#replaceAll())
    })
    return this.#restartNext
  }

  /** Takes nothing new, finishes what is in flight, and ends the workers. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop()
    return this.#stopping
  }

  async #stop(): Promise<void> {
    // The workers have stopped accepting: a client that connects from now on is refused at once.
    this.#port.close()
    await Promise.all(this.#slots.map((slot) => slot.stop()))
    await this.#options.file.flush()
  }

  async #replaceAll(): Promise<void> {
    const { log } = this.#options
    log.info({ workers: this.#slots.length }, 'workers are being replaced')
    for (const slot of this.#slots) {
      if (await slot.replace(readyMaxMs)) continue
      log.error({ worker: slot.id }, 'a new worker did not come up; the others stay as they are')
      break
    }
    await Promise.all(this.#slots.map((slot) => slot.drained()))
    log.info({ workers: this.#slots.length }, 'workers have been replaced')
  }

  #createSlot(id: number): WorkerSlot {
    return new WorkerSlot({
      id,
      start: () => this.#startProcess(id),
      onDeath: ({ livedMs, restartMs }) =>
        this.#options.log.error(
          { worker: id, lived_ms: livedMs, restart_ms: Math.round(restartMs) },
          'a worker of the gateway died and is started again',
        ),
    })
  }

  #startProcess(id: number): WorkerProcess {
    const settings = this.#options.settings()
    this.#limits.handleStart(id, settings.redis !== null)
    this.#isHeardWanted = settings.staleAfterMs !== null
    const process = new WorkerProcess({
      file: this.#options.workerFile ?? new URL('../worker.ts', import.meta.url),
      settings: {
        ...settings,
        ownAddresses: [...(this.#own ?? settings.ownAddresses), this.address],
        unheardMs: performance.now() - this.#heardAtMs,
        servers: this.#servers,
        worker: id,
        listen: null,
      },
      socket: this.#port,
      cacheFolder: this.#options.cacheFolder,
      checkMs: this.#options.checkMs ?? checkMs,
      onMessage: (message) => this.#receive(id, message, process),
    })
    process.giveUsage([...this.#usages.values()])
    this.#snapshot.offerTo({ id, process })
    return process
  }

  #receive(id: number, message: FromWorker, from: WorkerProcess): void {
    if (message.type === 'report') this.#options.onReport(message)
    else if (message.type === 'trace') this.#options.onTrace(message)
    else if (message.type === 'procedure-seen') this.#options.onProcedureSeen(message)
    else if (message.type === 'token-wanted') void this.#answerWanted(message, from)
    else if (message.type === 'agent-asked') void this.#answerAgent(message, from)
    else if (message.type === 'answer-kept') this.#answers.keep(message.id, message.answer)
    else if (message.type === 'answer-wanted') this.#giveAnswer(message, from)
    else if (message.type === 'limits-state') this.#limits.take(id, message)
    else if (message.type === 'rate-takes' || message.type === 'signatures')
      this.#shareWithOthers(message, from)
    else if (message.type === 'unsaved-held') this.#holds.held(from, message.trace_id)
    else if (message.type === 'snapshot-accepted') this.#snapshot.acceptLate(message)
  }

  async #answerWanted(wanted: TokenWantedMessage, from: WorkerProcess): Promise<void> {
    const { api_id, refused } = wanted
    try {
      from.giveToken({ type: 'token', api_id, token: await this.#options.onTokenWanted(wanted) })
    } catch (error) {
      const message = (error as Error).message
      from.giveToken({ type: 'token-failed', api_id, refused, message })
    }
  }

  async #answerAgent({ id, question }: AgentAskedMessage, from: WorkerProcess): Promise<void> {
    const reply = await this.#options.onAgentAsked(question).catch(() => null)
    from.answerAgent({ type: 'agent-answer', id, reply })
  }

  #giveAnswer({ id, owner }: AnswerWantedMessage, from: WorkerProcess): void {
    const answer = this.#answers.find(id, owner) ?? null
    from.giveAnswer({ type: 'answer-found', id, owner, answer })
  }

  /** A limit counts all that the workers let through together, and a signature counts at one of them. */
  #shareWithOthers(message: SharedMessage, from: WorkerProcess): void {
    for (const { processes } of this.#slots) {
      for (const process of processes) if (process !== from) process.share(message)
    }
  }
}
