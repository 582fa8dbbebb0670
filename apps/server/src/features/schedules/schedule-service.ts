import type { FieldErrors, ScheduleInput } from '@gatehouse/contract'
import { JsonProblem, parseExact } from '@gatehouse/contract/mapping'
import type { ListQuery } from '../../db/listing.ts'
import { writeRow } from '../../db/tables/column.ts'
import { scheduleForm } from '../../db/tables/schedules.ts'
import { AppError, fieldError } from '../../kernel/app-error.ts'
import { refuseWithout, type Actor, type Caller } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/clock.ts'
import { cronProblems, nextRunAt } from '../../kernel/time/cron.ts'
import { isDecimal } from '../../kernel/text/decimals.ts'
import type { Lists } from '../../kernel/lists.ts'
import { savedThing } from '../../kernel/saved/saved-thing.ts'
import type { InTransaction, Stores } from '../../stores.ts'
import type { FiringFilter } from './firing-store.ts'
import type { ScheduleKeeper } from './schedule-keeper.ts'
import { questionOf, storedList, type Starter } from './schedule-parts.ts'
import { shownSchedule } from './schedule-view.ts'
import type { ScheduleFilter, ScheduleRow } from './schedule-store.ts'

interface ScheduleServiceOptions {
  inTransaction: InTransaction
  clock: Clock
  lists: Lists
  starter: Starter
  keeper: ScheduleKeeper
}

/** Saves schedules and shows what became of them. */
export class ScheduleService {
  readonly #options: ScheduleServiceOptions

  constructor(options: ScheduleServiceOptions) {
    this.#options = options
  }

