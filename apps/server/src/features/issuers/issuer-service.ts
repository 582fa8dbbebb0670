import { superAdminRole, type IssuerInput } from '@gatehouse/contract'
import { isUniqueViolation } from '../../db/dialect.ts'
import type { ListQuery } from '../../db/listing.ts'
import { writeRow } from '../../db/tables/column.ts'
import { issuerForm } from '../../db/tables/people/token-issuers.ts'
import { fieldError } from '../../kernel/app-error.ts'
import { beyondReach, refuseBeyondReach, type Actor, type Caller } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/clock.ts'
import { savedThing, withFreeName } from '../../kernel/saved/saved-thing.ts'
import type { InTransaction, Stores } from '../../stores.ts'
import { auditedIssuer } from './issuer-columns.ts'
import type { IssuerWithRoles } from './issuer-store.ts'
import { KeysProblem, readKeys } from './read-keys.ts'

interface IssuerServiceOptions {
  inTransaction: InTransaction
  clock: Clock
  keeper: { refresh(id: number): Promise<void> }
}

/** Whom the gateway believes about its callers, as administrators change it. */
export class IssuerService {
  readonly #options: IssuerServiceOptions

  constructor(options: IssuerServiceOptions) {
    this.#options = options
  }

  list(query: ListQuery) {
    return this.#options.inTransaction(({ issuers }) => issuers.list(query))
  }

  get(id: number): Promise<IssuerWithRoles> {
    return this.#options.inTransaction((stores) => existing(stores, id))
  }

  /** The roles that a caller may give to tokens. */
  listRoles(caller: Caller) {
    return this.#options.inTransaction(async ({ roles, access }) => {
      const reach = await access.reachOf(caller)
      const all = await roles.listWithPermissions()
      return all.filter((role) => role.name !== superAdminRole && !beyondReach(reach, role))
    })
  }

  async create(input: IssuerInput, actor: Actor): Promise<IssuerWithRoles> {
    const { id } = await this.#save(actor, async (stores) => {
      await refuseRoles(stores, input, [], actor.caller)
      const now = this.#options.clock.now().toISOString()
      const row = {
        ...writeRow(issuerForm, input),
        ...newKeys(input, now),
        ...this.#savedBy(actor),
      }
      const { id } = await stores.issuers.insert(row)
      await stores.issuers.setRoles(id, input.roles)
      return issuers.saved(stores, actor, 'create', { id })
    })
    return this.#fetched(id)
  }

  /** Throws a 409 where another user has saved it since the version that the caller saw. */
  async update(id: number, input: IssuerInput, actor: Actor): Promise<IssuerWithRoles> {
    const isMoved = await this.#save(actor, async (stores) => {
      const before = await existing(stores, id)
      await refuseRoles(stores, input, before.roles, actor.caller)
      const isSame = input.jwks_url === before.jwks_url && input.jwks === before.jwks
      const now = this.#options.clock.now().toISOString()
      const keys = isSame ? { keys_due_at: dueAt(input, now) } : newKeys(input, now)
      const change = { ...writeRow(issuerForm, input), ...keys, ...this.#savedBy(actor) }
      await stores.issuers.update(id, input.version ?? before.version, change)
      await stores.issuers.setRoles(id, input.roles)
      await issuers.saved(stores, actor, 'update', { id, before })
      return !isSame
    })
    return isMoved ? this.#fetched(id) : this.get(id)
  }

  async remove(id: number, actor: Actor): Promise<void> {
    await this.#save(actor, async (stores) => {
      const before = await existing(stores, id)
      await stores.issuers.remove(id)
      await issuers.record(stores, actor, 'delete', { before })
    })
  }

  /** Throws a 404; a fetch that fails is noted in the record. */
  async fetchKeys(id: number, actor: Actor): Promise<IssuerWithRoles> {
    await this.#options.inTransaction((stores) => existing(stores, id), actor.caller)
    return this.#fetched(id)
  }

  async #fetched(id: number): Promise<IssuerWithRoles> {
    await this.#options.keeper.refresh(id)
    return this.get(id)
  }

  async #save<T>(actor: Actor, work: (stores: Stores) => Promise<T>): Promise<T> {
    const { inTransaction } = this.#options
    const changing = async (stores: Stores) => {
      const done = await work(stores)
      await stores.revisions.bump()
      return done
    }
    try {
      // The table is called after issuers too: the name is looked for first.
      return await withFreeName(() => inTransaction(changing, actor.caller))
    } catch (error) {
      if (!isUniqueViolation(error, 'issuer')) throw error
      throw fieldError({ issuer: ['There is an issuer with this text already.'] })
    }
  }

  #savedBy({ caller }: Actor) {
    return { user_name: caller.user.name, updated_at: this.#options.clock.now().toISOString() }
  }
}

const issuers = savedThing({
  thing: 'issuer',
  missing: 'issuer.not_found',
  find: ({ issuers: store }: Stores, id) => store.find(id),
  audited: auditedIssuer,
})
const { existing } = issuers

/** Keys of another address are trusted only once that has been asked. */
function newKeys(input: IssuerInput, now: string) {
  const typed = input.jwks === '' ? [] : typedKeys(input.jwks)
  return {
    keys: JSON.stringify(typed),
    keys_read_at: typed.length === 0 ? null : now,
    keys_tried_at: null,
    keys_due_at: dueAt(input, now),
    keys_problem: null,
  }
}

const dueAt = ({ is_active, jwks_url }: IssuerInput, now: string) =>
  is_active && jwks_url !== '' ? now : null

function typedKeys(text: string) {
  try {
    return readKeys(text)
  } catch (error) {
    throw error instanceof KeysProblem ? fieldError({ jwks: [error.message] }) : error
  }
}

/**
 * An issuer gives its roles to anyone whose token it signs: so the caller needs to reach each of them, those
 * that it gave before included. Super Admin is given to people alone.
 */
async function refuseRoles(
  { roles, access }: Stores,
  input: IssuerInput,
  before: readonly { role_id: number }[],
  caller: Caller,
): Promise<void> {
  const wanted = new Set(input.roles.map(({ role_id }) => role_id))
  const found = await roles.findAll([...wanted, ...before.map(({ role_id }) => role_id)])
  const known = new Set(found.map(({ id }) => id))
  if (wanted.difference(known).size > 0) throw fieldError({ roles: ['A role does not exist.'] })
  if (found.some(({ name }) => name === superAdminRole))
    throw fieldError({ roles: ['Super Admin can’t be given by a token.'] })
  const pairs = input.roles.map(({ value, role_id }) => `${role_id} ${value}`)
  if (new Set(pairs).size < pairs.length)
    throw fieldError({ roles: ['The same value gives the same role twice.'] })
  refuseBeyondReach(await access.reachOf(caller), found)
}
