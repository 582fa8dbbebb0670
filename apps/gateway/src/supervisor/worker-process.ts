import { fork, type ChildProcess } from 'node:child_process'
import { isSameRevision, type RevisionId, type SnapshotChanges } from '@gatehouse/contract/gateway'
import type { AnswerFoundMessage } from '../messages/kept-answer-messages.ts'
import type { AgentAnswerMessage } from '../messages/agent-question-messages.ts'
import type { SharedMessage } from '../messages/shared-messages.ts'
import type {
  FromWorker,
  TokenFailedMessage,
  TokenMessage,
  ToWorker,
} from '../messages/worker-messages.ts'
import type { OpenBreaker } from '../messages/report-messages.ts'
import type { TokenUsage } from '../messages/usage-messages.ts'
import type { UnsavedEndpoint } from '../messages/unsaved-messages.ts'
import type { WorkerSettings } from '../messages/worker-settings.ts'
import type { BoundPort } from './bind-port.ts'

interface WorkerProcessOptions {
  /** The program that runs in it. */
  file: URL
  settings: WorkerSettings
  socket: BoundPort
  /** Where Node keeps compiled code: it halves the time and memory of a start. No other program may write there. */
  cacheFolder: string | undefined
  /** How often to check that it still reports. A worker that is silent twice in a row is killed. */
  checkMs: number
  /** Everything it says. */
  onMessage: (message: FromWorker) => void
}

/** What a worker makes of a snapshot; `gone` and `silent` say nothing about the snapshot. */
export type Answer = { kind: 'accepted' | 'gone' | 'silent' } | { kind: 'refused'; reason: string }

const answerMaxMs = 10_000
const afterDrainMs = 5_000

/** One process that carries traffic, from its fork to its end. */
export class WorkerProcess {
  state: 'starting' | 'serving' | 'draining' | 'ended' = 'starting'
  /** The configuration that it runs on; null: none yet. */
  running: RevisionId | null = null
  rssBytes = 0
  inFlight = 0
  webSockets = 0
  openBreakers: readonly OpenBreaker[] = []
  readonly startedAt = new Date()
  readonly #startedAtMs = performance.now()
  /** True once it listens; false when it has ended before. */
  readonly ready: Promise<boolean>
  readonly ended: Promise<void>
  readonly #child: ChildProcess
  readonly #options: WorkerProcessOptions
  /** Answers come in the order of what was offered. */
  readonly #asked: ((answer: Answer) => void)[] = []
  #answered: Promise<Answer> | undefined
  readonly #ready = Promise.withResolvers<boolean>()
  #hasReported = false
  #silences = 0