  list(filter: ScheduleFilter) {
    return this.#options.inTransaction(async (stores) => {
      const { rows, total } = await stores.schedules.list(filter)
      return { rows: await withLast(stores, rows), total }
    })
  }

  get(id: number) {
    return this.#options.inTransaction(async (stores) => shown(stores, await existing(stores, id)))
  }

  async create(input: ScheduleInput, actor: Actor) {
    const row = await this.#check(input, actor)
    const created_at = this.#now()
    return this.#options.inTransaction(async (stores) => {
      await existingWorkflow(stores, input.workflow_id)
      await stores.workflows.refuseUnreached(input.workflow_id, actor.caller)
      const { id } = await stores.schedules.insert({ ...row, created_at })
      return shown(stores, await schedules.saved(stores, actor, 'create', { id }))
    }, actor.caller)
  }

  /** From now on it runs on behalf of the caller. Its next moment is one after now. */
  async update(id: number, input: ScheduleInput, actor: Actor) {
    const row = await this.#check(input, actor)
    return this.#options.inTransaction(async (stores) => {
      await existingWorkflow(stores, input.workflow_id)
      const before = await existing(stores, id)
      for (const each of [before.workflow_id, input.workflow_id])
        await stores.workflows.refuseUnreached(each, actor.caller)
      await stores.schedules.update(id, input.version ?? before.version, row)
      return shown(stores, await schedules.saved(stores, actor, 'update', { id, before }))
    }, actor.caller)
  }

  remove(id: number, actor: Actor): Promise<void> {
    return this.#options.inTransaction(async (stores) => {
      const before = await existing(stores, id)
      await stores.workflows.refuseUnreached(before.workflow_id, actor.caller)
      await stores.schedules.remove(id)
      await record(stores, actor, 'delete', { before })
    }, actor.caller)
  }

  pause(id: number, actor: Actor) {
    return this.#switch(id, actor, 'pause', () => ({ is_active: 0, next_run_at: null }))
  }

  resume(id: number, actor: Actor) {
    return this.#switch(id, actor, 'resume', (row) => ({
      is_active: 1,
      next_run_at: this.#nextOf(row),
    }))
  }

  /** On behalf of the user who saved it, as at its times. Throws 409 while it goes on. */
  async runNow(id: number, actor: Actor) {
    const { inTransaction, keeper } = this.#options
    const { row, firing } = await inTransaction(async (stores) => {
      const found = await existing(stores, id)
      if (await stores.scheduleFirings.findRunning(id)) throw new AppError('schedule.under_way')
      const now = this.#now()
      const begun = await stores.scheduleFirings.insert({
        schedule_id: id,
        planned_for: now,
        started_at: now,
        state: 'running',
        is_by_hand: 1,
        user_id: found.user_id,
        ...keeper.lease(),
      })
      if (!begun) throw new AppError('schedule.under_way')
      await record(stores, actor, 'run', { after: found })
      return { row: found, firing: begun }
    }, actor.caller)
    keeper.begin(row, firing)
    return this.get(id)
  }

  listFirings(id: number, filter: FiringFilter) {
    return this.#options.inTransaction(async (stores) => {
      await existing(stores, id)
      return stores.scheduleFirings.list(id, filter)
    })
  }

  listRuns(id: number, firing: number, query: ListQuery) {
    return this.#options.inTransaction(async (stores) => {
      await existing(stores, id)
      return stores.scheduleFirings.listRuns(firing, id, query)
    })
  }

  #switch(
    id: number,
    actor: Actor,
    verb: 'pause' | 'resume',
    changeOf: (row: ScheduleRow) => { is_active: 0 | 1; next_run_at: string | null },
  ) {
    return this.#options.inTransaction(async (stores) => {
      const before = await existing(stores, id)
      await stores.schedules.update(id, before.version, changeOf(before))
      return shown(stores, await schedules.saved(stores, actor, verb, { id, before }))
    }, actor.caller)
  }

  #nextOf({ cron, time_zone }: Pick<ScheduleRow, 'cron' | 'time_zone'>): string | null {
    return nextRunAt(cron, time_zone, this.#options.clock.now())?.toISOString() ?? null
  }

  /** The row of an input that can be carried out on behalf of this user. Throws a 422 with all that is wrong. */
  async #check(input: ScheduleInput, actor: Actor) {
    // What a schedule starts, its user could start by hand.
    refuseWithout(actor.caller, 'workflow.run')
    const isList = input.start === 'list'
    const errors: FieldErrors = {
      ...cronProblems(input),
      ...(isList ? await this.#listProblems(input, actor.caller) : {}),
      ...(isList ? {} : await this.#inputProblems(input, actor)),
    }
    if (Object.keys(errors).length > 0) throw fieldError(errors)
    return {
      ...writeRow(scheduleForm, input),
      workflow_id: input.workflow_id,
      input: isList ? null : input.input,
      list: isList ? storedList(input) : null,
      watermark: isList ? (input.list?.watermark?.value ?? null) : null,
      user_id: actor.caller.user.id,
      user_name: actor.caller.user.name,
      next_run_at: input.is_active ? this.#nextOf(input) : null,
      updated_at: this.#now(),
    }
  }

  async #listProblems({ list }: ScheduleInput, caller: Caller): Promise<FieldErrors> {
    if (!list) return { 'list.endpoint_id': ['Choose an endpoint.'] }
    const { watermark } = list
    if (watermark?.type === 'number' && !isDecimal(watermark.value))
      return { 'list.watermark.value': ['The watermark value must be a number.'] }
    const prepared = await this.#options.lists.prepare(questionOf(list), caller)
    return prepared.ok ? {} : { [`list.${prepared.field}`]: [prepared.message] }
  }

  async #inputProblems({ input, workflow_id }: ScheduleInput, actor: Actor): Promise<FieldErrors> {
    try {
      parseExact(input)
    } catch (error) {
      if (error instanceof JsonProblem) return { input: [error.message] }
      throw error
    }
    const workflow = await this.#options.inTransaction((stores) =>
      existingWorkflow(stores, workflow_id),
    )
    const request = { slug: workflow.slug, inputText: input }
    const problems = await this.#options.starter.problemsOf(request, actor)
    const messages = Object.entries(problems ?? {}).flatMap(([path, each]) =>
      each.map((message) => `${path}: ${message}`),
    )
    return messages.length > 0 ? { input: messages } : {}
  }

  #now(): string {
    return this.#options.clock.now().toISOString()
  }
}

const schedules = savedThing({
  thing: 'schedule',
  missing: 'schedule.not_found',
  find: ({ schedules: store }: Stores, id) => store.find(id),
  audited: shownSchedule,
})
const { existing, record } = schedules

async function existingWorkflow({ schedules }: Stores, id: number) {
  const workflow = await schedules.findWorkflow(id)
  if (!workflow) throw fieldError({ workflow_id: ['This workflow does not exist.'] })
  return workflow
}

const shown = async (stores: Stores, row: ScheduleRow) => (await withLast(stores, [row]))[0]!

async function withLast({ scheduleFirings }: Stores, rows: readonly ScheduleRow[]) {
  const last = await scheduleFirings.listLast(rows.map(({ id }) => id))
  return rows.map((row) => ({ row, last: last.find((each) => each.schedule_id === row.id) }))
}
