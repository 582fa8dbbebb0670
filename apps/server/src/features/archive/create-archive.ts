import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Clock } from '../../kernel/clock.ts'
import type { InTransaction, Stores } from '../../stores.ts'
import { ArchivedBodies } from './readers/archived-bodies.ts'
import { ArchiveGrowthFigures } from './archive-growth.ts'
import { ArchiveKeeper } from './archive-keeper.ts'
import { archiveRoutes } from './archive-routes.ts'
import { ArchiveSearch } from './readers/archive-search.ts'
import { ArchiveService } from './archive-service.ts'
import type { DutyOf } from './duty-of.ts'
import { ArchiveThreads } from './files/archive-threads.ts'
import { defaultBounds, type ArchiveBounds } from './round-parts.ts'

interface BodiesOptions {
  stores: Stores
  inTransaction: InTransaction
  clock: Clock
  folder: string
  /** The id of this server. */
  owner: string
}

/** What the runs need of the archive: bodies and answers that went there. */
export function createArchivedBodies(options: BodiesOptions) {
  const threads = new ArchiveThreads()
  return { threads, bodies: new ArchivedBodies({ ...options, threads }) }
}

interface ArchiveOptions extends BodiesOptions {
  threads: ArchiveThreads
  longReads: Stores
  log: Logger
  duty: DutyOf
  databaseSize: () => Promise<{ used: number; reusable: number }>
  /** The folder of the database; undefined: its server has a disk of its own. */
  databaseFolder: string | undefined
  bounds?: Partial<ArchiveBounds> | undefined
}

/** Wires the archive: the rounds, the files, the figures. */
export function createArchive(options: ArchiveOptions) {
  const { databaseSize, folder, owner, threads } = options
  const keeper = new ArchiveKeeper({
    ...options,
    bounds: { ...defaultBounds, ...options.bounds },
    databaseBytes: async () => (await databaseSize()).used,
  })
  const services = {
    archive: new ArchiveService({ ...options, keeper }),
    search: new ArchiveSearch(options),
    growth: new ArchiveGrowthFigures({ ...options, archiveFolder: folder }),
    folder,
    owner,
  }
  return {
    keeper,
    growth: services.growth,
    mountOn: (app: FastifyInstance) => {
      archiveRoutes(app, services)
      app.addHook('onClose', () => threads.close())
    },
  }
}
