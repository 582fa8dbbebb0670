import { isSameRevision, type RevisionId, type SnapshotChanges } from '@gatehouse/contract/gateway'
import type { FleetOptions } from './fleet-options.ts'
import type { Answer, WorkerProcess } from './worker-process.ts'

/** A worker that is running, with the number of its slot. */
interface NumberedProcess {
  id: number
  process: WorkerProcess
}

const accepts: Answer = { kind: 'accepted' }

/** Which configuration the workers run on, and which one they are deciding about. */
export class FleetSnapshot {
  readonly #file: FleetOptions['file']
  readonly #log: FleetOptions['log']
  /** Workers have taken it over. A new worker gets it first. */
  #good: unknown
  /** The workers are deciding about it. A new worker gets it too. */
  #offered: unknown
  /** Offered to workers that were too slow to say what they make of it, and may still take it over. */
  #unanswered: unknown
  #isPublishing = false

  /** Begins with the configuration that was kept on disk, if there is one. */
  constructor({ file, log }: Pick<FleetOptions, 'file' | 'log'>) {
    this.#file = file
    this.#log = log
    this.#good = this.#loadKept()
  }

  /** The revision of the last one that workers took over. */
  get keptRevision(): number | undefined {
    return revisionOf(this.#good)?.revision
  }

  /** See Fleet. `processes` are all that run. */
  async publish(
    snapshot: unknown,
    changes: SnapshotChanges | undefined,
    processes: readonly NumberedProcess[],
  ): Promise<{ accepted: number; refusal: string | undefined }> {
    this.#offered = snapshot
    this.#unanswered = undefined
    const known = !changes && isSameContent(this.#good, snapshot) ? revisionOf(snapshot) : undefined
    const offers = processes.map(async ({ id, process }) => {
      const isThere = known !== undefined && (await process.comesTo(known))
      const answer = isThere ? accepts : await process.offer(snapshot, changes)
      return { id, answer }
    })
    this.#isPublishing = true
    const answers = await Promise.all(offers)
    this.#isPublishing = false
    const accepted = answers.filter(({ answer }) => answer.kind === 'accepted').length
    const refused = answers.flatMap(({ id, answer }) => refusalOf(id, answer))
    // Offered to none, it waits for the next worker that is started.
    if (answers.length === 0) return { accepted, refusal: undefined }
    this.#offered = undefined
    if (refused.length > 0) return { accepted, refusal: refused[0] }
    if (accepted === 0) {
      this.#unanswered = snapshot
      return { accepted, refusal: 'No worker took it over: each was silent for 10 s, or ended.' }
    }
    this.#keep(snapshot, changes)
    return { accepted, refusal: undefined }
  }

  /** A new worker gets the one that is good, and then the one that waits. */
  offerTo({ id, process }: NumberedProcess): void {
    if (this.#good !== undefined) void this.#offerKept(process, id)
    if (this.#offered !== undefined) void this.#offerWaiting(process, this.#offered)
  }

  /** A worker was too slow to say so in time. */
  acceptLate(accepted: RevisionId): void {
    const late = this.#unanswered
    if (late === undefined || !isSameRevision(revisionOf(late), accepted)) return
    this.#unanswered = undefined
    this.#keep(late)
  }

  #keep(snapshot: unknown, changes?: SnapshotChanges): void {
    this.#good = snapshot
    this.#file.save(snapshot, changes)
  }

  /** A configuration that waited for a worker is tried once: it must not kill one worker after the other. */
  async #offerWaiting(process: WorkerProcess, waiting: unknown): Promise<void> {
    const { kind } = await process.offer(waiting)
    if (this.#offered !== waiting || this.#isPublishing) return
    this.#offered = undefined
    if (kind === 'accepted') this.#keep(waiting)
    else if (kind !== 'refused') this.#unanswered = waiting
  }

  async #offerKept(process: WorkerProcess, worker: number): Promise<void> {
    const kept = this.#good
    const answer = await process.offer(kept)
    if (answer.kind !== 'refused') return
    if (this.#good === kept) this.#good = undefined
    const { reason } = answer
    this.#log.error({ worker, reason }, 'the configuration that was kept is refused')
  }

  /** A file that can't be used is no reason not to start: the control plane publishes again. */
  #loadKept(): unknown {
    try {
      return this.#file.load()
    } catch (error) {
      this.#log.warn({ err: error }, 'the configuration kept on disk can’t be used')
      return undefined
    }
  }
}

function revisionOf(snapshot: unknown): RevisionId | undefined {
  const { revision, mark = '' } = (snapshot ?? {}) as { revision?: unknown; mark?: unknown }
  return typeof revision === 'number' ? { revision, mark: String(mark) } : undefined
}

/** What was kept is mostly what is published first after a start: workers that have it are spared it. */
const isSameContent = (one: unknown, other: unknown): boolean =>
  isSameRevision(revisionOf(one), revisionOf(other)) && contentOf(one) === contentOf(other)

const contentOf = (snapshot: unknown) => JSON.stringify({ ...(snapshot as object), built_at: '' })

function refusalOf(id: number, answer: Answer): string[] {
  return answer.kind === 'refused' ? [`Worker ${id}: ${answer.reason}`] : []
}
