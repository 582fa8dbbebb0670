import type { ErrorCode, FiringState } from '@gatehouse/contract'
import { inParts } from '../../kernel/in-parts.ts'
import { AppError } from '../../kernel/app-error.ts'
import { can, type Actor, type Caller } from '../../kernel/caller.ts'
import type { Lists } from '../../kernel/lists.ts'
import type { InTransaction, Stores } from '../../stores.ts'
import type { FiringRow } from './firing-store.ts'
import type { ScheduleRow } from './schedule-store.ts'
import { listOf, questionOf, type Starter } from './schedule-parts.ts'
import { keyOf, sortElements, type NewElement } from './sort-elements.ts'

export interface FiringParts {
  stores: Pick<Stores, 'schedules' | 'scheduleFirings' | 'installationHold'>
  inTransaction: InTransaction
  lists: Lists
  starter: Starter
  callerOf: (userId: number) => Promise<Caller | undefined>
}

/** What a firing came to. */
export interface FiringEnd {
  state: Exclude<FiringState, 'running'>
  message: string | null
  found: number
  old: number
  known: number
  started: number
  refused: number
  /** Where the next one begins; null: it stays. */
  watermark: string | null
}

/** The server stops, or another one has taken the firing over: nothing more may be started. */
export class FiringLeft extends Error {
  override name = 'FiringLeft'
}

/** Rolls back the transaction of a run that would be the second one. */
class TakenBefore extends Error {
  override name = 'TakenBefore'
}

const none = { found: 0, old: 0, known: 0, started: 0, refused: 0, watermark: null }
const ended = (state: FiringEnd['state'], message: string | null): FiringEnd => ({
  ...none,
  state,
  message,
})

/** The user, the workflow or its lane takes no run at all: other elements would fare alike. */
const refusals: ReadonlySet<ErrorCode> = new Set([
  'permission.denied',
  'session.unauthenticated',
  'workflow.not_found',
  'workflow.paused',
])
const failures: ReadonlySet<ErrorCode> = new Set(['lane.draining', 'run.not_stored', 'server.busy'])
const takenAtOnce = 500

/**
 * Carries out a firing, from its beginning or from where another server has left it: what was taken is not
 * taken again. Throws FiringLeft once the signal is aborted.
 */
export async function carryOutFiring(
  parts: FiringParts,
  schedule: ScheduleRow,
  firing: FiringRow,
  signal: AbortSignal,
): Promise<FiringEnd> {
  const found = await parts.callerOf(firing.user_id)
  if (!found) return ended('refused', 'The user on whose behalf it runs was deleted.')
  const caller: Caller = { ...found, isUnattended: true, access: 'workflow.run' }
  if (!can(caller, 'workflow.run'))
    return ended(
      'refused',
      `${caller.user.name}, on whose behalf it runs, may not run workflows any more.`,
    )
  const requestId = `schedule-${schedule.id}-${firing.id}`
  const firer = new Firer(parts, schedule, firing, { caller, requestId, address: '' }, signal)
  return schedule.list === null ? firer.startInput() : firer.startList()
}

class Firer {
  readonly #parts: FiringParts
  readonly #schedule: ScheduleRow
  readonly #firing: FiringRow
  readonly #actor: Actor
  readonly #signal: AbortSignal

  constructor(
    parts: FiringParts,
    schedule: ScheduleRow,
    firing: FiringRow,
    actor: Actor,
    signal: AbortSignal,
  ) {
    this.#parts = parts
    this.#schedule = schedule
    this.#firing = firing
    this.#actor = actor
    this.#signal = signal
  }

  async startInput(): Promise<FiringEnd> {
    const { input } = this.#schedule
    const key = keyOf(`moment ${this.#firing.planned_for}`)
    return this.#startAll([{ key, reference: null, text: input ?? 'null' }], 0)
  }

  async startList(): Promise<FiringEnd> {
    const { list: stored, watermark } = this.#schedule
    const list = listOf(stored ?? '', watermark)
    const fetched = await this.#parts.lists.fetch(
      questionOf(list),
      this.#actor.caller,
      this.#signal,
    )
    if (this.#signal.aborted) throw new FiringLeft()
    if (!fetched.ok) return ended(fetched.isRefused ? 'refused' : 'failed', fetched.message)
    const sorted = sortElements(list, fetched.elements)
    if (!sorted.ok) return { ...ended('failed', sorted.message), found: fetched.elements.length }
    const { found, old, elements, repeated } = sorted
    const end = await this.#startAll(elements, repeated)
    // An element that was not taken is fetched again only while the watermark stays.
    return { ...end, found, old, watermark: end.state === 'done' ? sorted.watermark : null }
  }

  /** One after the other: lanes may keep the order. */
  async #startAll(elements: readonly NewElement[], repeated: number): Promise<FiringEnd> {
    const taken = await this.#listTaken(elements)
    const counts = { known: repeated, started: 0, refused: 0 }
    let first: string | undefined
    for (const element of elements) {
      if (this.#signal.aborted) throw new FiringLeft()
      const takenBy = taken.get(element.key)
      const what =
        takenBy === undefined
          ? await this.#start(element)
          : takenBy === this.#firing.id
            ? 'started'
            : 'known'
      if (typeof what === 'string') {
        counts[what]++
        continue
      }
      const message = `${element.reference === null ? '' : `${element.reference}: `}${what.message}`
      const { code } = what
      if (refusals.has(code) || failures.has(code))
        return { ...none, ...counts, state: refusals.has(code) ? 'refused' : 'failed', message }
      counts.refused++
      first ??= message
    }
    if (first === undefined) return { ...none, ...counts, state: 'done', message: null }
    const message = `${counts.refused} of ${elements.length} could not be started. The first: ${first}`
    return { ...none, ...counts, state: 'failed', message }
  }

  async #listTaken(elements: readonly NewElement[]): Promise<Map<string, number>> {
    const { scheduleFirings } = this.#parts.stores
    const taken = new Map<string, number>()
    for (const some of inParts(elements, takenAtOnce)) {
      const keys = some.map(({ key }) => key)
      for (const row of await scheduleFirings.listTaken(this.#schedule.id, keys))
        taken.set(row.item_key, row.firing_id)
    }
    return taken
  }

  /** The run and the fact that the element is taken are committed together. */
  async #start({ key, text }: NewElement): Promise<'started' | 'known' | AppError> {
    const { id: schedule_id, workflow_slug: slug } = this.#schedule
    const item = { schedule_id, item_key: key, firing_id: this.#firing.id }
    try {
      await this.#parts.starter.start(
        {
          slug,
          inputText: text,
          key: `schedule-${schedule_id}-${key}`,
          isTest: false,
          priority: 1,
          beside: async ({ scheduleFirings }, run_id) => {
            if (!(await scheduleFirings.insertItem({ ...item, run_id }))) throw new TakenBefore()
          },
        },
        this.#actor,
      )
      return 'started'
    } catch (error) {
      // Another server that took the firing over was faster.
      if (error instanceof TakenBefore) return 'known'
      if (error instanceof AppError) return withPlaces(error)
      throw error
    }
  }
}

/** A refused input says where it is wrong. */
function withPlaces(error: AppError): AppError {
  const [place] = Object.entries(error.details.fields ?? {})
  if (!place) return error
  const [path, messages] = place
  return new AppError(error.code, {
    message: `${path === '' ? '' : `${path}: `}${messages[0] ?? error.message}`,
  })
}
