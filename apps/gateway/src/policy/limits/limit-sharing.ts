import type { SharedLimitsState } from '../../messages/worker-messages.ts'
import type { RedisSettings } from '../../messages/worker-settings.ts'
import type { LimitShare } from './rate-limit.ts'
import { SharedLimits } from './shared-limits.ts'
import type { SharedTake, SharedTaken } from './shared-limit-script.ts'

/** How the rate limits of this worker count together with those of other servers. */
export class LimitSharing implements LimitShare {
  servers = 1
  #shared: SharedLimits | null = null

  get isConnected(): boolean {
    return this.#shared !== null
  }

  get isShared(): boolean {
    return this.#shared !== null && this.#shared.isShared
  }

  /** From now on requests are counted in Redis, as soon as and as long as it answers. */
  connect(
    redis: RedisSettings,
    onState: (state: SharedLimitsState, reason: string | null) => void,
  ): void {
    this.#shared ??= new SharedLimits({ redis, onState })
  }

  /** See SharedLimits. */
  async take(take: SharedTake): Promise<SharedTaken | null> {
    return this.#shared === null ? null : this.#shared.take(take)
  }

  close(): void {
    this.#shared?.close()
    this.#shared = null
  }
}
