import { inParts } from '../../kernel/in-parts.ts'
import { AppError, fieldError } from '../../kernel/app-error.ts'
import type { Caller } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/clock.ts'
import { cronProblems, nextRunAt } from '../../kernel/time/cron.ts'
import type { Lists } from '../../kernel/lists.ts'
import type { Stores } from '../../stores.ts'
import { questionOf, type StoredList } from './schedule-parts.ts'
import { sortElements } from './sort-elements.ts'

const timesShown = 5
const rowsShown = 5
const inputShown = 2000
const takenAtOnce = 500

interface SchedulePreviewOptions {
  stores: Pick<Stores, 'scheduleFirings'>
  lists: Lists
  clock: Clock
}

/** Shows what a schedule would do; stores nothing. */
export class SchedulePreview {
  readonly #options: SchedulePreviewOptions

  constructor(options: SchedulePreviewOptions) {
    this.#options = options
  }

  /** The next moments. Throws a 422 for what is no expression or zone. */
  times(when: { cron: string; time_zone: string }): string[] {
    const problems = cronProblems(when)
    if (Object.keys(problems).length > 0) throw fieldError(problems)
    const times: string[] = []
    let at: Date | null = this.#options.clock.now()
    while (times.length < timesShown) {
      at = nextRunAt(when.cron, when.time_zone, at)
      if (at === null) break
      times.push(at.toISOString())
    }
    return times
  }

  /** Fetches the list. Throws a 422 under the field that is at fault. */
  async tryList(
    list: StoredList,
    scheduleId: number | undefined,
    caller: Caller,
    left: AbortSignal,
  ) {
    const fetched = await this.#options.lists.fetch(questionOf(list), caller, left)
    if (!fetched.ok)
      throw new AppError('schedule.list_failed', {
        message: fetched.message,
        fields: { [`list.${fetched.field}`]: [fetched.message] },
      })
    const sorted = sortElements(list, fetched.elements)
    if (!sorted.ok) throw new AppError('schedule.list_failed', { message: sorted.message })
    const { elements, found, old, repeated, watermark } = sorted
    const taken = await this.#listTaken(
      scheduleId,
      elements.map(({ key }) => key),
    )
    const fresh = elements.filter(({ key }) => !taken.has(key))
    const rows = fresh
      .slice(0, rowsShown)
      .map(({ reference, text }) => ({ reference, input: text.slice(0, inputShown) }))
    const known = elements.length - fresh.length + repeated
    return { found, old, known, new: fresh.length, watermark, rows }
  }

  async #listTaken(scheduleId: number | undefined, keys: readonly string[]): Promise<Set<string>> {
    const taken = new Set<string>()
    if (scheduleId === undefined) return taken
    const { scheduleFirings } = this.#options.stores
    for (const some of inParts(keys, takenAtOnce))
      for (const { item_key } of await scheduleFirings.listTaken(scheduleId, some))
        taken.add(item_key)
    return taken
  }
}
