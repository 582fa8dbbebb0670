import {
  noTokenLimits,
  superAdminRole,
  type CallerVerdict,
  type EndpointPage,
  type EndpointVerdict,
  type explainSubjects,
  type AccessWorkflow,
  type RoleOption,
  type WorkflowCallerVerdict,
  type WorkflowVerdict,
} from '@gatehouse/contract'
import { AppError } from '../../kernel/app-error.ts'
import type { Caller } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { InTransaction, Stores } from '../../stores.ts'
import { readLimits } from '../../kernel/stored-limits.ts'
import { toAccessEndpoint } from './change-of-access.ts'
import { exceptTokens, limitedEndpoint, limitedWorkflow, takesEndpoint } from './explain-limits.ts'
import { refusalOf } from './explain-refusal.ts'
import { readWorkflowGrants, workflowVerdictFor } from './explain-workflow.ts'

type Subject = (typeof explainSubjects)[number]

/** Answers "who can call this?" and "what can they call?", each with the grant that decides it. */
export class AccessExplainer {
  readonly #inTransaction: InTransaction
  readonly #clock: Clock

  constructor(inTransaction: InTransaction, clock: Clock) {
    this.#inTransaction = inTransaction
    this.#clock = clock
  }

  /** Who may give what was refused. */
  refusal(question: Parameters<typeof refusalOf>[1], caller: Caller) {
    return this.#inTransaction((stores) => refusalOf(stores, question, caller))
  }

  /** All users, with what allows or denies them this endpoint. */
  whoCanCall(endpointId: number): Promise<{ is_guarded: boolean; callers: CallerVerdict[] }> {
    return this.#inTransaction(async (stores) => {
      const guard = await stores.access.findGuard(endpointId)
      if (!guard) throw new AppError('endpoint.not_found')
      const holders = await holdersOf(stores, endpointId)
      const people = Map.groupBy(await stores.access.listMemberships(), ({ id }) => id)
      const roleNames = await namesOfRoles(stores)
      const limited = await stores.tokens.listLimited(this.#clock.now().toISOString())
      const except = exceptTokens(limited, (limits) =>
        takesEndpoint(limits, endpointId, guard.method_type),
      )
      const callers = [...people.values()].map((rows): CallerVerdict => {
        const { id, name, email } = rows[0]!
        const roleIds = rows.flatMap(({ role_id }) => (role_id === null ? [] : [role_id]))
        const verdict = verdictFor(roleIds, holders, roleNames)
        const reason = verdict.allowed ? verdict.reason + except(id) : verdict.reason
        return { user: { id, name, email }, ...verdict, reason }
      })
      return { is_guarded: guard.authentication === 1 || guard.api_authentication === 1, callers }
    })
  }

  /** All users, with what allows or denies them to run this workflow. */
  whoCanRun(
    workflowId: number,
  ): Promise<{ workflow: AccessWorkflow; callers: WorkflowCallerVerdict[] }> {
    return this.#inTransaction(async (stores) => {
      const workflow = await stores.workflowAccess.find(workflowId)
      if (!workflow) throw new AppError('workflow.not_found')
      const grants = await readWorkflowGrants(stores)
      const people = Map.groupBy(await stores.access.listMemberships(), ({ id }) => id)
      const roleNames = await namesOfRoles(stores)
      const limited = await stores.tokens.listLimited(this.#clock.now().toISOString())
      const except = exceptTokens(
        limited,
        (limits) => limitedWorkflow(limits, workflowId).allowed !== false,
      )
      const callers = [...people.values()].map((rows): WorkflowCallerVerdict => {
        const { id, name, email, can_sign_in } = rows[0]!
        const roleIds = rows.flatMap(({ role_id }) => (role_id === null ? [] : [role_id]))
        const runner = { roleIds, canSignIn: can_sign_in === 1 }
        const verdict = workflowVerdictFor(runner, workflowId, grants, roleNames)
        const reason = verdict.with_token ? verdict.reason + except(id) : verdict.reason
        return { user: { id, name, email }, ...verdict, reason }
      })
      return { workflow, callers }
    })
  }

  /** Every endpoint, or a page of them, and every workflow, with what allows or denies it to this user, role or token. */
  whatCanBeCalled(
    subject: Subject,
    id: number,
    page: EndpointPage,
  ): Promise<{
    name: string
    endpoints: EndpointVerdict[]
    endpoints_count: number
    workflows: WorkflowVerdict[]
  }> {
    return this.#inTransaction(async (stores) => {
      const { name, roleIds, refusal, canSignIn, limits } = await this.#subject(stores, subject, id)
      const held = await stores.access.listGrants(roleIds)
      const grants = Map.groupBy(held, ({ endpoint_id }) => endpoint_id)
      const roleNames = await namesOfRoles(stores)
      const endpoints = (await stores.access.pageOfEndpoints(undefined, page)).map(
        (endpoint): EndpointVerdict => {
          const holders = (grants.get(endpoint.id) ?? []).map((grant) => ({
            id: grant.id,
            name: grant.name,
          }))
          const verdict = verdictFor(roleIds, holders, roleNames)
          return {
            endpoint: toAccessEndpoint(endpoint),
            ...verdict,
            ...(verdict.allowed ? limitedEndpoint(limits, endpoint) : {}),
            ...(refusal ? { allowed: false, reason: refusal } : {}),
          }
        },
      )
      const workflowGrants = await readWorkflowGrants(stores)
      const runner = { roleIds, canSignIn }
      const refused = { allowed: false, with_token: false, signed_in: false, reason: refusal ?? '' }
      const workflows = (await stores.workflowAccess.list()).map((workflow) => ({
        workflow,
        ...workflowVerdictFor(runner, workflow.id, workflowGrants, roleNames),
        ...limitedWorkflow(limits, workflow.id),
        ...(refusal ? refused : {}),
      }))
      const endpoints_count = await stores.access.countEndpoints()
      return { name, endpoints, endpoints_count, workflows }
    })
  }

  async #subject(stores: Stores, subject: Subject, id: number) {
    if (subject === 'role') {
      const role = await stores.roles.find(id)
      if (!role) throw new AppError('role.not_found')
      return {
        name: role.name,
        roleIds: [role.id],
        refusal: undefined,
        limits: noTokenLimits,
        canSignIn: true,
      }
    }
    const token = subject === 'token' ? await stores.tokens.find(id) : undefined
    if (subject === 'token' && !token) throw new AppError('token.not_found')
    const user = await stores.users.findWithRoles(token?.user_id ?? id)
    if (!user) throw new AppError('user.not_found')
    return {
      name: token?.name ?? user.name,
      roleIds: user.roles.map((role) => role.id),
      refusal: token && this.#tokenRefusal(token),
      limits: readLimits(token?.limits ?? null),
      // A token signs nobody in.
      canSignIn: !token && user.password_hash !== null,
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
  const holders = await stores.access.rolesOfEndpoints([endpointId])
  return holders.map(({ id, name }) => ({ id, name }))
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
