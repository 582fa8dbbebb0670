import {
  superAdminRole,
  type CallerVerdict,
  type EndpointVerdict,
  type explainSubjects,
  type RoleOption,
} from '@gatehouse/contract'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { InTransaction, Stores } from '../../stores.ts'
import { toAccessEndpoint } from './access-service.ts'

type Subject = (typeof explainSubjects)[number]

/** Answers "who can call this?" and "what can they call?", each with the grant that decides it. */
export class AccessExplainer {
  readonly #inTransaction: InTransaction
  readonly #clock: Clock

  constructor(inTransaction: InTransaction, clock: Clock) {
    this.#inTransaction = inTransaction
    this.#clock = clock
  }

  /** All users, with what allows or denies them this endpoint. */
  whoCanCall(endpointId: number): Promise<{ is_guarded: boolean; callers: CallerVerdict[] }> {
    return this.#inTransaction(async (stores) => {
      const guard = await stores.access.findGuard(endpointId)
      if (!guard) throw new AppError('endpoint.not_found')
      const holders = await holdersOf(stores, endpointId)
      const people = Map.groupBy(await stores.access.listMemberships(), ({ id }) => id)
      const roleNames = await namesOfRoles(stores)
      const callers = [...people.values()].map((rows): CallerVerdict => {
        const { id, name, email } = rows[0]!
        const roleIds = rows.flatMap(({ role_id }) => (role_id === null ? [] : [role_id]))
        return { user: { id, name, email }, ...verdictFor(roleIds, holders, roleNames) }
      })
      return { is_guarded: guard.authentication === 1 || guard.api_authentication === 1, callers }
    })
  }

  /** Every endpoint, with what allows or denies it to this user, role or token. */
  whatCanBeCalled(
    subject: Subject,
    id: number,
  ): Promise<{ name: string; endpoints: EndpointVerdict[] }> {
    return this.#inTransaction(async (stores) => {
      const { name, roleIds, refusal } = await this.#subject(stores, subject, id)
      const grants = Map.groupBy(await stores.access.listGrants(), ({ endpoint_id }) => endpoint_id)
      const roleNames = await namesOfRoles(stores)
      const endpoints = (await stores.access.listEndpoints()).map((endpoint): EndpointVerdict => {
        const holders = (grants.get(endpoint.id) ?? []).map((grant) => ({
          id: grant.id,
          name: grant.name,
        }))
        const verdict = verdictFor(roleIds, holders, roleNames)
        return {
          endpoint: toAccessEndpoint(endpoint),
          ...verdict,
          ...(refusal ? { allowed: false, reason: refusal } : {}),
        }
      })
      return { name, endpoints }
    })
  }

  async #subject(stores: Stores, subject: Subject, id: number) {
    if (subject === 'role') {
      const role = await stores.roles.find(id)
      if (!role) throw new AppError('role.not_found')
      return { name: role.name, roleIds: [role.id], refusal: undefined }
    }
    const token = subject === 'token' ? await stores.tokens.find(id) : undefined
    if (subject === 'token' && !token) throw new AppError('token.not_found')
    const user = await stores.users.findWithRoles(token?.user_id ?? id)
    if (!user) throw new AppError('user.not_found')
    return {
      name: token?.name ?? user.name,
      roleIds: user.roles.map((role) => role.id),
      refusal: token && this.#tokenRefusal(token),
    }
  }

  #tokenRefusal(token: { revoked_at: string | null; expires_at: string }): string | undefined {
    if (token.revoked_at !== null) return 'The token is revoked.'
    return token.expires_at <= this.#clock.now().toISOString()
      ? 'The token has expired.'
      : undefined
  }
}

async function holdersOf(stores: Stores, endpointId: number): Promise<RoleOption[]> {
  const grants = await stores.access.listGrants()
  return grants
    .filter((grant) => grant.endpoint_id === endpointId)
    .map(({ id, name }) => ({ id, name }))
}

async function namesOfRoles({ roles }: Stores): Promise<Map<number, string>> {
  return new Map((await roles.listWithPermissions()).map(({ id, name }) => [id, name]))
}

function verdictFor(
  roleIds: readonly number[],
  holders: readonly RoleOption[],
  roleNames: Map<number, string>,
) {
  const grants = holders.filter(({ id }) => roleIds.includes(id))
  if (roleIds.some((id) => roleNames.get(id) === superAdminRole)) {
    return { allowed: true, reason: 'Super Admin may call every endpoint.', grants }
  }
  if (grants.length === 0) {
    const reason =
      roleIds.length === 0 ? 'They have no role.' : 'None of the roles holds this endpoint.'
    return { allowed: false, reason, grants }
  }
  return {
    allowed: true,
    reason: `Granted by ${grants.map(({ name }) => name).join(', ')}.`,
    grants,
  }
}
