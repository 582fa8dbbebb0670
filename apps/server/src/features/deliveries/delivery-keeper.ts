import type { Logger } from 'pino'
import type { Clock } from '../../kernel/clock.ts'
import { isStillHeld, wishFor } from '../../kernel/leases/lease-time.ts'
import { Rounds } from '../../kernel/rounds.ts'
import type { InTransaction, Stores } from '../../stores.ts'
import type { ClaimOptions } from './claim-deliveries.ts'
import type { StoredDelivery } from './delivery-store.ts'
import { afterTry } from './next-try.ts'
import { removeOld } from './remove-old.ts'
import type { Senders, Tried } from './send-delivery.ts'

/** Longer than any try. */
const leaseMs = 60_000
const tryMaxMs = 45_000
/** Tries of this server at once, and of those to one place. */
const underWayMax = 64
const perPlace = 8
const everyMs = 1_000
const cleanEveryMs = 600_000

const failed = (error: string): Tried => ({ what: 'failed', status: null, error })

interface DeliveryKeeperOptions {
  inTransaction: InTransaction
  clock: Clock
  log: Logger
  /** The id of this server. */
  owner: string
  senders: Senders
}

/**
 * Sends what waits in the outbox. Each try begins with a lease that is committed: of several servers one
 * sends at a time. The outcome is committed after the try, so that a server that dies in between leaves a
 * delivery that is sent again, under the same id: receivers get it once at least.
 */
export class DeliveryKeeper {
  readonly #options: DeliveryKeeperOptions
  readonly #rounds: Rounds
  readonly #underWay = new Map<number, { place: string; work: Promise<void> }>()
  readonly #stopping = new AbortController()
  #cleanedAtMs = 0
  #hasMore = false
  #isStarted = false

  constructor(options: DeliveryKeeperOptions) {
    this.#options = options
    this.#rounds = new Rounds({
      everyMs,
      work: () => this.#begin(),
      log: options.log,
      failure: 'deliveries can’t be sent',
    })
  }

  async start(): Promise<void> {
    const { inTransaction, owner } = this.#options
    await inTransaction(({ deliveries }) => deliveries.releaseOwn(owner))
    this.#isStarted = true
    this.#rounds.start()
  }

  /** Cuts off the tries under way; they do not count. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#rounds.stop()
    await this.#settled()
  }

  /** Sends what is due, and what becomes due by that, and waits for the answers. */
  async look(): Promise<void> {
    do {
      await this.#rounds.look()
      await this.#settled()
    } while (this.#hasMore && !this.#stopping.signal.aborted)
  }

  /** Sends what is due, without waiting for a round. Returns at once. Does nothing before the start. */
  wake(): void {
    if (this.#isStarted && !this.#stopping.signal.aborted) void this.#rounds.look()
  }

  async #settled(): Promise<void> {
    while (this.#underWay.size > 0)
      await Promise.all(this.#underWay.values().map(({ work }) => work))
  }

  /** Claims what is due, and begins to send it. */
  async #begin(): Promise<void> {
    const { inTransaction, clock } = this.#options
    if (this.#stopping.signal.aborted) return
    const at = clock.now()
    const limit = underWayMax - this.#underWay.size
    const underWay = new Map<string, number>()
    for (const { place } of this.#underWay.values())
      underWay.set(place, (underWay.get(place) ?? 0) + 1)
    const lease = await wishFor(this.#options, leaseMs)
    const claiming = { lease, limit, perPlace, underWay }
    const taken = limit > 0 ? await inTransaction((stores) => claim(stores, claiming)) : []
    // After a pause of the process, its own leases are over: it has only renewed them.
    const claimed = taken.filter(({ id }) => !this.#underWay.has(id))
    this.#hasMore = claimed.length > 0
    for (const delivery of claimed) this.#track(delivery)
    await this.#clean(at)
  }

  #track(delivery: StoredDelivery): void {
    const { log } = this.#options
    const { id, place } = delivery
    const work = this.#try(delivery)
      .catch((error: unknown) =>
        // The lease ends, and the delivery is sent again.
        log.error({ err: error, delivery: id }, 'what became of a delivery can’t be stored'),
      )
      .finally(() => {
        this.#underWay.delete(id)
        // The next to the same place, or with the same order key.
        this.wake()
      })
    this.#underWay.set(id, { place, work })
  }

  async #try(delivery: StoredDelivery): Promise<void> {
    const { inTransaction, clock, owner, log } = this.#options
    const tried = await this.#send(delivery)
    const change = tried.what === 'aborted' ? {} : afterTry(delivery, tried, clock.now())
    await inTransaction(
      ({ deliveries }) => deliveries.finish(delivery.id, owner, change),
      undefined,
      { sharesCommit: true },
    )
    if (change.state !== 'dead') return
    const { id, kind, place } = delivery
    log.error({ delivery: id, kind, place, reason: change.last_error }, 'a delivery was given up')
  }

  async #send(delivery: StoredDelivery): Promise<Tried> {
    const { senders, clock, log } = this.#options
    const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(tryMaxMs)])
    const send = senders[delivery.channel]
    if (!send) return failed(`This server can’t send by ${delivery.channel}.`)
    try {
      // After a pause, another server may be sending it: two at once would break the order.
      if (!(await isStillHeld(clock, delivery.lease_until))) return { what: 'aborted' }
      const tried = await send(delivery, { at: clock.now(), signal })
      const isLate = tried.what === 'aborted' && !this.#stopping.signal.aborted
      return isLate ? failed('It took too long.') : tried
    } catch (error) {
      if (this.#stopping.signal.aborted) return { what: 'aborted' }
      log.error({ err: error, delivery: delivery.id }, 'a delivery can’t be sent')
      return failed('It can’t be sent: see the log.')
    }
  }

  async #clean(at: Date): Promise<void> {
    if (at.getTime() - this.#cleanedAtMs < cleanEveryMs) return
    this.#cleanedAtMs = at.getTime()
    await removeOld(this.#options.inTransaction, at)
  }
}

/** Alarms are sent while the installation is held: one of them says so. */
async function claim({ deliveries, installationHold }: Stores, claiming: ClaimOptions) {
  const isHeld = await installationHold.isHeld()
  return deliveries.claim(isHeld ? { ...claiming, without: 'callback' } : claiming)
}
