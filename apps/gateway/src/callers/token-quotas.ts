import type { TokenLimits } from '@gatehouse/contract/gateway'
import type { TokenUsage } from '../messages/usage-messages.ts'

type Quota = NonNullable<TokenLimits['quota']>

const dayMs = 86_400_000

interface Used {
  /** Days since 1970, in UTC. */
  day: number
  today: number
  thisMonth: number
}

/**
 * How often tokens with a quota were used, as far as this worker knows: what all workers had counted together when it
 * was told last, and what it has let through itself since. Never more than there was: a token is not refused early.
 * It outlives snapshots.
 */
export class TokenQuotas {
  readonly #used = new Map<number, Used>()
  /** Let through since the last report. */
  #unreported = new Map<number, number>()
  #day = -1
  #firstOfMonth = 0
  #monthEndMs = 0

  /** Counts a request where the quota has room for it: 0. Else how many seconds its token has to wait. */
  take(tokenId: number, quota: Quota, nowMs: number, isCounted: boolean): number {
    const used = this.#usedOf(tokenId, nowMs)
    if (quota.per_month !== null && used.thisMonth >= quota.per_month)
      return secondsUntil(this.#monthEndMs, nowMs)
    if (quota.per_day !== null && used.today >= quota.per_day)
      return secondsUntil((this.#day + 1) * dayMs, nowMs)
    if (!isCounted) return 0
    used.today++
    used.thisMonth++
    this.#unreported.set(tokenId, (this.#unreported.get(tokenId) ?? 0) + 1)
    return 0
  }

  /**
   * What is left of the quota, as far as this worker knows, for the field `Gatehouse-Quota`: of each part the number, the
   * rest and the seconds until it begins again.
   */
  left(tokenId: number, { per_day: day, per_month: month }: Quota, nowMs: number): string {
    const { today, thisMonth } = this.#usedOf(tokenId, nowMs)
    const parts: string[] = []
    if (day !== null) parts.push(partOf('day', day, today, (this.#day + 1) * dayMs - nowMs))
    if (month !== null) parts.push(partOf('month', month, thisMonth, this.#monthEndMs - nowMs))
    return parts.join(', ')
  }

  /** Token and times since the last call. */
  drain(): [number, number][] {
    const drained = [...this.#unreported]
    this.#unreported = new Map()
    return drained
  }

  /** What all workers have counted together. What this one has counted and not reported may be missing in it. */
  absorb(usages: readonly TokenUsage[], nowMs: number): void {
    for (const { token_id, day, today, this_month } of usages) {
      const used = this.#usedOf(token_id, nowMs)
      const told = Math.floor(Date.parse(day) / dayMs)
      if (told === used.day) used.today = Math.max(used.today, today)
      if (told >= this.#firstOfMonth && told <= used.day)
        used.thisMonth = Math.max(used.thisMonth, this_month)
    }
  }

  #usedOf(tokenId: number, nowMs: number): Used {
    const day = Math.floor(nowMs / dayMs)
    if (day !== this.#day) this.#turn(day)
    const known = this.#used.get(tokenId)
    if (known === undefined) {
      const used = { day, today: 0, thisMonth: 0 }
      this.#used.set(tokenId, used)
      return used
    }
    if (known.day === day) return known
    // A clock that is set back starts from zero as well.
    if (known.day < this.#firstOfMonth || known.day > day) known.thisMonth = 0
    known.today = 0
    known.day = day
    return known
  }

  #turn(day: number): void {
    const date = new Date(day * dayMs)
    const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
    this.#day = day
    this.#firstOfMonth = Date.UTC(year, month, 1) / dayMs
    this.#monthEndMs = Date.UTC(year, month + 1, 1)
  }
}

const secondsUntil = (endMs: number, nowMs: number) =>
  Math.max(1, Math.ceil((endMs - nowMs) / 1_000))

const partOf = (name: string, quota: number, used: number, leftMs: number) =>
  `${name};q=${quota};r=${Math.max(0, quota - used)};t=${secondsUntil(leftMs, 0)}`
