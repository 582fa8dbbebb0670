import type { LimitsStateMessage } from '../messages/worker-messages.ts'
import type { FleetOptions } from './fleet-options.ts'

/** How the rate limits of this server are counted. */
export interface FleetLimits {
  /** `off`: no Redis is set. `joining`: no worker has reached it yet. */
  state: 'off' | LimitsStateMessage['state']
  /** Why Redis is away. */
  reason: string | null
  since: Date
  /** How often it went away since the start. */
  timesAway: number
}

/** Puts together what workers say of Redis, and logs each change once, not once for each worker. */
export class LimitsWatch {
  readonly #log: FleetOptions['log']
  /** By worker. One that is started again says it again. */
  readonly #away = new Map<number, string | null>()
  #limits: FleetLimits

  constructor(log: FleetOptions['log']) {
    this.#log = log
    this.#limits = { state: 'off', reason: null, since: new Date(), timesAway: 0 }
  }

  get limits(): FleetLimits {
    return this.#limits
  }

  take(worker: number, { state, reason }: LimitsStateMessage): void {
    if (state === 'away') this.#away.set(worker, reason)
    else this.#away.delete(worker)
    const now = this.#away.size > 0 ? 'away' : 'shared'
    if (now === this.#limits.state) return
    const since = new Date()
    const { state: before, since: beforeSince, timesAway } = this.#limits
    this.#limits = { state: now, reason, since, timesAway: timesAway + (now === 'away' ? 1 : 0) }
    if (now === 'away')
      this.#log.warn({ reason }, 'Redis is away: this server counts its share of rate limits')
    else if (before === 'away')
      this.#log.info(
        { away_ms: since.getTime() - beforeSince.getTime() },
        'Redis is back: rate limits are counted together with the other servers',
      )
    else this.#log.info({}, 'rate limits are counted in Redis, together with other servers')
  }

  /** A process was started that has not said anything yet. */
  handleStart(worker: number, isRedisSet: boolean): void {
    this.#away.delete(worker)
    if (isRedisSet && this.#limits.state === 'off') this.#limits.state = 'joining'
  }
}
