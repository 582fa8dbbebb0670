import type { HttpUpstream } from '@gatehouse/upstream'
import type { Logger } from 'pino'
import type { Clock } from '../../kernel/clock.ts'
import { Rounds } from '../../kernel/rounds.ts'
import type { InTransaction, Stores } from '../../stores.ts'
import { fetchKeys } from './key-fetcher.ts'

const everyMs = 5_000
/** A key that an issuer has taken back counts no longer than this. */
const freshMs = 5 * 60_000
const againMs = 60_000
/** A token may name any key: it makes us ask its issuer no more often than this. */
const hurryMs = 60_000
const atOnce = 10

export interface KeyKeeperOptions {
  stores: Stores
  inTransaction: InTransaction
  clock: Clock
  log: Logger
  upstream: HttpUpstream
}

/**
 * Fetches the keys of issuers that are switched on: every five minutes, a minute after a failure, and once when
 * a token names a key that is not known. Where a fetch fails, the keys before stay. Of several servers the one
 * that claims the moment fetches.
 */
export class KeyKeeper {
  readonly #options: KeyKeeperOptions
  readonly #rounds: Rounds
  readonly #stopping = new AbortController()
  /** By issuer: when this server last hurried for it. */
  readonly #hurried = new Map<number, number>()

  constructor(options: KeyKeeperOptions) {
    this.#options = options
    const failure = 'the keys of token issuers could not be looked at'
    this.#rounds = new Rounds({ everyMs, work: () => this.#round(), log: options.log, failure })
  }

  start(): void {
    this.#rounds.start()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#rounds.stop()
  }

  look(): Promise<void> {
    return this.#rounds.look()
  }

  /** Tokens of these issuers name keys that are not known. Never rejects. */
  async hurry(issuerIds: readonly number[]): Promise<void> {
    const { stores, clock, log } = this.#options
    const nowMs = clock.now().getTime()
    const isDue = (id: number) => nowMs - (this.#hurried.get(id) ?? -Infinity) >= hurryMs
    const due = issuerIds.filter(isDue)
    if (due.length === 0) return
    try {
      const before = new Date(nowMs - hurryMs).toISOString()
      for (const id of due) {
        this.#hurried.set(id, nowMs)
        await stores.issuers.hurryKeys(id, clock.now().toISOString(), before)
      }
      await this.look()
    } catch (error) {
      log.error({ err: error }, 'the keys of a token issuer could not be asked for')
    }
  }

  async #round(): Promise<void> {
    const { stores, clock } = this.#options
    const due = await stores.issuers.listDue(clock.now().toISOString(), atOnce)
    await Promise.all(
      due.map(async ({ id, keys_due_at }) => {
        if (await stores.issuers.claimDue(id, keys_due_at, this.#after(againMs)))
          await this.refresh(id)
      }),
    )
  }

  /** Fetches the keys of one issuer now and puts them in force; an issuer whose keys were typed in keeps them. */
  async refresh(id: number): Promise<void> {
    const { stores, inTransaction, upstream, log } = this.#options
    const url = (await stores.issuers.find(id))?.jwks_url
    if (!url) return
    const fetched = await fetchKeys(upstream, url, this.#stopping.signal)
    if (this.#stopping.signal.aborted) return
    if (!fetched.ok)
      log.warn({ issuer_id: id, reason: fetched.problem }, 'no keys of a token issuer')
    await inTransaction(async ({ issuers, revisions }) => {
      const row = await issuers.find(id)
      // Another address was saved meanwhile.
      if (row?.jwks_url !== url) return
      const now = this.#after(0)
      const next = this.#after(fetched.ok ? freshMs : againMs)
      const tried = { keys_tried_at: now, keys_due_at: row.is_active ? next : null }
      if (!fetched.ok) {
        await issuers.setKeys(id, { ...tried, keys_problem: fetched.problem })
        return
      }
      const keys = JSON.stringify(fetched.keys)
      const isChanged = keys !== row.keys
      const changed = isChanged ? { keys } : {}
      await issuers.setKeys(id, { ...tried, ...changed, keys_read_at: now, keys_problem: null })
      if (isChanged) await revisions.bump()
    })
  }

  #after(ms: number): string {
    return new Date(this.#options.clock.now().getTime() + ms).toISOString()
  }
}
