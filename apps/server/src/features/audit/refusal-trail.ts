import type { Logger } from 'pino'
import { addressGroup } from '@gatehouse/upstream/http'
import type { Actor } from '../../kernel/caller.ts'
import type { AuditEntry, AuditStore, AnonymousActor } from './audit-store.ts'

const windowMs = 60_000
/** How many refusals of one caller and action in one minute get a row each. */
const ownRowsMax = 10
/** How many pairs of caller and action are counted separately in one minute; all others share one row. */
const keysMax = 500

interface Fold {
  count: number
  /** The last refusal that got no row; the row of the repeats shows it. */
  last: { by: Actor | AnonymousActor; entry: AuditEntry } | undefined
}

/**
 * Writes refusals into the audit trail, with a bound on the number of rows: beyond ten a minute,
 * the repeats of one caller (or, signed out, one address) and action are counted and share one row, written
 * when the minute is over. Repeats that a crash interrupts are lost.
 */
export class RefusalTrail {
  readonly #audit: AuditStore
  readonly #log: Logger
  #folds = new Map<string, Fold>()
  #timer: NodeJS.Timeout | undefined

  constructor(audit: AuditStore, log: Logger) {
    this.#audit = audit
    this.#log = log
  }

  async record(by: Actor | AnonymousActor, entry: AuditEntry): Promise<void> {
    this.#timer ??= setTimeout(() => this.#endWindow(), windowMs).unref()
    const fold = this.#foldOf(keyOf(by, entry))
    fold.count++
    if (fold.count <= ownRowsMax) await this.#audit.record(by, entry)
    else fold.last = { by, entry }
  }

  /** Writes the repeats counted so far, and begins a new minute. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const folds = [...this.#folds.values()]
    this.#folds = new Map()
    for (const { count, last } of folds) {
      if (last) await this.#audit.record(last.by, { ...last.entry, times: count - ownRowsMax })
    }
  }

  #endWindow(): void {
    this.flush().catch((error: unknown) => {
      this.#log.error({ err: error }, 'repeated refusals could not be audited')
    })
  }

  #foldOf(key: string): Fold {
    const known = this.#folds.get(key)
    if (known) return known
    const isFull = this.#folds.size >= keysMax
    const others = isFull ? this.#folds.get(otherKey) : undefined
    if (others) return others
    const fold: Fold = { count: isFull ? ownRowsMax : 0, last: undefined }
    this.#folds.set(isFull ? otherKey : key, fold)
    return fold
  }
}

const otherKey = 'others'

const keyOf = (by: Actor | AnonymousActor, { action }: AuditEntry) =>
  'caller' in by
    ? `user ${by.caller.user.id} ${action}`
    : `address ${addressGroup(by.address)} ${action}`
