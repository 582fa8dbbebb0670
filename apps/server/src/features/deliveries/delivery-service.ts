import {
  deliveryKinds,
  type DeliveryKind,
  type DeliveryState,
  type Permission,
} from '@gatehouse/contract'
import { AppError } from '../../kernel/app-error.ts'
import { can, type Actor, type Caller } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { InTransaction } from '../../stores.ts'
import type { DeliveryFilter, ListedDelivery } from './delivery-list-store.ts'
import type { DeliveryStore } from './delivery-store.ts'
import { giveUpAfterMs } from './next-try.ts'

interface DeliveryServiceOptions {
  inTransaction: InTransaction
  clock: Clock
  longReads: Pick<DeliveryStore, 'list' | 'measure'>
  /** Called when something may be due. */
  wake: () => void
}

/** What callers need to see deliveries of a kind. */
const seenWith: Record<DeliveryKind, Permission> = {
  callback: 'workflow.view',
  test: 'workflow.view',
  alarm: 'alarm.view',
}

const kindsFor = (caller: Caller) => deliveryKinds.filter((kind) => can(caller, seenWith[kind]))

/** Deliveries that one call sends again. */
const revivedMax = 10_000

/** Shows deliveries, and lets operators send or cancel them. */
export class DeliveryService {
  readonly #options: DeliveryServiceOptions

  constructor(options: DeliveryServiceOptions) {
    this.#options = options
  }

  list(filter: DeliveryFilter, caller: Caller) {
    return this.#options.longReads.list(filter, kindsFor(caller))
  }

  get(id: number, caller: Caller): Promise<ListedDelivery> {
    return this.#options.inTransaction(({ deliveries }) => existing(deliveries, id, caller))
  }

  /** Tries it now, and for 24 hours from now on. */
  async sendAgain(id: number, actor: Actor): Promise<ListedDelivery> {
    const sent = await this.#move(id, 'send', ['waiting', 'delivered', 'dead', 'cancelled'], actor)
    this.#options.wake()
    return sent
  }

  /** Throws 409 unless it waits. */
  cancel(id: number, actor: Actor): Promise<ListedDelivery> {
    return this.#move(id, 'cancel', ['waiting'], actor)
  }

  async sendDead(place: string, actor: Actor): Promise<{ sent: number; left: number }> {
    const { inTransaction, wake } = this.#options
    const dead = { place, kinds: kindsFor(actor.caller) }
    const revived = await inTransaction(async ({ deliveries, audit }) => {
      const sent = await deliveries.revive(dead, revivedMax, this.#fresh())
      await audit.record(actor, {
        action: 'delivery.send_dead',
        thing: 'delivery',
        name: place,
        after: { deliveries: sent },
      })
      return { sent, left: await deliveries.countDead(dead) }
    }, actor.caller)
    wake()
    return revived
  }

  /** For the metrics. */
  async measure() {
    const { waiting, dead, oldestAt } = await this.#options.longReads.measure()
    const now = this.#options.clock.now().getTime()
    const oldestSeconds = oldestAt === null ? 0 : Math.max(0, now - Date.parse(oldestAt)) / 1000
    return { waiting, dead, oldestSeconds }
  }

  #move(id: number, verb: 'send' | 'cancel', from: readonly DeliveryState[], actor: Actor) {
    return this.#options.inTransaction(async ({ deliveries, audit }) => {
      const before = await existing(deliveries, id, actor.caller)
      const change =
        verb === 'send'
          ? ({ ...this.#fresh(), state: 'waiting', ended_at: null } as const)
          : ({ state: 'cancelled', ended_at: this.#options.clock.now().toISOString() } as const)
      if (!(await deliveries.move(id, from, change))) throw new AppError('delivery.ended')
      await audit.record(actor, {
        action: `delivery.${verb}`,
        thing: 'delivery',
        id,
        name: `${before.subject} to ${before.place}`,
        before: { state: before.state },
        after: { state: change.state },
      })
      return existing(deliveries, id, actor.caller)
    }, actor.caller)
  }

  #fresh() {
    const at = this.#options.clock.now()
    const give_up_at = new Date(at.getTime() + giveUpAfterMs).toISOString()
    return { next_try_at: at.toISOString(), give_up_at }
  }
}

/** Throws 404 where the caller may not see it, as where it does not exist. */
async function existing(deliveries: Pick<DeliveryStore, 'find'>, id: number, caller: Caller) {
  const found = await deliveries.find(id)
  if (!found || !kindsFor(caller).includes(found.kind)) throw new AppError('delivery.not_found')
  return found
}
