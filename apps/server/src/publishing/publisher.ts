import {
  isSameRevision,
  type ConfigSnapshot,
  type GatewayStatus,
  type GatewayWorker,
  type RevisionId,
} from '@gatehouse/contract'
import type { Logger } from 'pino'
import { allOf } from '../db/all-of.ts'
import type { Db } from '../db/connect.ts'
import { isPostgres } from '../db/dialect.ts'
import { listenTo } from '../db/postgres/listen.ts'
import { renewConnections } from '../db/postgres/pooled-dialect.ts'
import type { Clock } from '../kernel/clock.ts'
import type { SecretBox } from '../kernel/secret-box.ts'
import type { BuiltSnapshot } from './build-snapshot.ts'
import type { GatewayLink, PublishResult } from './gateway-link.ts'
import type { GatewayConfigs } from './gateways/gateway-configs.ts'
import { revisionChannel, revisionStore } from './revision-store.ts'
import { SnapshotReader } from './snapshot-reader.ts'

/** What a server reads configurations from. */
export interface ConfigSource {
  /** Names the one that is stored now. */
  get(): Promise<RevisionId>
  read(): Promise<BuiltSnapshot>
  /** Where PostgreSQL notifies of a new one. */
  channel: string
  /** Called with what comes on the channel, unless it is blank, as where there is a new one. */
  onPayload?: (payload: string) => void
}

interface PublisherOptions {
  db: Db
  clock: Clock
  log: Logger
  /** Where configurations come from; undefined: the database's own tables, as control planes read them. */
  source?: ConfigSource | undefined
  /** Undefined: this server runs no gateway. */
  gateway: GatewayLink | undefined
  /** Undefined: this server keeps nothing for gateways that run alone. */
  gateways?: Pick<GatewayConfigs, 'write'> | undefined
  /** Set on PostgreSQL: other servers' changes arrive by LISTEN. */
  databaseUrl: string | undefined
  pollMs?: number
  /** Called with each change, also of other servers. */
  onChange?: () => void
}

/** How long the caller that made a change waits at most until every worker has it. */
const waitMaxMs = 2_000
const noWorkerReason = 'No worker has taken it over so far.'
const unreadReason = 'It could not be read from the database. The log of the server says why.'
/** What a configuration is called that could not be read. */
const unread: RevisionId = { revision: 0, mark: '' }
const lateReason = 'A worker of the gateway has not answered within 2 seconds.'

/**
 * Brings every change of the configuration to the gateway: changes of this process at once, changes
 * of other processes by LISTEN, and missed ones by a query every two seconds. Changes that arrive during
 * a publication are published together. A failure is kept and shown; the gateway then keeps its
 * snapshot.
 */
export class Publisher {
  readonly #options: PublisherOptions
  readonly #source: ConfigSource
  #running: Promise<void> = Promise.resolve()
  #next: Promise<void> | undefined
  #poll: NodeJS.Timeout | undefined
  #listener: { stop(): Promise<void> } | undefined
  #isStopped = false
  /** The last one that was sent to the workers, accepted or not. */
  #offered: RevisionId | undefined
  #snapshot: ConfigSnapshot | undefined
  #published: (RevisionId & { at: string }) | undefined
  #refusal: GatewayStatus['refusal'] = null
  #faults: GatewayStatus['faults'] = []
  #stepsBack = 0
  #heardAtMs: number

  constructor(options: PublisherOptions & { secrets?: SecretBox }) {
    this.#options = options
    this.#source = options.source ?? tablesOf(options)
    this.#heardAtMs = monotonicMs(options.clock)
  }

  /** Publishes the present configuration, and from now on every change. */
  async start(): Promise<void> {
    const { db, databaseUrl } = this.#options
    if (!this.#hasReaders) return
    await this.publish()
    if (databaseUrl && !this.#isStopped)
      this.#listener = listenTo(databaseUrl, this.#source.channel, {
        onNotification: (payload = '') =>
          payload === '' ? void this.publish() : this.#source.onPayload?.(payload),
        onHeard: () => this.#hear(),
        onReturn: () => renewConnections(db),
      })
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#poll)
    await this.#listener?.stop()
    await this.#running
  }

