import { undoSeconds, type BulkOutcome, type UndoableThing } from '@gatehouse/contract'
import { isForeignKeyViolation, isUniqueViolation } from '../../db/dialect.ts'
import { AppError } from '../../kernel/app-error.ts'
import { asking, refuseWithout, type Actor, type Caller } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { InTransaction, Stores } from '../../stores.ts'

export interface DeletionServiceOptions {
  inTransaction: InTransaction
  clock: Clock
  /** Throws where a save would refuse a record that is there again; nothing of the transaction is then kept. */
  refuseUnfit: Record<UndoableThing, (stores: Stores, id: number, caller: Caller) => Promise<void>>
}

export class DeletionService {
  readonly #options: DeletionServiceOptions

  constructor(options: DeletionServiceOptions) {
    this.#options = options
  }

  /**
   * Brings back what the caller has deleted within the last minute, under its id, as it was. `ids` are in the order
   * of the deletion. Each comes back or says why not.
   */
  async undo(thing: UndoableThing, ids: readonly number[], actor: Actor): Promise<BulkOutcome[]> {
    refuseWithout(actor.caller, `${thing}.delete`)
    try {
      return await this.#undoTogether(thing, ids, actor)
    } catch (error) {
      if (refusalOf(error) === undefined) throw error
    }
    // What one needs has changed meanwhile: all were refused, so each has its own transaction.
    return lastFirst(ids, (id) => this.#undoAlone(thing, id, actor))
  }

  /** What can be undone no longer is not kept. */
  async forget(): Promise<void> {
    await this.#options.inTransaction(({ deletions }) => deletions.removeBefore(this.#since()))
  }

  #undoTogether(thing: UndoableThing, ids: readonly number[], actor: Actor) {
    // Brought up to date as the transaction begins.
    const asked = asking(actor, `${thing}.delete`)
    return this.#options.inTransaction(async (stores) => {
      const outcomes = await lastFirst(ids, (id) => this.#undoOne(stores, thing, id, asked))
      if (outcomes.some(({ outcome }) => outcome === 'done')) await stores.revisions.bump()
      return outcomes
    }, asked.caller)
  }

  async #undoAlone(thing: UndoableThing, id: number, actor: Actor): Promise<BulkOutcome> {
    try {
      const [outcome] = await this.#undoTogether(thing, [id], actor)
      return outcome!
    } catch (error) {
      const refusal = refusalOf(error)
      if (refusal === undefined) throw error
      const kept = await this.#options.inTransaction(({ deletions }) =>
        deletions.find({ thing, thing_id: id, user_id: actor.caller.user.id }, this.#since()),
      )
      return refused(id, kept?.name ?? '', refusal)
    }
  }

  async #undoOne(
    stores: Stores,
    thing: UndoableThing,
    id: number,
    actor: Actor,
  ): Promise<BulkOutcome> {
    const of = { thing, thing_id: id, user_id: actor.caller.user.id }
    const kept = await stores.deletions.find(of, this.#since())
    if (!kept) return refused(id, '', new AppError('deletion.over'))
    if (!(await stores.deletions.putBack(kept)))
      return refused(id, kept.name, new AppError('deletion.taken'))
    await this.#options.refuseUnfit[thing](stores, id, actor.caller).catch(asUnfit)
    await stores.audit.record(actor, {
      action: `${thing}.undo_delete`,
      thing,
      id,
      name: kept.name,
      after: JSON.parse(kept.shown) as object,
    })
    return { id, name: kept.name, outcome: 'done', message: null }
  }

  #since(): string {
    return new Date(this.#options.clock.now().getTime() - undoSeconds * 1000).toISOString()
  }
}

/** What was deleted last comes back first: what was deleted before it may name it. In the order of the ids. */
async function lastFirst(
  ids: readonly number[],
  undo: (id: number) => Promise<BulkOutcome>,
): Promise<BulkOutcome[]> {
  const outcomes: BulkOutcome[] = []
  for (const id of ids.toReversed()) outcomes.push(await undo(id))
  return outcomes.toReversed()
}

/** Thrown so that the transaction ends with nothing written. */
class Unfit extends Error {
  readonly refusal: AppError

  constructor(refusal: AppError) {
    super(refusal.message)
    this.refusal = refusal
  }
}

function asUnfit(error: unknown): never {
  throw error instanceof AppError ? new Unfit(error) : error
}

/** Undefined where the error is none of the record. */
function refusalOf(error: unknown): AppError | undefined {
  if (error instanceof Unfit) return error.refusal
  // A name or a route is taken meanwhile, or what it names has gone at this moment.
  const isTaken = isUniqueViolation(error) || isForeignKeyViolation(error)
  return isTaken ? new AppError('deletion.taken') : undefined
}

const refused = (id: number, name: string, { message, details }: AppError): BulkOutcome => ({
  id,
  name,
  outcome: 'refused',
  message: Object.values(details.fields ?? {})[0]?.[0] ?? message,
})