  get livedMs(): number {
    return Math.round(performance.now() - this.#startedAtMs)
  }

  constructor(options: WorkerProcessOptions) {
    this.#options = options
    this.ready = this.#ready.promise
    this.#child = fork(options.file, {
      // A proxy's garbage is young and small: a small nursery keeps a busy worker below 130 MB, and to wake other
      // threads for it costs more than it saves.
      execArgv: ['--max-semi-space-size=4', '--no-parallel-scavenge', '--expose-gc'],
      // A worker needs none of the keys and passwords in our environment.
      env: {
        ...allowedEnvironment(),
        ...(options.cacheFolder ? { NODE_COMPILE_CACHE: options.cacheFolder } : {}),
      },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    this.#child.on('message', (message) => this.#receive(message as FromWorker))
    const checking = setInterval(() => this.#check(), options.checkMs)
    checking.unref()
    const ended = Promise.withResolvers<void>()
    this.ended = ended.promise
    const end = () => {
      this.state = 'ended'
      this.openBreakers = []
      clearInterval(checking)
      for (const answer of this.#asked.splice(0)) answer({ kind: 'gone' })
      this.#ready.resolve(false)
      ended.resolve()
    }
    this.#child.once('exit', end)
    this.#child.on('error', () => {
      // It could not be forked, or it ended before the message arrived.
      if (this.#child.pid === undefined) end()
    })
    const start: ToWorker = { type: 'start', settings: options.settings }
    this.#child.send(start, options.socket.handle, {}, () => {})
  }

  get pid(): number | null {
    return this.state === 'ended' ? null : (this.#child.pid ?? null)
  }

  get #isLeaving(): boolean {
    return this.state === 'ended' || this.state === 'draining'
  }

  /** Whether it runs on this once it has answered what it was asked, 10 s later at most. */
  async comesTo(revision: RevisionId): Promise<boolean> {
    await this.#answered
    if (this.#isLeaving || this.running === null || this.#asked.length > 0) return false
    return isSameRevision(this.running, revision)
  }

  /**
   * Settles with what it makes of the snapshot, 10 s later at most. If it runs on what `changes` change, it is
   * sent those alone.
   */
  async offer(snapshot: unknown, changes?: SnapshotChanges): Promise<Answer> {
    if (this.#isLeaving) return { kind: 'gone' }
    const { promise, resolve } = Promise.withResolvers<Answer>()
    // What it was asked before may still change what it runs on.
    const isKnown = this.running !== null && this.#asked.length === 0
    this.#asked.push(resolve)
    if (changes && isKnown && isSameRevision(this.running, changes.base))
      this.#tell({ type: 'changes', changes })
    else this.#tell({ type: 'snapshot', snapshot })
    const timer = setTimeout(() => resolve({ kind: 'silent' }), answerMaxMs)
    this.#answered = promise
    const answer = await promise
    clearTimeout(timer)
    return answer
  }

  /** The database answers. */
  hear(): void {
    this.#tell({ type: 'heard' })
  }

  /** The server is about to stop. */
  leave(): void {
    this.#tell({ type: 'leaving' })
  }

  blockAddresses(ownAddresses: WorkerSettings['ownAddresses']): void {
    this.#tell({ type: 'own-addresses', ownAddresses })
  }

  /** How many servers carry traffic. */
  setServers(servers: number): void {
    this.#tell({ type: 'servers', servers })
  }

  /** What all workers have counted. */
  giveUsage(usages: readonly TokenUsage[]): void {
    if (usages.length > 0) this.#tell({ type: 'token-usage', usages })
  }

  giveToken(message: TokenMessage | TokenFailedMessage): void {
    if (this.state !== 'ended') this.#tell(message)
  }

  answerAgent(message: AgentAnswerMessage): void {
    if (this.state !== 'ended') this.#tell(message)
  }

  giveAnswer(message: AnswerFoundMessage): void {
    if (this.state !== 'ended') this.#tell(message)
  }

  giveUnsaved(unsaved: UnsavedEndpoint): void {
    this.#tell({ type: 'unsaved-endpoint', unsaved })
  }

  /** What rate limits of other workers have let through, and signatures that counted there. */
  share(message: SharedMessage): void {
    if (this.state === 'serving') this.#tell(message)
  }

  /** Takes nothing new, finishes what is in flight and ends; killed when it does not by its time. */
  async drain(): Promise<void> {
    if (this.state === 'ended') return
    // Without a snapshot it does not listen, and has nothing to finish.
    const isServing = this.state === 'serving'
    this.state = 'draining'
    if (!isServing) this.kill()
    this.#tell({ type: 'lame-duck' })
    const timer = setTimeout(() => this.kill(), this.#options.settings.drainMs + afterDrainMs)
    await this.ended
    clearTimeout(timer)
  }

  kill(): void {
    this.#child.kill('SIGKILL')
  }

  #tell(message: ToWorker): void {
    // If the process ends while this is sent, its `exit` event reports it.
    if (this.#child.connected) this.#child.send(message, () => {})
  }

  /** A worker reports each second unless it is stuck. Two silences: a machine that wakes from sleep causes one. */
  #check(): void {
    this.#silences = this.#hasReported ? 0 : this.#silences + 1
    this.#hasReported = false
    if (this.#silences >= 2) this.kill()
  }

  #receive(message: FromWorker): void {
    this.#hasReported = true
    if (message.type === 'ready') {
      if (this.state === 'starting') this.state = 'serving'
      this.running = message
      this.#ready.resolve(true)
    } else if (message.type === 'snapshot-accepted') {
      this.running = message
      this.#asked.shift()?.({ kind: 'accepted' })
    } else if (message.type === 'snapshot-refused') {
      this.#asked.shift()?.({ kind: 'refused', reason: message.reason })
    } else if (message.type === 'report') {
      this.rssBytes = message.rss_bytes
      this.inFlight = message.in_flight
      this.webSockets = message.web_sockets.open
      this.openBreakers = message.open_breakers
    }
    this.#options.onMessage(message)
  }
}

function allowedEnvironment(): NodeJS.ProcessEnv {
  const names = ['PATH', 'NODE_EXTRA_CA_CERTS', 'NODE_OPTIONS', 'TZ', 'LANG', 'SYSTEMROOT']
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
  )
}
