import { undoDeletion } from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { mount } from '../../kernel/mount.ts'
import { Rounds } from '../../kernel/rounds.ts'
import { DeletionService, type DeletionServiceOptions } from './deletion-service.ts'

interface DeletionsOptions extends DeletionServiceOptions {
  log: Logger
}

/** Wires the undoing of deletions, and the keeper that forgets those of which the time is over. */
export function createDeletions(options: DeletionsOptions) {
  const service = new DeletionService(options)
  const rounds = new Rounds({
    // Secrets are gone as soon as they are of no use.
    everyMs: 10_000,
    // What was kept when the server before ended.
    firstAfterMs: 1_000,
    log: options.log,
    failure: 'Records that were deleted could not be forgotten.',
    work: () => service.forget(),
  })
  return {
    service,
    keeper: { start: () => rounds.start(), stop: () => rounds.stop() },
    mountOn: (app: FastifyInstance) =>
      mount(app, undoDeletion, async ({ body }, context) => ({
        results: await service.undo(body.thing, body.ids, context),
      })),
  }
}
