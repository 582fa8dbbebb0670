import type {
  ApiDefinition,
  ApiFault,
  BulkChange,
  BulkAnswer,
  PurgeInput,
} from '@gatehouse/contract'
import { noCredential, type AddressGuard } from '@gatehouse/upstream'
import { isUniqueViolation } from '../../db/dialect.ts'
import { readHeaders } from '../../db/static-headers.ts'
import { AppError } from '../../kernel/app-error.ts'
import { asking, refuseWithout, type Actor } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { SecretBox } from '../../kernel/secret-box.ts'
import { faultOf } from '../../publishing/snapshot-api.ts'
import { nameTools } from '../../publishing/tools/name-tools.ts'
import type { InTransaction } from '../../stores.ts'
import { toColumns, toSubmittedApi } from './api-columns.ts'
import { openCredential, openTls } from './api-credentials.ts'
import { noSecrets, saveSecrets } from './api-secrets.ts'
import type { ApiFilter, ApiRow, ApiStore } from './api-store.ts'
import { changeApis, removeApi } from './change-apis.ts'
import { freeContext } from './free-context.ts'
import { nameTaken, refuseTakenName } from './name-taken.ts'
import { refuseBadAuthorities } from './client-authorities.ts'
import { purgeCache } from './purge-cache.ts'
import { freeRegister, refuseRegisterChange } from './register-of-api.ts'
import { refuseBlockedAddresses } from './refuse-blocked-addresses.ts'

export interface ApiServiceOptions {
  apis: ApiStore
  inTransaction: InTransaction
  secrets: SecretBox
  guard: AddressGuard
  clock: Clock
  /** Called with each definition that was saved, after the commit. */
  afterSave?: (api: ApiRow) => void
}

type ChangedApi = ApiDefinition & { confirm_register?: boolean }

export class ApiService {
  readonly #options: ApiServiceOptions

  constructor(options: ApiServiceOptions) {
    this.#options = options
  }

  list(filter: ApiFilter) {
    return this.#options.apis.list(filter)
  }

  listTags() {
    return this.#options.apis.countTags()
  }

  listAll() {
    return this.#options.apis.listAll()
  }

  async get(id: number): Promise<ApiRow> {
    const api = await this.#options.apis.find(id)
    if (!api) throw new AppError('api.not_found')
    return api
  }

