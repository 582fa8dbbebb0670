import {
  superAdminRole,
  type ApiRole,
  type ApiToken,
  type CallableEndpoint,
  type RoleOption,
  type TokenLimits,
} from '@gatehouse/contract'
import type { ListQuery } from '../../db/listing.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { InTransaction, Stores } from '../../stores.ts'
import { readLimits } from '../../kernel/stored-limits.ts'
import { toAccessEndpoint } from './change-of-access.ts'

interface Page<T> {
  rows: T[]
  total: number
}

const shownRoles = 10

/** Says who may call an API: its roles, its tokens, and who holds each endpoint. */
export class ApiAccess {
  readonly #inTransaction: InTransaction
  readonly #clock: Clock

  constructor(inTransaction: InTransaction, clock: Clock) {
    this.#inTransaction = inTransaction
    this.#clock = clock
  }

  roles(apiId: number, query: ListQuery): Promise<Page<ApiRole>> {
    return this.#inTransaction(async (stores) => {
      const { access } = stores
      const { all, counts } = await holdersOf(stores, apiId)
      const { rows, total } = await access.listCallingRoles([...counts.keys()], query, this.#now())
      return {
        rows: rows.map(({ id, name, users_count, tokens_count }) => ({
          id,
          name,
          endpoints_count: name === superAdminRole ? all : (counts.get(id) ?? 0),
          users_count: users_count ?? 0,
          tokens_count: tokens_count ?? 0,
        })),
        total,
      }
    })
  }

  tokens(
    apiId: number,
    query: ListQuery & { token_id?: number | undefined },
  ): Promise<Page<ApiToken>> {
    return this.#inTransaction(async (stores) => {
      const { access } = stores
      const { all, counts } = await holdersOf(stores, apiId)
      const { rows, total } = await access.listCallingTokens([...counts.keys()], query, this.#now())
      const userIds = [...new Set(rows.map(({ user_id }) => user_id))]
      const callable = await access.countCallableOfApi(apiId, userIds)
      const countOf = new Map(callable.map((each) => [each.user_id, each.endpoints_count]))
      const rolesOf = Map.groupBy(await access.rolesOfUsers(userIds), ({ user_id }) => user_id)
      const shown: ApiToken[] = []
      for (const { user_id, user_name, limits, ...token } of rows) {
        const own = (rolesOf.get(user_id) ?? []).filter((role) => isCalling(role, counts))
        const isAll = own.some(({ name }) => name === superAdminRole)
        const mayCall = isAll ? all : (countOf.get(user_id) ?? 0)
        shown.push({
          ...token,
          user: { id: user_id, name: user_name },
          roles: own.map(({ id, name }) => ({ id, name })),
          endpoints_count:
            limits === null
              ? mayCall
              : await countWithin(stores, apiId, isAll ? undefined : own, readLimits(limits)),
        })
      }
      return { rows: shown, total }
    })
  }

  endpoints(
    apiId: number,
    query: ListQuery & { role_id?: number | undefined; token_id?: number | undefined },
  ): Promise<Page<CallableEndpoint>> {
    return this.#inTransaction(async (stores) => {
      await refuseUnknown(stores, apiId)
      const { access } = stores
      const roleIds = await rolesWanted(stores, query)
      const limits = await limitsOf(stores, query.token_id)
      const { rows, total } = await access.listCallable(apiId, { roleIds, limits }, query)
      const holders = await access.rolesOfEndpoints(rows.map(({ id }) => id))
      const rolesOf = Map.groupBy(holders, ({ endpoint_id }) => endpoint_id)
      return {
        rows: rows.map((row) => {
          const roles = (rolesOf.get(row.id) ?? []).map(({ id, name }) => ({ id, name }))
          return {
            ...toAccessEndpoint(row),
            is_guarded: row.authentication === 1 || row.api_authentication === 1,
            roles: roles.slice(0, shownRoles),
            roles_count: roles.length,
          }
        }),
        total,
      }
    })
  }

  #now = () => this.#clock.now().toISOString()
}

/** How many endpoints of the API a limited token opens. */
async function countWithin(
  { access }: Stores,
  apiId: number,
  roles: readonly RoleOption[] | undefined,
  limits: TokenLimits,
): Promise<number> {
  const roleIds = roles?.map(({ id }) => id)
  const none = { page: 1, limit: 1, search: '', sort: undefined }
  return (await access.listCallable(apiId, { roleIds, limits }, none)).total
}

async function limitsOf({ tokens }: Stores, id: number | undefined): Promise<TokenLimits> {
  const token = id === undefined ? undefined : await tokens.find(id)
  return readLimits(token?.limits ?? null)
}

/** How many endpoints the API has, and how many of them each role holds. */
async function holdersOf(stores: Stores, apiId: number) {
  await refuseUnknown(stores, apiId)
  const holders = await stores.access.listHoldersOfApi(apiId)
  return {
    all: await stores.access.countEndpointsOfApi(apiId),
    counts: new Map(holders.map(({ role_id, endpoints_count }) => [role_id, endpoints_count])),
  }
}

async function refuseUnknown({ apis }: Stores, apiId: number): Promise<void> {
  if (!(await apis.find(apiId))) throw new AppError('api.not_found')
}

const isCalling = ({ id, name }: RoleOption, counts: ReadonlyMap<number, number>) =>
  name === superAdminRole || counts.has(id)

/** The roles whose endpoints are wanted; undefined: every endpoint. */
async function rolesWanted(
  stores: Stores,
  { role_id, token_id }: { role_id?: number | undefined; token_id?: number | undefined },
): Promise<number[] | undefined> {
  if (role_id === undefined && token_id === undefined) return undefined
  const roles: RoleOption[] =
    token_id === undefined ? [] : await stores.access.rolesOfToken(token_id)
  if (role_id !== undefined) {
    const role = await stores.roles.find(role_id)
    if (!role) throw new AppError('role.not_found')
    roles.push(role)
  }
  return roles.some(({ name }) => name === superAdminRole) ? undefined : roles.map(({ id }) => id)
}