  /**
   * Settles when every worker runs on what was committed before this call, or refused it, or after two
   * seconds. Undefined: it is in force, or this server runs no gateway, or it is stopping. Otherwise the
   * reason why it is not in force, for users to read. Never rejects.
   */
  async publish(): Promise<string | undefined> {
    if (!this.#hasReaders || this.#isStopped) return undefined
    this.#next ??= this.#running.then(() => {
      this.#next = undefined
      return (this.#running = this.#publishNow())
    })
    const { promise: late, resolve } = Promise.withResolvers<string>()
    const timer = setTimeout(() => resolve(lateReason), waitMaxMs)
    const published = this.#next.then(() => this.#refusal?.reason)
    const heldUpBy = await Promise.race([published, late])
    clearTimeout(timer)
    return heldUpBy
  }

  async status(): Promise<Omit<GatewayStatus, 'gateway_url' | 'all_servers'>> {
    const { gateway } = this.#options
    return {
      ...(await this.#source.get()),
      published_revision: this.#published?.revision ?? null,
      published_mark: this.#published?.mark ?? null,
      published_at: this.#published?.at ?? null,
      workers: gateway?.workers() ?? [],
      refusal: this.#refusal,
      faults: this.#faults,
      address: gateway ? addressOf(gateway) : null,
    }
  }

  /** The snapshot sent last; metrics take names from it. */
  get snapshot(): ConfigSnapshot | undefined {
    return this.#snapshot
  }

  /** How long the database has not answered to this; 0 on SQLite, which is in this process. */
  get unheardMs(): number {
    const { db, clock } = this.#options
    return isPostgres(db) && this.#hasReaders ? monotonicMs(clock) - this.#heardAtMs : 0
  }

  get published(): RevisionId | undefined {
    return this.#published
  }

  /** How often the database was found to be older than what this server has offered. */
  get stepsBack(): number {
    return this.#stepsBack
  }

  /** Why a configuration is not in force; null: all is. */
  get refusal(): GatewayStatus['refusal'] {
    return this.#refusal
  }

  /** The one that is not in force, 0 where the database could not be read; undefined: all is in force. */
  get refusedRevision(): number | undefined {
    return this.#refusal?.revision
  }

  get faults(): GatewayStatus['faults'] {
    return this.#faults
  }

  /** Gateways run on what this server publishes. */
  get #hasReaders(): boolean {
    return this.#options.gateway !== undefined || this.#options.gateways !== undefined
  }