  async create(definition: ApiDefinition, actor: Actor): Promise<ApiRow> {
    const { inTransaction, secrets, clock } = this.#options
    refuseBlockedAddresses(this.#options.guard, definition)
    refuseBadAuthorities(definition, clock.now())
    const now = clock.now().toISOString()
    const saved = await withFreeContext(() =>
      inTransaction(async ({ apis, audit, revisions }) => {
        await apis.lockContexts()
        await refuseTakenName(apis, definition.name)
        const columnsOfNew = toColumns(definition)
        const inserted = await apis.insert({
          ...columnsOfNew,
          document_register:
            definition.document_register ??
            (await freeRegister(apis, columnsOfNew.document_register)),
          ...noSecrets,
          context: await freeContext(apis, definition.name),
          version: 0,
          created_at: now,
          updated_at: now,
        })
        // A secret is bound to its row, whose id is known only now.
        const { columns } = await saveSecrets(secrets, inserted.id, definition, {
          stored: undefined,
          now: clock.now(),
        })
        const api = await apis.update(inserted.id, 0, columns)
        await audit.record(actor, {
          action: 'api.create',
          thing: 'api',
          id: api.id,
          name: api.name,
          after: toSubmittedApi(api),
        })
        await revisions.bump()
        return api
      }, actor.caller),
    )
    this.#options.afterSave?.(saved)
    return saved
  }

  /**
   * Saves over the version that the form was loaded with; over any where it names none. Another register needs
   * `confirm_register` where documents stay in the one of before.
   */
  async update(
    id: number,
    { confirm_register: isConfirmed = false, ...definition }: ChangedApi,
    actor: Actor,
  ): Promise<ApiRow> {
    const { inTransaction, secrets, clock } = this.#options
    refuseBlockedAddresses(this.#options.guard, definition)
    refuseBadAuthorities(definition, clock.now())
    const saved = await namingTakenNames(() =>
      inTransaction(async (stores) => {
        const { apis, audit, revisions } = stores
        const stored = await apis.find(id)
        if (!stored) throw new AppError('api.not_found')
        if (definition.name !== stored.name) await refuseTakenName(apis, definition.name, id)
        const now = clock.now()
        const { columns, changed } = await saveSecrets(secrets, id, definition, { stored, now })
        const own = toColumns(definition, stored)
        if (own.document_register !== stored.document_register)
          await refuseRegisterChange(stores, stored, { to: own.document_register, isConfirmed })
        const updated = await apis.update(id, definition.version ?? stored.version, {
          ...own,
          ...columns,
          updated_at: now.toISOString(),
        })
        await nameTools(stores, id)
        await audit.record(actor, {
          action: 'api.update',
          thing: 'api',
          id,
          name: updated.name,
          before: toSubmittedApi(stored),
          after: {
            ...toSubmittedApi(updated),
            ...(changed.length > 0 ? { changed_secrets: changed } : {}),
          },
        })
        await revisions.bump()
        return updated
      }, actor.caller),
    )
    this.#options.afterSave?.(saved)
    return saved
  }

  async remove(id: number, actor: Actor): Promise<void> {
    await this.#options.inTransaction(async (stores) => {
      const { apis, revisions } = stores
      const api = await apis.find(id)
      if (!api) throw new AppError('api.not_found')
      await removeApi(stores, api, actor)
      await revisions.bump()
    }, actor.caller)
  }

  /** Each is changed or says why not. Throws where the caller may not do that to any. */
  async change(change: BulkChange, actor: Actor): Promise<BulkAnswer> {
    const { inTransaction, clock } = this.#options
    const permission = change.action === 'delete' ? 'api.delete' : 'api.edit'
    refuseWithout(actor.caller, permission)
    const now = clock.now().toISOString()
    return inTransaction(
      (stores) => changeApis(stores, change, actor, now),
      asking(actor, permission).caller,
    )
  }

  purgeCache(id: number, purge: PurgeInput, actor: Actor): Promise<void> {
    return purgeCache(this.#options.inTransaction, id, purge, actor)
  }

  /** The part of it that can't be read, because of which the gateway does not serve it. */
  faultOf(api: ApiRow): ApiFault | null {
    return faultOf(api, this.#options.secrets)
  }

  /** What calls of it need, its secrets in clear text, for a call that is about to be made. */
  callingOf(api: ApiRow) {
    const { secrets } = this.#options
    const staticHeaders = readHeaders(api.static_headers)
    if (staticHeaders === undefined) throw new AppError('api.unreadable')
    return {
      credential: openCredential(secrets, api, 'live') ?? noCredential,
      /** Null: the one above is for both. */
      testCredential: openCredential(secrets, api, 'test') ?? null,
      tls: openTls(secrets, api) ?? null,
      staticHeaders,
    }
  }
}

/** Two saves at once may both find a name free; the database accepts one. */
async function namingTakenNames<T>(save: () => Promise<T>): Promise<T> {
  try {
    return await save()
  } catch (error) {
    throw isUniqueViolation(error, 'name_key') ? nameTaken() : error
  }
}

const contextAttemptsMax = 5

/**
 * A free prefix may be taken in the meantime, on the screen of contexts; the next attempt finds another.
 * Creations run one after the other.
 */
async function withFreeContext<T>(save: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await namingTakenNames(save)
    } catch (error) {
      if (attempt === contextAttemptsMax || !isUniqueViolation(error, 'context')) throw error
    }
  }
}
