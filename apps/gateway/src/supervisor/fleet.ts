import type {
  FromWorker,
  RateTakesMessage,
  TokenWantedMessage,
  UpstreamToken,
  WorkerSettings,
} from '../messages/worker-messages.ts'
import { bindPort, type BoundPort } from './bind-port.ts'
import type { FleetOptions, FleetWorker } from './fleet-options.ts'
import { WorkerProcess, type Answer } from './worker-process.ts'
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
  readonly #port: BoundPort
  readonly #slots: WorkerSlot[]
  /** Workers have taken it over. A new worker gets it first. */
  #good: unknown
  /** The workers are deciding about it. A new worker gets it too. */
  #offered: unknown
  /** Offered to workers that were too slow to say what they make of it, and may still take it over. */
  #unanswered: unknown
  #isPublishing = false
  #own: WorkerSettings['ownAddresses'] | undefined
  #restarting: Promise<void> = Promise.resolve()
  #restartNext: Promise<void> | undefined
  #stopping: Promise<void> | undefined

  /**
   * Binds the port and starts the workers with the configuration that was kept on disk, where there is
   * one. Throws with the code EADDRINUSE and the like.
   */
  constructor(options: FleetOptions) {
    this.#options = options
    this.#port = bindPort(options.host, options.port)
    this.#good = this.#loadKept()
    this.#slots = Array.from({ length: options.size }, (_, index) => this.#createSlot(index + 1))
  }

  get address(): { address: string; port: number } {
    const { address, port } = this.#port
    return { address, port }
  }

  /** The revision that was kept on disk, if workers could be started with one. */
  get keptRevision(): number | undefined {
    return revisionOf(this.#good)
  }

  /** Settles when every worker listens, or has ended before. */
  async ready(): Promise<boolean> {
    const ready = await Promise.all(this.#slots.map(({ process }) => process.ready))
    return ready.every(Boolean)
  }

  workers(): FleetWorker[] {
    return this.#slots.map(({ id, process, restarts }) => {
      const { pid, state, revision, startedAt, rssBytes, inFlight } = process
      return { id, pid, state, revision, startedAt, restarts, rssBytes, inFlight }
    })
  }

  /**
   * Offers a configuration to every worker. It is kept, and given to every later worker, when one took it
   * over and none refused it. One that no worker answers may be what silenced them: it counts as refused,
   * and workers that are started in their place get the one before. One publishes at a time.
   */
  async publish(snapshot: unknown): Promise<{ accepted: number; refusal: string | undefined }> {
    this.#offered = snapshot
    this.#unanswered = undefined
    const offers = this.#slots.flatMap(({ id, processes }) =>
      processes.map(async (process) => ({ id, answer: await process.offer(snapshot) })),
    )
    this.#isPublishing = true
    const answers = await Promise.all(offers)
    this.#isPublishing = false
    const accepted = answers.filter(({ answer }) => answer.kind === 'accepted').length
    const refused = answers.flatMap(({ id, answer }) => refusalOf(id, answer))
    // Offered to none, it waits for the next worker that is started.
    if (answers.length === 0) return { accepted, refusal: undefined }
    this.#offered = undefined
    if (refused.length > 0) return { accepted, refusal: refused[0] }
    if (accepted === 0) {
      this.#unanswered = snapshot
      return { accepted, refusal: 'No worker took it over: each was silent for 10 s, or ended.' }
    }
    this.#keep(snapshot)
    return { accepted, refusal: undefined }
  }

  #keep(snapshot: unknown): void {
    this.#good = snapshot
    this.#options.file.save(snapshot)
  }

  /** Hands a new token of an authority to every worker. It is no new configuration. */
  setToken(apiId: number, token: UpstreamToken): void {
    for (const { processes } of this.#slots)
      for (const process of processes) process.giveToken({ type: 'token', api_id: apiId, token })
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
    const process = new WorkerProcess({
      file: this.#options.workerFile ?? new URL('../worker.ts', import.meta.url),
      settings: {
        ...settings,
        ownAddresses: [...(this.#own ?? settings.ownAddresses), this.address],
        worker: id,
        listen: null,
      },
      socket: this.#port,
      cacheFolder: this.#options.cacheFolder,
      checkMs: this.#options.checkMs ?? checkMs,
      onMessage: (message) => this.#receive(message, process),
    })
    if (this.#good !== undefined) void this.#offerKept(process, id)
    if (this.#offered !== undefined) void this.#offerWaiting(process, this.#offered)
    return process
  }

  /** A configuration that waited for a worker is tried once: it must not kill one worker after the other. */
  async #offerWaiting(process: WorkerProcess, waiting: unknown): Promise<void> {
    const { kind } = await process.offer(waiting)
    if (this.#offered !== waiting || this.#isPublishing) return
    this.#offered = undefined
    if (kind === 'accepted') this.#keep(waiting)
    else if (kind !== 'refused') this.#unanswered = waiting
  }

  async #offerKept(process: WorkerProcess, worker: number): Promise<void> {
    const kept = this.#good
    const answer = await process.offer(kept)
    if (answer.kind !== 'refused') return
    if (this.#good === kept) this.#good = undefined
    const { reason } = answer
    this.#options.log.error({ worker, reason }, 'the configuration that was kept is refused')
  }

  #receive(message: FromWorker, from: WorkerProcess): void {
    if (message.type === 'report') this.#options.onReport(message)
    else if (message.type === 'trace') this.#options.onTrace(message)
    else if (message.type === 'procedure-seen') this.#options.onProcedureSeen(message)
    else if (message.type === 'token-wanted') void this.#answerWanted(message, from)
    else if (message.type === 'rate-takes') this.#shareWithOthers(message, from)
    else if (message.type === 'snapshot-accepted') this.#acceptLate(message.revision)
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

  #acceptLate(revision: number): void {
    const late = this.#unanswered
    if (late === undefined || revisionOf(late) !== revision) return
    this.#unanswered = undefined
    this.#keep(late)
  }

  /** A limit counts all that the workers let through together. */
  #shareWithOthers(takes: RateTakesMessage, from: WorkerProcess): void {
    for (const { processes } of this.#slots) {
      for (const process of processes) if (process !== from) process.share(takes)
    }
  }

  /** A file that can't be used is no reason not to start: the control plane publishes again. */
  #loadKept(): unknown {
    try {
      return this.#options.file.load()
    } catch (error) {
      this.#options.log.warn({ err: error }, 'the configuration kept on disk can’t be used')
      return undefined
    }
  }
}

function revisionOf(snapshot: unknown): number | undefined {
  const revision = (snapshot as { revision?: unknown } | undefined)?.revision
  return typeof revision === 'number' ? revision : undefined
}

function refusalOf(id: number, answer: Answer): string[] {
  return answer.kind === 'refused' ? [`Worker ${id}: ${answer.reason}`] : []
}
