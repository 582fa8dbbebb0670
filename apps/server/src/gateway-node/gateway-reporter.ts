import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { NodeState } from '@gatehouse/contract'
import type { Logger } from 'pino'
import { isDatabaseAway } from '../db/outages/database-away.ts'
import type { Clock } from '../kernel/clock.ts'
import type { GatewayReport } from '../publishing/gateway-link.ts'
import type { GatewayReportMessage } from '../publishing/gateways/gateway-messages.ts'
import { GatewayFigures } from './gateway-figures.ts'
import type { GatewayVoice } from './gateway-voice.ts'

interface GatewayReporterOptions {
  voice: GatewayVoice
  clock: Clock
  log: Logger
  instanceId: string
  /** See `DataDir.place`. */
  place: string
  name: string
  version: string
  describe: () => Promise<NodeState>
  /** Another server lives that has the same `instance-id`: this one has to stop. */
  onLost: () => void
}

const lookEveryMs = 1_000
/** A sign of life comes this often where there is nothing to report. */
const beatEveryMs = 5_000
/** No answer for so long: it is said again. */
const answerMaxMs = 5_000
const stopMaxMs = 3_000
/** Rows and tokens of one report; fewer where they do not fit. */
const rowsOfReport = 100
const tokensOfReport = 200

interface Sent {
  beat: number
  payload: string
  atMs: number
}

/**
 * Tells the control plane that this gateway lives, what it runs on, and what it counted. One report is under way at
 * a time and is said again until it is answered, so that each counts once. While nobody answers, figures
 * wait, up to a bound; what still waits when the process ends is lost.
 */
export class GatewayReporter {
  readonly #options: GatewayReporterOptions
  readonly #figures = new GatewayFigures()
  readonly #startId = randomUUID()
  readonly #startedAt: string
  #beat = 0
  #sent: Sent | undefined
  #saidAtMs = -Infinity
  #isStopping = false
  /** Who has the identity of this gateway, as the control plane said last: its start and its last sign of life. */
  #holder: string | undefined
  #timer: NodeJS.Timeout | undefined
  #speaking: Promise<void> = Promise.resolve()

  constructor(options: GatewayReporterOptions) {
    this.#options = options
    this.#startedAt = options.clock.now().toISOString()
  }

  /** Requests since the start that the figures lack. */
  get lostRequests(): number {
    return this.#figures.lostRequests
  }

  start(): void {
    this.#speak()
    this.#timer = setInterval(() => this.#speak(), lookEveryMs).unref()
  }

  record(report: GatewayReport): void {
    const now = this.#options.clock.now()
    const at = new Date(report.at ?? now)
    this.#figures.record(report, at < now ? at : now)
  }

  /** The control plane has heard a report. False where it was not one that waits for this. */
  heard(startId: string, beat: number): boolean {
    if (startId !== this.#startId || this.#sent?.beat !== beat) return false
    this.#sent = undefined
    this.#holder = undefined
    if (!this.#figures.isEmpty) this.#speak()
    return true
  }

  /**
   * The control plane knows another server by this identity. That one lives if it has given a sign of life since the
   * last time; otherwise this gateway gets the identity once the other counts as gone.
   */
  taken(startId: string, holder: string): void {
    if (startId !== this.#startId || this.#isStopping) return
    const before = this.#holder
    this.#holder = holder
    if (before !== undefined && before !== holder) this.#options.onLost()
  }

  /** Says what is left, for three seconds at most, and that this gateway stops. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    const untilMs = performance.now() + stopMaxMs
    while (performance.now() < untilMs && (this.#sent || !this.#figures.isEmpty)) {
      this.#speak()
      await sleep(20)
    }
    this.#isStopping = true
    this.#sent = undefined
    this.#saidAtMs = -Infinity
    this.#speak()
    await this.#speaking
  }

  #speak(): void {
    this.#speaking = this.#speaking.then(() => this.#say())
  }

  async #say(): Promise<void> {
    const nowMs = performance.now()
    try {
      const due = this.#sent ? nowMs - this.#sent.atMs >= answerMaxMs : this.#isDue(nowMs)
      if (!due) return
      this.#sent ??= await this.#next()
      this.#sent.atMs = this.#saidAtMs = nowMs
      await this.#options.voice.send(this.#sent.payload)
    } catch (error) {
      if (!isDatabaseAway(error))
        this.#options.log.error({ err: error }, 'the control plane could not be told how this is')
    }
  }

  #isDue(nowMs: number): boolean {
    return !this.#figures.isEmpty || nowMs - this.#saidAtMs >= beatEveryMs
  }

  async #next(): Promise<Sent> {
    const { voice, instanceId, place, name, version, describe } = this.#options
    const node = {
      instance_id: instanceId,
      start_id: this.#startId,
      place,
      name,
      version,
      started_at: this.#startedAt,
    }
    // Before anything is taken that would have to be put back.
    await voice.ready()
    const beat = ++this.#beat
    const head = {
      kind: 'report',
      node,
      beat,
      state: await describe(),
      is_last: this.#isStopping,
      unknown_keys: this.#figures.takeUnknownKeys(),
    } as const
    const taken = this.#figures.take(rowsOfReport, tokensOfReport)
    for (let share = 1; ; share *= 2) {
      const part = {
        traffic: taken.traffic.slice(0, Math.ceil(rowsOfReport / share)),
        token_uses: taken.token_uses.slice(0, Math.ceil(tokensOfReport / share)),
        quota_uses: taken.quota_uses.slice(0, Math.ceil(tokensOfReport / share)),
        tool_calls: taken.tool_calls.slice(0, Math.ceil(rowsOfReport / share)),
      }
      const payload = await voice.pack({ ...head, ...part } satisfies GatewayReportMessage)
      if (payload === undefined && share < rowsOfReport) continue
      this.#figures.putBack({
        traffic: taken.traffic.slice(part.traffic.length),
        token_uses: taken.token_uses.slice(part.token_uses.length),
        quota_uses: taken.quota_uses.slice(part.quota_uses.length),
        tool_calls: taken.tool_calls.slice(part.tool_calls.length),
      })
      return { beat, payload: payload ?? '', atMs: 0 }
    }
  }
}
