import { setTimeout as delay } from 'node:timers/promises'
import { oneThatIsUp, type MortalServer } from '../hostile-authority/mortal-server.ts'
import type { Answer, Call } from '../run-product.ts'

interface Run {
  id: number
  state: string
  reference: string | null
  steps: { position: number; state: string }[]
}

/** Questions of a person at once. */
const atOnce = 6
const roundMs = 1_000
/** The longest pause between two questions about a run. */
const askAgainMaxMs = 30_000

/**
 * The person who looks after the runs: asks what became of those that are unknown. Sends nothing, until
 * told to settle what is left.
 */
export class Operator {
  readonly #servers: readonly MortalServer[]
  readonly #calls: readonly Call[]
  /** How often a person has sent a document again, or has tried to. */
  readonly resends = new Map<string, number>()
  /** When the authority is to be asked about a run again, and after which pause. */
  readonly #asked = new Map<number, { againAtMs: number; pauseMs: number }>()
  #isDone = false

  constructor(servers: readonly MortalServer[], calls: readonly Call[]) {
    this.#servers = servers
    this.#calls = calls
  }

  /** Asks until `stop`. */
  async lookAfter(): Promise<void> {
    while (!this.#isDone) {
      await this.#each(await this.list('unknown'), (run) => this.#ask(run))
      await delay(roundMs)
    }
  }

  stop(): void {
    this.#isDone = true
  }

  /**
   * Goes on until nothing is queued, under way, undecided or left over. Returns the runs that are not
   * settled when the time is over.
   */
  async settle(withinMs: number): Promise<Run[]> {
    const endsAtMs = performance.now() + withinMs
    for (;;) {
      const open = await Promise.all(openStates.map((state) => this.list(state)))
      const left = open.flat()
      if (left.length === 0 || performance.now() > endsAtMs) return left
      await this.#each(left, (run) => this.#settle(run))
      await this.#resumeLanes()
      await delay(roundMs)
    }
  }

  /** A page of the runs in this state, the oldest first. */
  async list(state: string): Promise<Run[]> {
    const answer = await this.#call('GET', `/api/runs?state=${state}&limit=100&sort=id`)
    const [page] = (answer?.body ?? [{ data: [] }]) as [{ data: Run[] }]
    return page.data
  }

  async #settle(run: Run): Promise<void> {
    if (run.state === 'unknown') {
      await this.#ask(run)
      // One authority knows its documents, so the same may be sent again.
      if (run.reference?.startsWith('careful/') && run.id % 2 === 0) await this.#resend(run)
    } else if (['not_started', 'stopped', 'blocked'].includes(run.state)) await this.#resend(run)
  }

  async #ask(run: Run): Promise<void> {
    const { againAtMs, pauseMs } = this.#asked.get(run.id) ?? { againAtMs: 0, pauseMs: 500 }
    if (againAtMs > Date.now()) return
    const step = run.steps.find(({ state }) => state === 'unknown')?.position
    const answer = await this.#call('POST', `/api/runs/${run.id}/status-query`, { step })
    const after = (answer?.body as { ask_again_after?: string | null } | undefined)?.ask_again_after
    // Nobody asks an authority that is away every second: each question counts for the limits.
    this.#asked.set(run.id, {
      againAtMs: after ? Date.parse(after) : Date.now() + pauseMs,
      pauseMs: Math.min(2 * pauseMs, askAgainMaxMs),
    })
  }

  async #resend(run: Run): Promise<void> {
    const reference = run.reference ?? ''
    const answer = await this.#call('POST', `/api/runs/${run.id}/resume`, {})
    // Refused without a call to the authority.
    if (answer && ![200, 202, 502, 504].includes(answer.status)) return
    this.resends.set(reference, (this.resends.get(reference) ?? 0) + 1)
  }

  /** A lane that waits for its authority tries at once. */
  async #resumeLanes(): Promise<void> {
    const answer = await this.#call('GET', '/api/lanes')
    const { lanes = [] } = (answer?.body ?? {}) as {
      lanes?: { id: number; next_try_at: string | null }[]
    }
    for (const { id, next_try_at } of lanes)
      if (next_try_at !== null && Date.parse(next_try_at) > Date.now() + 5_000)
        await this.#call('POST', `/api/lanes/${id}/resume`, {})
  }

  async #each(runs: readonly Run[], work: (run: Run) => Promise<void>): Promise<void> {
    const queue = [...runs]
    const worker = async () => {
      for (let run = queue.shift(); run; run = queue.shift()) await work(run)
    }
    await Promise.all(Array.from({ length: atOnce }, worker))
  }

  /** At any of the servers; undefined where it died before it answered. */
  async #call(method: string, path: string, body?: unknown): Promise<Answer | undefined> {
    const server = await oneThatIsUp(this.#servers)
    const call = this.#calls[this.#servers.indexOf(server)]
    return call?.(method, path, body).catch(() => undefined)
  }
}

/** States in which somebody or something still has to act. */
const openStates = [
  'queued',
  'running',
  'pending',
  'unknown',
  'not_started',
  'stopped',
  'blocked',
] as const
