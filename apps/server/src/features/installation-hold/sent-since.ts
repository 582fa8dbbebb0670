import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { z } from 'zod'
import { Rounds } from '../../kernel/rounds.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Stores } from '../../stores.ts'

/** What the data folder keeps of the last start, and of the hold for which its journal was read. */
const startRecord = z.object({
  start_id: z.string(),
  started_at: z.string(),
  held_since: z.string().nullable(),
  /** The last line of the journal when it was read after a restore: the database knows what came before it. */
  read_up_to: z.string().nullable().default(null),
})
type StartRecord = z.output<typeof startRecord>

interface SentSinceOptions {
  dataDir: string
  /** Puts a file in its place whole, or not at all. */
  putFile: (path: string, content: string) => void
  instanceId: string
  stores: Pick<Stores, 'nodes' | 'runs' | 'installationHold'>
  clock: Clock
  log: Logger
  /** The journal of submits of this server. */
  journal: {
    /** The newest line. */
    last: () => Promise<{ attempt: number; uuid: string } | undefined>
    /** From now on `takeNoted` has what is noted. */
    keepNoted: () => void
    /** What was noted since the last call, the newest last. */
    takeNoted: () => NotedSubmit[]
    /** Enters what the database does not know; returns how many. */
    mark: () => Promise<number>
  }
  /** Learns that the installation is held. */
  onHeld: () => Promise<void>
}

interface NotedSubmit {
  attempt: number
  uuid: string
}

const everyMs = 1_000
/** For how long what was found in the database is looked for again: a standby may lack it. */
const roundsBack = 60
/** Submits that are looked for in one statement. */
const askedMax = 1_000

/**
 * Each second: notices a database that has lost commits under the running server, as one whose standby took over without
 * the last ones. At a start: notices a database that is older than the data folder, and holds the installation; then enters what
 * this server has sent since the backup, before anything else is sent.
 */
export class SentSince {
  readonly #options: SentSinceOptions
  readonly #path: string
  #record: StartRecord | undefined
  /** When the database was last written by this server, where it is older than the folder. */
  #olderFrom: string | undefined
  /** Noted, and not looked for in the database yet. */
  #fresh: NotedSubmit[] = []
  /** The newest of each round before. What a failover loses are the last commits: the newest before it is among them. */
  #newest: (NotedSubmit | undefined)[] = []
  readonly #rounds: Rounds

  constructor(options: SentSinceOptions) {
    this.#options = options
    this.#path = join(options.dataDir, 'last-start.json')
    const failure = 'whether the database has all submits can’t be read'
    this.#rounds = new Rounds({ everyMs, work: () => this.#round(), log: options.log, failure })
  }

  /** Call it before this server takes its identity, which overwrites what is compared. */
  async look(): Promise<void> {
    const { stores, instanceId, clock } = this.#options
    this.#record = readRecord(this.#path)
    // A new database has nothing that could be sent twice.
    if (!(await stores.runs.hasAny())) return
    const node = await stores.nodes.find(instanceId)
    if (this.#isStartUnknown(node) || (await this.#isSubmitUnknown()))
      this.#olderFrom = node?.seen_at ?? clock.now().toISOString()
  }

  /** Call it before anything is sent. */
  async begin(): Promise<void> {
    const { stores, instanceId, clock, log, journal } = this.#options
    const { installationHold } = stores
    if (this.#olderFrom !== undefined && !(await installationHold.isHeld()))
      await installationHold.begin({
        reason: 'older_database',
        backup_made_at: this.#olderFrom,
        held_since: clock.now().toISOString(),
      })
    let read_up_to = this.#record?.read_up_to ?? null
    const heldSince = (await installationHold.findLast())?.held_since ?? null
    if (this.#olderFrom !== undefined || heldSince !== (this.#record?.held_since ?? null)) {
      const marked = await journal.mark()
      read_up_to = (await journal.last())?.uuid ?? null
      const facts = { documents: marked, backup_made_at: this.#olderFrom }
      log.warn(facts, 'what this server has sent since the backup was read from its journal')
    }
    this.#olderFrom = undefined
    const node = await stores.nodes.find(instanceId)
    if (!node) return
    const { start_id, started_at } = node
    this.#record = { start_id, started_at, held_since: heldSince, read_up_to }
    this.#options.putFile(this.#path, JSON.stringify(this.#record))
  }

  /** Looks each second, from when this server may send. */
  watch(): void {
    this.#options.journal.keepNoted()
    this.#rounds.start()
  }

  stop(): Promise<void> {
    return this.#rounds.stop()
  }

  /** A submit is noted once its attempt is committed: a database that lacks it has lost that commit. */
  async #round(): Promise<void> {
    const { journal, stores, instanceId, clock, onHeld } = this.#options
    this.#fresh.push(...journal.takeNoted())
    const asked = [...this.#newest.filter((each) => each !== undefined), ...this.#fresh]
    let isLost = false
    for (let at = 0; at < asked.length && !isLost; at += askedMax) {
      const some = asked.slice(at, at + askedMax)
      const known = await stores.runs.listUuidsOf(some.map(({ attempt }) => attempt))
      isLost = some.some(({ attempt, uuid }) => known.get(attempt) !== uuid)
    }
    if (isLost) {
      this.#olderFrom = (await stores.nodes.find(instanceId))?.seen_at ?? clock.now().toISOString()
      await this.begin()
      await onHeld()
      this.#newest = []
    } else {
      this.#newest = [...this.#newest, this.#fresh.at(-1)].slice(-roundsBack)
    }
    this.#fresh = []
  }

  #isStartUnknown(node: { start_id: string; started_at: string } | undefined): boolean {
    if (!this.#record) return false
    const { start_id, started_at } = this.#record
    return !node || (node.start_id !== start_id && node.started_at < started_at)
  }

  /** It was committed before it was noted, so a database that does not have it has lost it. */
  async #isSubmitUnknown(): Promise<boolean> {
    const { stores, journal } = this.#options
    const last = await journal.last()
    if (!last || last.uuid === this.#record?.read_up_to) return false
    return (await stores.runs.listUuidsOf([last.attempt])).get(last.attempt) !== last.uuid
  }
}

function readRecord(path: string): StartRecord | undefined {
  try {
    return startRecord.safeParse(JSON.parse(readFileSync(path, 'utf8'))).data
  } catch {
    return undefined
  }
}
