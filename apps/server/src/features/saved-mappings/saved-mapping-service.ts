import type { SavedMapping, SavedMappingInput } from '@gatehouse/contract'
import type { ListQuery } from '../../db/listing.ts'
import type { Actor } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/clock.ts'
import { savedThing, withFreeName } from '../../kernel/saved/saved-thing.ts'
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
    return this.#options.inTransaction((stores) => mappings.existing(stores, id))
  }

  create(input: SavedMappingInput, actor: Actor): Promise<SavedMapping> {
    return this.#save(actor, async (stores) => {
      const { id } = await stores.savedMappings.insert(this.#columnsOf(input, actor))
      return mappings.saved(stores, actor, 'create', { id })
    })
  }

  /** Throws a 409 where another user has saved it since the version that the caller saw. */
  update(id: number, input: SavedMappingInput, actor: Actor): Promise<SavedMapping> {
    return this.#save(actor, async (stores) => {
      const before = await mappings.existing(stores, id)
      const seen = input.version ?? before.version
      await stores.savedMappings.update(id, seen, this.#columnsOf(input, actor))
      return mappings.saved(stores, actor, 'update', { id, before })
    })
  }

  remove(id: number, actor: Actor): Promise<void> {
    return this.#save(actor, async (stores) => {
      const before = await mappings.existing(stores, id)
      await stores.savedMappings.remove(id)
      await mappings.record(stores, actor, 'delete', { before })
    })
  }

  #save<T>(actor: Actor, work: (stores: Stores) => Promise<T>): Promise<T> {
    return withFreeName(() => this.#options.inTransaction(work, actor.caller))
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

const toSavedMapping = ({ rows, ...row }: SavedMappingRow): SavedMapping => ({
  ...row,
  rows: JSON.parse(rows) as SavedMapping['rows'],
})

const mappings = savedThing({
  thing: 'mapping',
  missing: 'mapping.not_found',
  find: async ({ savedMappings }: Stores, id) => {
    const row = await savedMappings.find(id)
    return row && toSavedMapping(row)
  },
  audited: (mapping) => mapping,
})
