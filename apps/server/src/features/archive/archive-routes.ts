import {
  archiveNow,
  checkArchiveFile,
  downloadArchiveFile,
  findArchived,
  listArchiveFiles,
  saveArchiveSettings,
  searchArchive,
  showArchive,
} from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../kernel/app-error.ts'
import { can } from '../../kernel/caller.ts'
import { mount } from '../../kernel/mount.ts'
import { toPage } from '../../kernel/to-page.ts'
import type { ArchiveGrowthFigures } from './archive-growth.ts'
import { toFile, toHit, toRound, toSettings } from './archive-presenter.ts'
import type { ArchiveSearch } from './readers/archive-search.ts'
import type { ArchiveService } from './archive-service.ts'
import { keptElsewhere } from './kept-elsewhere.ts'

interface ArchiveServices {
  archive: ArchiveService
  search: ArchiveSearch
  growth: ArchiveGrowthFigures
  folder: string
  owner: string
}

export function archiveRoutes(app: FastifyInstance, services: ArchiveServices): void {
  const { archive, search, growth, folder, owner } = services
  mount(app, showArchive, async () => {
    const { settings, round } = await archive.state()
    return {
      settings: toSettings(settings),
      folder,
      round: toRound(round),
      growth: await growth.read(),
      kept: [...keptElsewhere],
    }
  })
  mount(app, saveArchiveSettings, async ({ body }, context) => archive.save(body, context))
  mount(app, archiveNow, async (_, context) => toRound(await archive.beginRound(context)))
  mount(app, listArchiveFiles, async ({ query }) =>
    toPage(await archive.listFiles(query), query, (file) => toFile(file, owner)),
  )
  mount(app, checkArchiveFile, async ({ params }) => toFile(await archive.check(params.id), owner))
  mount(app, downloadArchiveFile, ({ params }, context) => archive.download(params.id, context))
  mount(app, findArchived, async ({ query }) => {
    const { hits, has_more } = await search.find(query.search, query.register)
    return { hits: hits.map(toHit), has_more }
  })
  mount(app, searchArchive, async ({ query: { text, file, at } }, { caller, signal }) => {
    if (!can(caller, 'run.view')) throw new AppError('permission.denied')
    const from = file ? { file, at: at ?? 0 } : undefined
    const { hits, ...found } = await search.search(text, from, signal)
    return { hits: hits.map(toHit), ...found }
  })
}