  async #publishNow(): Promise<void> {
    const { log } = this.#options
    clearTimeout(this.#poll)
    const at = { stored: unread }
    try {
      while (!(await this.#publishStored(at)))
        log.debug(at.stored, 'there is a later configuration')
    } catch (error) {
      log.error({ err: error, ...at.stored }, 'the configuration could not be published')
      // A refused snapshot is offered again, so that its reason is shown again.
      if (!isSameRevision(this.#offered, this.#published)) this.#offered = undefined
      this.#refuse(at.stored, unreadReason, error)
    } finally {
      this.#lookAgain()
    }
  }

  /** False: the database had a later one before all had this one. `at` says which one it is about. */
  async #publishStored(at: { stored: RevisionId }): Promise<boolean> {
    at.stored = await this.#source.get()
    this.#hear()
    if (isSameRevision(at.stored, this.#offered) && (await this.#isKept())) {
      this.#lookForLate(at.stored)
      return true
    }
    const built = await this.#source.read()
    const { snapshot, faults } = built
    const { revision, mark } = snapshot
    at.stored = { revision, mark }
    this.#noteStepBack(at.stored)
    this.#options.onChange?.()
    const { accepted, refusal, isKept } = await this.#handOut(built)
    this.#offered = at.stored
    this.#snapshot = snapshot
    this.#note(faults)
    if (refusal === undefined) this.#confirm(at.stored, accepted)
    else this.#refuse(at.stored, refusal)
    return isKept
  }

  /**
   * Gateways that run alone can read the one that was offered last. Where a standby took over without what was
   * kept for them, it is written again.
   */
  async #isKept(): Promise<boolean> {
    const snapshot = this.#snapshot
    return snapshot === undefined || ((await this.#options.gateways?.write(snapshot)) ?? true)
  }

  /** Gives it to the workers of this server, and keeps it for gateways that run alone. */
  async #handOut({
    snapshot,
    changes,
  }: BuiltSnapshot): Promise<PublishResult & { isKept: boolean }> {
    const { gateway, gateways } = this.#options
    const [own, isKept = true] = await allOf([
      gateway?.publish(snapshot, changes) ?? { accepted: 0, refusal: undefined },
      gateways?.write(snapshot),
    ])
    const isUnserved = gateway !== undefined && own.accepted === 0
    return { ...own, isKept, refusal: own.refusal ?? (isUnserved ? noWorkerReason : undefined) }
  }

  #hear(): void {
    this.#heardAtMs = monotonicMs(this.#options.clock)
    this.#options.gateway?.heard()
  }

  #note(faults: GatewayStatus['faults']): void {
    if (JSON.stringify(faults) !== JSON.stringify(this.#faults) && faults.length > 0)
      this.#options.log.error({ faults }, 'some APIs can’t be read and are isolated')
    this.#faults = faults
  }

  /**
   * A restored copy of the database, or one that took over without the last changes: those are lost. What
   * the database holds is published all the same.
   */
  #noteStepBack(stored: RevisionId): void {
    const offered = this.#offered ?? this.#published
    if (offered === undefined || stored.revision > offered.revision) return
    this.#stepsBack++
    this.#options.log.warn(
      { stored, offered },
      'the database has lost changes of the configuration',
    )
  }

  #confirm(stored: RevisionId, workers: number): void {
    const { clock, log } = this.#options
    this.#refusal = null
    this.#published = { ...stored, at: clock.now().toISOString() }
    log.info({ ...stored, workers }, 'configuration published')
  }

  /** Slow workers, and workers started since, may run on it now; it isn't offered again. */
  #lookForLate(stored: RevisionId): void {
    if (this.#refusal === null) return
    // A query of the database had failed in the meantime, and works again.
    if (isSameRevision(this.#published, stored)) {
      this.#refusal = null
      return
    }
    const workers = this.#options.gateway?.workers() ?? []
    if (workers.length === 0 || !workers.every((worker) => runsOn(worker, stored))) return
    this.#confirm(stored, workers.length)
  }

  /** `cause`: the error for which the database could not be read. */
  #refuse({ revision, mark }: RevisionId, reason: string, cause?: unknown): void {
    const { clock, log } = this.#options
    if (this.#refusal?.revision === revision && this.#refusal.reason === reason) return
    this.#refusal = { revision, reason, at: clock.now().toISOString() }
    const err = cause === undefined ? {} : { err: cause }
    log.error({ revision, mark, reason, ...err }, 'the configuration is not in force')
  }

  /** Another process may have changed something, and what failed may work now. */
  #lookAgain(): void {
    const { db, pollMs = 2_000 } = this.#options
    if (this.#isStopped || (!isPostgres(db) && this.#refusal === null)) return
    this.#poll = setTimeout(() => void this.publish(), pollMs)
    this.#poll.unref()
  }
}

/** The tables that administrators change. */
function tablesOf({ db, clock, secrets }: PublisherOptions & { secrets?: SecretBox }) {
  const reader = secrets && new SnapshotReader(db, secrets, clock)
  return {
    get: () => revisionStore(db, () => {}).get(),
    read: () => {
      if (!reader) throw new Error('There is no key that opens the secrets of the configuration.')
      return reader.read()
    },
    channel: revisionChannel,
  }
}

const runsOn = ({ revision, mark }: GatewayWorker, stored: RevisionId) =>
  revision === stored.revision && mark === stored.mark

const monotonicMs = (clock: Clock) => clock.monotonicMs?.() ?? clock.now().getTime()

const addressOf = ({ address: { address, port } }: GatewayLink) =>
  `${address.includes(':') ? `[${address}]` : address}:${port}`
