import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { ArchiveSettings, FileAnswer, FileCheck } from '@gatehouse/contract'
import { AppError, fieldError } from '../../kernel/app-error.ts'
import type { Actor } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { ListQuery } from '../../db/listing.ts'
import { cronProblems } from '../../kernel/time/cron.ts'
import type { InTransaction, Stores } from '../../stores.ts'
import { nextRoundAt, type ArchiveKeeper } from './archive-keeper.ts'
import type { WrittenFile } from './archive-store.ts'
import { refusalOfFile } from './readers/archived-bodies.ts'
import { FileFailure, type ArchiveThreads } from './files/archive-threads.ts'

interface ArchiveServiceOptions {
  stores: Pick<Stores, 'archive'>
  inTransaction: InTransaction
  clock: Clock
  keeper: Pick<ArchiveKeeper, 'look'>
  threads: ArchiveThreads
  folder: string
  /** The id of this server. */
  owner: string
}

/** What administrators do with the archive. */
export class ArchiveService {
  readonly #options: ArchiveServiceOptions

  constructor(options: ArchiveServiceOptions) {
    this.#options = options
  }

  async state() {
    const { stores, clock } = this.#options
    const settings = await stores.archive.getSettings()
    const round = await stores.archive.getRound()
    const next = nextRoundAt(round, settings, clock.now())
    return { settings, round: { ...round, next_at: next?.toISOString() ?? null } }
  }

  /** Throws a 422 for a schedule that can't be carried out. */
  async save(settings: ArchiveSettings, actor: Actor) {
    const problems = cronProblems(settings)
    if (Object.keys(problems).length > 0) throw fieldError(problems)
    return this.#options.inTransaction(async ({ archive, audit }) => {
      const { id: _, ...before } = await archive.getSettings()
      await archive.updateSettings(settings)
      await audit.record(actor, {
        action: 'archive.update',
        thing: 'archive',
        name: 'Archive',
        before,
        after: settings,
      })
      return settings
    }, actor.caller)
  }

  /** Asks for a round; the server that archives begins it within half a minute, this one at once. */
  async beginRound(actor: Actor) {
    const { inTransaction, clock, keeper } = this.#options
    await inTransaction(async ({ archive, audit }) => {
      await archive.updateRound({ asked_at: clock.now().toISOString() })
      await audit.record(actor, { action: 'archive.round', thing: 'archive', name: 'Archive' })
    }, actor.caller)
    void keeper.look()
    return (await this.state()).round
  }

  listFiles(query: ListQuery) {
    return this.#options.stores.archive.pageOfFiles({
      ...query,
      isOldestFirst: query.sort === 'id',
    })
  }

  /** Reads a file whole; what was found is stored with it. */
  async check(id: number): Promise<WrittenFile> {
    const { inTransaction, threads, folder, clock } = this.#options
    const file = await this.#file(id)
    let result: FileCheck = 'intact'
    try {
      await threads.read('check', { file: { folder, ...file } })
    } catch (error) {
      result = this.#resultOf(error, file)
    }
    const checked = { checked_at: clock.now().toISOString(), check_result: result }
    await inTransaction(({ archive }) => archive.updateFile(id, checked))
    return { ...file, ...checked }
  }

  /** The file as it is. Throws a 409 where this server does not have it. */
  async download(id: number, actor: Actor): Promise<FileAnswer> {
    const { folder, owner, inTransaction } = this.#options
    const file = await this.#file(id)
    const handle = await open(join(folder, file.name)).catch((error: unknown) => {
      throw refusalOfFile(new FileFailure('missing', String(error)), file, owner)
    })
    try {
      await inTransaction(({ audit }) =>
        audit.record(actor, { action: 'archive.download', thing: 'archive', id, name: file.name }),
      )
      const { size } = await handle.stat()
      const body = createReadStream('', { fd: handle, start: 0, end: Math.max(0, size - 1) })
      return { type: 'application/gzip', name: file.name, sizeBytes: size, body }
    } catch (error) {
      await handle.close()
      throw error
    }
  }

  async #file(id: number): Promise<WrittenFile> {
    const file = await this.#options.stores.archive.findFile(id)
    if (!file) throw new AppError('archive.not_found')
    return file
  }

  #resultOf(error: unknown, { server }: WrittenFile): FileCheck {
    if (!(error instanceof FileFailure)) throw error
    if (error.reason === 'missing') return server === this.#options.owner ? 'missing' : 'elsewhere'
    if (error.reason === 'changed') return 'changed'
    throw new AppError('archive.file_unreadable', { message: error.message })
  }
}
