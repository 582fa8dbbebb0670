import { isUniqueViolation } from '../../db/dialect.ts'
import type { ListQuery } from '../../db/listing.ts'
import { AppError, fieldError } from '../../kernel/app-error.ts'
import type { Actor } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { InTransaction, Stores } from '../../stores.ts'
const endpointsShown = 100

export class ContextService {
  readonly #inTransaction: InTransaction
  readonly #clock: Clock

  constructor(inTransaction: InTransaction, clock: Clock) {
    this.#inTransaction = inTransaction
    this.#clock = clock
  }

  list(query: ListQuery) {
    return this.#inTransaction(async (stores) => {
      const { rows, total } = await stores.apis.list(query)
      return { rows: await withEndpoints(stores, rows), total }
    })
  }

  async update(id: number, context: string, actor: Actor) {
    const taken = () => fieldError({ context: ['This context is already in use.'] })
    try {
      return await this.#inTransaction(async (stores) => {
        const api = await stores.apis.find(id)
        if (!api) throw new AppError('api.not_found')
        const holder = await stores.apis.findByContext(context)
        if (holder && holder.id !== id) throw taken()
        const updated = await stores.apis.update(id, api.version, {
          context,
          updated_at: this.#clock.now().toISOString(),
        })
        await stores.audit.record(actor, {
          action: 'context.update',
          thing: 'api',
          id,
          name: api.name,
          before: { context: api.context },
          after: { context },
        })
        await stores.revisions.bump()
        const endpoints_count = await stores.apis.countEndpoints(id)
        const [record] = await withEndpoints(stores, [{ ...updated, endpoints_count }])
        return record!
      }, actor.caller)
    } catch (error) {
      throw isUniqueViolation(error, 'context') ? taken() : error
    }
  }
}

async function withEndpoints<T extends { id: number }>({ endpoints }: Stores, apis: readonly T[]) {
  const ids = apis.map(({ id }) => id)
  const byApi = Map.groupBy(await endpoints.listOfApis(ids, endpointsShown), ({ api_id }) => api_id)
  return apis.map((api) => ({ ...api, endpoints: byApi.get(api.id) ?? [] }))
}
