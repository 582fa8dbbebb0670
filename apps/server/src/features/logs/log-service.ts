import { closeSync, createReadStream, fstatSync } from 'node:fs'
import type { FileAnswer, LogFile, LogPage, readLog, HandlerInput } from '@gatehouse/contract'
import { logLevels } from '@gatehouse/contract/log-levels'
import { AppError } from '../../kernel/app-error.ts'
import { shownBy, type Actor } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/clock.ts'
import { listLogs, type ListedFile, type LogRoot } from './log-listing.ts'
import type { LogReader } from './log-reader.ts'
import { LogFileGone, openLogFile } from './reading/open-log-file.ts'
import { ViewMemory } from '../../kernel/view-memory.ts'

type LogEvent = 'log.view' | 'log.download'

interface LogServiceOptions {
  roots: readonly LogRoot[]
  /** Of this folder only our own logs are shown. */
  dataDir: string
  reader: LogReader
  clock: Clock
  /** Keeps in the audit trail who looked at which file. */
  record: (actor: Actor, event: LogEvent, fileId: string) => Promise<unknown>
}

type LogQuery = HandlerInput<typeof readLog>['query']

export class LogService {
  readonly #options: LogServiceOptions
  readonly #views = new ViewMemory()

  constructor(options: LogServiceOptions) {
    this.#options = options
  }

  /** One page of a file; of the newest, where none is named. A name that is not in the listing is a 404. */
  async read(query: LogQuery, actor: Actor): Promise<Omit<LogPage, 'other_servers'>> {
    const { roots, dataDir, reader } = this.#options
    reader.warmUp()
    const files = await listLogs(roots, dataDir)
    const file = query.l === undefined ? files[0] : find(files, query.l)
    const listing = {
      files: files.map(toLogFile),
      folders: foldersOf(files),
      per_page: query.per_page,
    }
    if (!file) return { ...listing, ...noFile }
    const question = {
      source: file.source,
      page: query.page,
      perPage: query.per_page,
      levels: query.level ?? [],
      search: query.search,
      entry: query.entry,
    }
    // Nothing is shown before the view is recorded.
    const [answer] = await Promise.all([
      reader.ask(question),
      this.#recordView(query, actor, file.id),
    ])
    if (!answer) throw new AppError('log.not_found')
    return {
      ...listing,
      logs: answer.rows,
      current_file: file.id,
      standardFormat: answer.isStandard,
      total: answer.total,
      levels: toLevels(answer.levelTotals),
      page: answer.page,
      last_page: answer.lastPage,
      reading: answer.reading,
    }
  }

  /** The whole file in its present state, as a stream. */
  async download(fileId: string | string[] | undefined, actor: Actor): Promise<FileAnswer> {
    const { roots, dataDir, record } = this.#options
    const file = find(await listLogs(roots, dataDir), fileId)
    await record(actor, 'log.download', file.id)
    const fd = open(file)
    const sizeBytes = fstatSync(fd).size
    // Not text: browsers must save it, whatever it holds.
    const answer = { type: 'application/octet-stream', name: file.name, sizeBytes }
    if (sizeBytes > 0)
      return { ...answer, body: createReadStream('', { fd, start: 0, end: sizeBytes - 1 }) }
    closeSync(fd)
    return { ...answer, body: new Uint8Array() }
  }

  /** Once when a view begins; while it is followed, again from time to time. */
  async #recordView({ follow }: LogQuery, actor: Actor, fileId: string): Promise<void> {
    const { clock, record } = this.#options
    const isNew = this.#views.begin(`${shownBy(actor.caller)} ${fileId}`, clock.now().getTime())
    if (isNew || !follow) await record(actor, 'log.view', fileId)
  }
}

const noFile = {
  logs: [],
  current_file: null,
  standardFormat: false,
  total: 0,
  levels: [],
  page: 1,
  last_page: 1,
  reading: null,
}

/** The first number counts entries without a level. */
const toLevels = ([, ...totals]: readonly number[]) =>
  logLevels.flatMap((level, at) => {
    const entries = totals[at] ?? 0
    return entries === 0 ? [] : [{ level, entries }]
  })

/** Our own folder first. */
function foldersOf(files: readonly ListedFile[]): string[] {
  const folders = new Map(files.map(({ folder, isOwn }) => [folder, isOwn ? 0 : 1]))
  return [...folders]
    .toSorted(([one, a], [other, b]) => a - b || (one < other ? -1 : 1))
    .map(([folder]) => folder)
}

function find(files: readonly ListedFile[], id: string | string[] | undefined): ListedFile {
  const file = files.find((each) => each.id === id)
  if (!file) throw new AppError('log.not_found')
  return file
}

function open(file: ListedFile): number {
  try {
    return openLogFile(file.source)
  } catch (error) {
    if (error instanceof LogFileGone) throw new AppError('log.not_found', { cause: error })
    throw error
  }
}

const toLogFile = ({ id, folder, name, size, modified_at }: ListedFile): LogFile => ({
  id,
  folder,
  name,
  size,
  modified_at,
})
