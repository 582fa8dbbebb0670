import {
  OtlpSender,
  randomHex,
  readTraceparent,
  traceparent,
  type OtlpSpan,
  type SpanSettings,
} from '@gatehouse/logging/spans'
import { createAddressRanges } from '@gatehouse/upstream'
import type { Logger } from 'pino'
import { allOf } from '../../../db/all-of.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { LiveRun } from '../ledger/reading/live-run.ts'
import type { RunRow } from '../ledger/run-store.ts'
import { runStateOf } from '../ledger/run-state.ts'
import { spanIdOf, traceOf, type RunTrace, type TraceSource } from '../ledger/reading/run-trace.ts'
import { askedSpan, type AskedSpan, type CalledUrl } from './asked-span.ts'
import { spansOfRun, type Carried } from './span-of-run.ts'
import type { TracedRunStore } from './traced-run-store.ts'

interface RunSpansOptions {
  settings: SpanSettings
  /** CIDR ranges whose callers decide whether their traces are sampled. */
  internalNetworks: readonly string[]
  /** On the connections for long reads. */
  ledger: TracedRunStore
  clock: Clock
  log: Logger
}

/** Runs, and calls outside of runs, whose spans wait to be made and sent. More are dropped and counted. */
const waitingMax = 8_192
const runsAtOnce = 100
const spansAtOnce = 1_024
const everyMs = 1_000
/** How long a server that stops waits for the collector. */
const stopMs = 5_000

/**
 * Spans of runs. A run that has ended is noted; a moment later its spans are made of the ledger and sent to a
 * collector. No run waits for that, and none fails by it. The server that ends a carrying-out in the ledger
 * notes it, so that its spans are sent once, also where another server has died.
 */
export class RunSpans {
  readonly #options: RunSpansOptions
  readonly #inside: ReturnType<typeof createAddressRanges>
  readonly #sender: OtlpSender
  #runs: Carried[] = []
  #calls: OtlpSpan[] = []
  #timer: NodeJS.Timeout | undefined
  #flushing: Promise<void> | undefined
  #lost = 0
  /** Of those, how many the log has. */
  #loggedLost = 0
  #isStopped = false

  constructor(options: RunSpansOptions) {
    this.#options = options
    this.#inside = createAddressRanges(options.internalNetworks)
    this.#sender = new OtlpSender(options.settings, 'gatehouse.runs')
  }

  /** Spans that no collector has, since the start. A run that was dropped whole counts as one. */
  get lost(): number {
    return this.#lost
  }

  /** The trace of a run that begins. A caller within our networks decides whether it is sampled. */
  begin({ address, traceparent: given = '' }: TraceSource): RunTrace {
    const parent = readTraceparent(given)
    const isSampled =
      parent !== null && this.#inside.has(address)
        ? parent.isSampled
        : Math.random() < this.#options.settings.ratio
    return {
      traceId: parent?.traceId ?? randomHex(16),
      parentId: parent?.spanId ?? null,
      isSampled,
    }
  }

  /** The run has ended on this server, or went back to its lane, and the ledger says so. */
  ended({ id, epoch, trace, takenAt, steps, attempts = [] }: LiveRun): void {
    if (!trace?.isSampled) return
    const state = runStateOf(steps)
    const endedAt = this.#now()
    this.#note({ id, epoch, epochAfter: epoch, trace, takenAt, endedAt, state, attempts })
  }

  /** This server has closed a run that another one, or this one before its start, has left open. */
  recovered(run: RunRow): void {
    const trace = traceOf(run)
    if (!trace?.isSampled) return
    const takenAt = run.taken_at ?? run.created_at
    const { id, epoch } = run
    const endedAt = this.#now()
    this.#note({ id, epoch, epochAfter: epoch + 1, trace, takenAt, endedAt, state: 'stopped' })
  }

  /** A call about a run beside its steps: a status query. Call `end` once, with its answer. */
  ask(run: RunRow, called: CalledUrl): AskedSpan | undefined {
    return askedSpan(run, called, this.#options.clock, (span) => this.#add(span))
  }

  /** Sends what waits. Resolves once all of it was sent or lost. */
  flush(): Promise<void> {
    return (this.#flushing ??= this.#sendAll().finally(() => (this.#flushing = undefined)))
  }

  /** Sends what waits, for 5 s at most. What comes later is lost. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer)
    this.#isStopped = true
    const { promise: late, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, stopMs)
    await Promise.race([this.flush(), late])
    clearTimeout(timer)
  }

  #note(carried: Carried): void {
    if (this.#runs.length >= waitingMax) this.#lost++
    else this.#runs.push(carried)
    this.#soon()
  }

  #add(span: OtlpSpan): void {
    if (this.#calls.length >= waitingMax) this.#lost++
    else this.#calls.push(span)
    this.#soon()
  }

  #soon(): void {
    if (this.#isStopped || this.#timer) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      void this.flush()
    }, everyMs).unref()
  }

  async #sendAll(): Promise<void> {
    let reason = 'more runs end than the collector takes'
    const lose = (count: number, why: string) => {
      this.#lost += count
      reason = why
    }
    while (this.#runs.length > 0 || this.#calls.length > 0) {
      const carried = this.#runs.splice(0, runsAtOnce)
      const made = await this.#spansOf(carried).catch(() => {
        lose(carried.length, 'the ledger could not be read')
        return []
      })
      const spans = [...made, ...this.#calls.splice(0, spansAtOnce)]
      for (let at = 0; at < spans.length; at += spansAtOnce) {
        const some = spans.slice(at, at + spansAtOnce)
        const failure = await this.#sender.send(some)
        if (failure !== undefined) lose(some.length, failure)
      }
    }
    const lost = this.#lost - this.#loggedLost
    this.#loggedLost = this.#lost
    if (lost > 0) this.#options.log.warn({ lost }, `spans of runs were lost: ${reason}`)
  }

  async #spansOf(carried: readonly Carried[]): Promise<OtlpSpan[]> {
    if (carried.length === 0) return []
    const { ledger } = this.#options
    const ids = carried.map(({ id }) => id)
    const [runs, steps, attempts] = await allOf([
      ledger.listTraced(ids),
      ledger.listTracedSteps(ids),
      ledger.listTracedAttempts(ids),
    ])
    return carried.flatMap((each) => {
      const run = runs.find(({ id }) => id === each.id)
      const own = steps.filter(({ run_id }) => run_id === each.id)
      return run ? spansOfRun(each, { run, steps: own, attempts }) : []
    })
  }

  #now(): string {
    return this.#options.clock.now().toISOString()
  }
}

/** The header that says which attempt a call is; undefined where the run belongs to no trace. */
export const headerOfAttempt = (trace: RunTrace | null, attempt: number): string | undefined =>
  trace === null ? undefined : traceparent({ ...trace, spanId: spanIdOf(trace, { attempt }) })
