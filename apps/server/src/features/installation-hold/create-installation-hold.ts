import {
  listHeld,
  releaseHold,
  showHold,
  type HeldParts,
  type InstallationHold,
} from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { AppError } from '../../kernel/app-error.ts'
import type { Actor } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/clock.ts'
import { mount } from '../../kernel/mount.ts'
import type { InTransaction, Stores } from '../../stores.ts'
import { HoldWatch } from './hold-watch.ts'
import { releasedPartsOf, type HoldRow, type ReleasedParts } from './installation-hold-store.ts'
import { SentSince } from './sent-since.ts'

interface HoldOptions extends Pick<
  ConstructorParameters<typeof SentSince>[0],
  'dataDir' | 'putFile' | 'instanceId' | 'journal'
> {
  stores: Stores
  inTransaction: InTransaction
  clock: Clock
  log: Logger
}

interface Release {
  note: string
  lanes?: number[] | undefined
  schedules?: number[] | undefined
}

/** Wires the hold: after a restore, nothing is sent without a person until a person releases it. */
export function createInstallationHold(options: HoldOptions) {
  const { stores, inTransaction, clock, log } = options
  const watch = new HoldWatch(stores.installationHold, log)
  const sentSince = new SentSince({ ...options, onHeld: () => watch.look() })

  /** Throws a 409 where nothing is held. Parts that are named go alone; the rest stays held. */
  async function release({ note, lanes, schedules }: Release, actor: Actor): Promise<void> {
    await inTransaction(async ({ installationHold, audit }) => {
      const hold = await installationHold.find()
      if (!hold) throw new AppError('installation.not_held')
      const isAll = lanes === undefined && schedules === undefined
      if (isAll) await installationHold.release(clock.now().toISOString())
      else await installationHold.setReleased(withParts(releasedPartsOf(hold), lanes, schedules))
      await audit.record(actor, {
        action: 'installation.release',
        thing: 'installation',
        name: '',
        before: shownHold(hold),
        after: { note, ...(isAll ? {} : { lanes: lanes ?? [], schedules: schedules ?? [] }) },
      })
    }, actor.caller)
    await watch.look()
  }

  const shown = async () => {
    const row = await stores.installationHold.find()
    return { hold: row ? shownHold(row) : null }
  }

  async function held(): Promise<HeldParts> {
    const { heldParts, installationHold } = stores
    const hold = await installationHold.find()
    const released = hold && releasedPartsOf(hold)
    const unaskable = await heldParts.countUnaskable()
    return {
      lanes: (await heldParts.listLanes()).map((lane) => ({
        ...lane,
        without_query: unaskable.get(lane.id) ?? 0,
        is_released: !released || released.lanes.includes(lane.id),
      })),
      schedules: (await heldParts.listSchedules()).map((schedule) => ({
        ...schedule,
        is_released: !released || released.schedules.includes(schedule.id),
      })),
      found: await heldParts.countFound(),
    }
  }

  return {
    watch,
    /** See there for when to call it. */
    sentSince,
    mountOn: (app: FastifyInstance) => {
      app.addHook('onClose', () => sentSince.stop())
      mount(app, showHold, shown)
      mount(app, listHeld, held)
      mount(app, releaseHold, async ({ body }, context) => {
        await release(body, context)
        return shown()
      })
    },
  }
}

const shownHold = ({ reason, backup_made_at, held_since }: HoldRow): InstallationHold => ({
  reason,
  backup_made_at,
  held_since,
})

const withParts = (
  released: ReleasedParts,
  lanes: readonly number[] = [],
  schedules: readonly number[] = [],
): ReleasedParts => ({
  lanes: [...new Set([...released.lanes, ...lanes])],
  schedules: [...new Set([...released.schedules, ...schedules])],
})
