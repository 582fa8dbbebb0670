import { releaseHold, showHold, type InstallationHold } from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { AppError } from '../../kernel/app-error.ts'
import type { Actor } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/clock.ts'
import { mount } from '../../kernel/mount.ts'
import type { InTransaction, Stores } from '../../stores.ts'
import { HoldWatch } from './hold-watch.ts'
import type { HoldRow } from './installation-hold-store.ts'
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

/** Wires the hold: after a restore, nothing is sent without a person until a person releases it. */
export function createInstallationHold(options: HoldOptions) {
  const { stores, inTransaction, clock, log } = options
  const watch = new HoldWatch(stores.installationHold, log)

  /** Throws a 409 where nothing is held. */
  async function release(note: string, actor: Actor): Promise<void> {
    await inTransaction(async ({ installationHold, audit }) => {
      const released = await installationHold.release(clock.now().toISOString())
      if (!released) throw new AppError('installation.not_held')
      await audit.record(actor, {
        action: 'installation.release',
        thing: 'installation',
        name: '',
        before: shownHold(released),
        after: { note },
      })
    }, actor.caller)
    await watch.look()
  }

  return {
    watch,
    /** See there for when to call it. */
    sentSince: new SentSince(options),
    mountOn: (app: FastifyInstance) => {
      mount(app, showHold, async () => {
        const row = await stores.installationHold.find()
        return { hold: row ? shownHold(row) : null }
      })
      mount(app, releaseHold, async ({ body }, context) => {
        await release(body.note, context)
        return { hold: null }
      })
    },
  }
}

const shownHold = ({ reason, backup_made_at, held_since }: HoldRow): InstallationHold => ({
  reason,
  backup_made_at,
  held_since,
})
