import type { Logger } from 'pino'
import { inParts } from '../../kernel/in-parts.ts'
import type { Clock } from '../../kernel/clock.ts'
import { Rounds } from '../../kernel/rounds.ts'
import type { TokenUsage } from '../../publishing/gateway-link.ts'
import type { InTransaction, Stores } from '../../stores.ts'

interface TokenUsageOptions {
  stores: Pick<Stores, 'tokenUsage'>
  inTransaction: InTransaction
  clock: Clock
  log: Logger
  /** Other servers count in the same database. */
  isShared: boolean
  /** Tells the workers of this server. */
  tell: (usages: readonly TokenUsage[]) => void
  /** Tells gateways that run alone. */
  tellOthers: (usages: readonly TokenUsage[]) => Promise<void>
}

const roundMs = 1_000
/** Clocks of servers may differ, and a commit takes its time. */
const marginMs = 10_000
const rowsAtOnce = 500
const dayMs = 86_400_000
/** A day longer than a year, so that the same month of the year before can be looked up. */
const keptDays = 400

/**
 * Counts the uses of tokens with a quota in the database, once a second, and tells every worker what all of them
 * have counted together. A crash loses what came in since; a database that is away gets it later.
 */
export class TokenUsageKeeper {
  readonly #options: TokenUsageOptions
  readonly #rounds: Rounds
  /** By day and token. */
  #pending = new Map<string, { token_id: number; day: string; requests: number }>()
  #readSince: string | undefined
  #prunedDay = ''

  constructor(options: TokenUsageOptions) {
    this.#options = options
    const failure = 'uses of tokens could not be counted'
    this.#rounds = new Rounds({ ...options, everyMs: roundMs, failure, work: () => this.#work() })
  }

  start(): void {
    this.#rounds.start()
  }

  /** Writes what has come in, and stops. */
  async stop(): Promise<void> {
    await this.#rounds.stop()
    await this.look()
  }

  look(): Promise<void> {
    return this.#rounds.look()
  }

  /** The same, and settles when it is in the database, or could not be written and waits. */
  async keep(
    uses: readonly (readonly [token: number, times: number])[],
    day?: string,
  ): Promise<void> {
    if (uses.length === 0) return
    this.record(uses.map(([token, times]) => [token, times, day]))
    // A round that is under way may have begun before.
    await this.#rounds.look()
    if (this.#pending.size > 0) await this.#rounds.look()
  }

  /** Without a day: today. A day that is not here yet counts as today. */
  record(uses: Iterable<readonly [token: number, times: number, day?: string | undefined]>): void {
    const today = dayOf(this.#options.clock.now())
    for (const [token_id, requests, at = today] of uses) {
      const day = at < today ? at : today
      const key = `${day} ${token_id}`
      const known = this.#pending.get(key)
      if (known) known.requests += requests
      else this.#pending.set(key, { token_id, day, requests })
    }
  }

  async #work(): Promise<void> {
    const { stores, clock, isShared, tell, tellOthers } = this.#options
    const now = clock.now()
    const today = dayOf(now)
    const written = await this.#write(now.toISOString())
    const ids = [...new Set([...written, ...(await this.#changed(now, isShared))])]
    const own = new Set(written)
    for (const some of inParts(ids, rowsAtOnce)) {
      const totals = await stores.tokenUsage.totals(some, today)
      tell(totals)
      const ownTotals = totals.filter(({ token_id }) => own.has(token_id))
      if (ownTotals.length > 0) await tellOthers(ownTotals)
    }
    // Not before all were told: a round that fails is made up for.
    this.#readSince = new Date(now.getTime() - marginMs).toISOString()
    if (this.#prunedDay === today) return
    const before = dayOf(new Date(now.getTime() - keptDays * dayMs))
    await this.#options.inTransaction(({ tokenUsage }) => tokenUsage.removeBefore(before))
    this.#prunedDay = today
  }

  /** The tokens of which something was written. What can't be written stays. */
  async #write(at: string): Promise<number[]> {
    const written: number[] = []
    const entries = [...this.#pending].toSorted(([, a], [, b]) => a.token_id - b.token_id)
    for (const part of inParts(entries, rowsAtOnce)) {
      // More may come in while it is written.
      for (const [key] of part) this.#pending.delete(key)
      try {
        written.push(
          ...(await this.#add(
            part.map(([, use]) => use),
            at,
          )),
        )
      } catch (error) {
        this.record(part.map(([, { token_id, requests, day }]) => [token_id, requests, day]))
        throw error
      }
    }
    return written
  }

  #add(uses: readonly { token_id: number; day: string; requests: number }[], at: string) {
    return this.#options.inTransaction(async ({ tokenUsage }) => {
      const known = new Set(await tokenUsage.listKnown(uses.map(({ token_id }) => token_id)))
      await tokenUsage.add(
        uses.filter(({ token_id }) => known.has(token_id)),
        at,
      )
      return [...known]
    })
  }

  /** At first all tokens of the month, then what other servers have counted since. */
  async #changed(now: Date, isShared: boolean): Promise<number[]> {
    const { tokenUsage } = this.#options.stores
    const since = this.#readSince
    if (since !== undefined && !isShared) return []
    return since === undefined
      ? tokenUsage.listUsed(`${dayOf(now).slice(0, 7)}-01`)
      : tokenUsage.listChanged(since)
  }
}

const dayOf = (at: Date) => at.toISOString().slice(0, 10)
