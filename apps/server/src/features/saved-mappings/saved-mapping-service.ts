import type { SavedMapping, SavedMappingInput } from '@gatehouse/contract'
import { isUniqueViolation } from '../../db/dialect.ts'
import type { ListQuery } from '../../db/listing.ts'
import { AppError, fieldError } from '../../kernel/app-error.ts'
import type { Actor } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { InTransaction, Stores } from '../../stores.ts'
import type { SavedMappingRow } from './saved-mapping-store.ts'

export interface SavedMappingServiceOptions {
  inTransaction: InTransaction
  clock: Clock
}

/** Mapping rows under a name. Each save is a version; the audit trail holds the earlier ones. */
export class SavedMappingService {
  readonly #options: SavedMappingServiceOptions

  constructor(options: SavedMappingServiceOptions) {
    this.#options = options
  }

  list(query: ListQuery) {
    return this.#options.inTransaction(({ savedMappings }) => savedMappings.list(query))
  }

  get(id: number): Promise<SavedMapping> {
    return this.#options.inTransaction(async (stores) => toSavedMapping(await found(stores, id)))
  }

  create(input: SavedMappingInput, actor: Actor): Promise<SavedMapping> {
    return this.#save(actor, async (stores) => {
      const after = toSavedMapping(await stores.savedMappings.insert(this.#columnsOf(input, actor)))
      const { id, name } = after
      await stores.audit.record(actor, {
        action: 'mapping.create',
        thing: 'mapping',
        id,
        name,
        after,
      })
      return after
    })
  }

  /** Throws a 409 where another user has saved it since the version that the caller saw. */
  update(id: number, input: SavedMappingInput, actor: Actor): Promise<SavedMapping> {
    return this.#save(actor, async (stores) => {
      const row = await found(stores, id)
      const seen = input.version ?? row.version
      const updated = await stores.savedMappings.update(id, seen, this.#columnsOf(input, actor))
      const [before, after] = [toSavedMapping(row), toSavedMapping(updated)]
      const { name } = after
      const event = { action: 'mapping.update', thing: 'mapping', id, name, before, after } as const
      await stores.audit.record(actor, event)
      return after
    })
  }

  async remove(id: number, actor: Actor): Promise<void> {
    await this.#options.inTransaction(async (stores) => {
      const before = toSavedMapping(await found(stores, id))
      await stores.savedMappings.remove(id)
      const { name } = before
      await stores.audit.record(actor, {
        action: 'mapping.delete',
        thing: 'mapping',
        id,
        name,
        before,
      })
    }, actor.caller)
  }

  async #save<T>(actor: Actor, work: (stores: Stores) => Promise<T>): Promise<T> {
    try {
      return await this.#options.inTransaction(work, actor.caller)
    } catch (error) {
      if (!isUniqueViolation(error, 'name')) throw error
      throw fieldError({ name: ['This name is already in use.'] })
    }
  }

  #columnsOf({ name, rows }: SavedMappingInput, { caller }: Actor) {
    return {
      name,
      rows: JSON.stringify(rows),
      rows_count: rows.length,
      user_name: caller.user.name,
      updated_at: this.#options.clock.now().toISOString(),
    }
  }
}

async function found({ savedMappings }: Stores, id: number): Promise<SavedMappingRow> {
  const row = await savedMappings.find(id)
  if (!row) throw new AppError('mapping.not_found')
  return row
}

const toSavedMapping = ({ rows, ...row }: SavedMappingRow): SavedMapping => ({
  ...row,
  rows: JSON.parse(rows) as SavedMapping['rows'],
})
