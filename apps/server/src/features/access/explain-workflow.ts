import { superAdminRole, type RoleOption, type WorkflowVerdict } from '@gatehouse/contract'
import type { Stores } from '../../stores.ts'

/** Who asks to run a workflow: what a user, a role or a token has. */
interface Runner {
  roleIds: readonly number[]
  /** False for a token, and for a user without a password. */
  canSignIn: boolean
}

/** What decides about workflows, read once. */
interface WorkflowGrants {
  /** The roles that hold a workflow, by its id. */
  holders: ReadonlyMap<number, RoleOption[]>
  /** The roles whose members may run every workflow when they are signed in. */
  runners: readonly RoleOption[]
}

export async function readWorkflowGrants({ workflowAccess }: Stores): Promise<WorkflowGrants> {
  const grants = await workflowAccess.listGrants()
  const byWorkflow = Map.groupBy(grants, ({ workflow_id }) => workflow_id)
  const holders = new Map(
    [...byWorkflow].map(([id, rows]) => [id, rows.map((row) => ({ id: row.id, name: row.name }))]),
  )
  return { holders, runners: await workflowAccess.listRolesWith('workflow.run') }
}

type Verdict = Omit<WorkflowVerdict, 'workflow'>

/**
 * Whether a workflow may be run, by a token or by a person who is signed in, and why
 * (spec: machine-calls).
 */
export function workflowVerdictFor(
  { roleIds, canSignIn }: Runner,
  workflowId: number,
  { holders, runners }: WorkflowGrants,
  roleNames: ReadonlyMap<number, string>,
): Verdict {
  const ofRunner = (roles: readonly RoleOption[]) => roles.filter(({ id }) => roleIds.includes(id))
  const grants = ofRunner(holders.get(workflowId) ?? [])
  if (roleIds.some((id) => roleNames.get(id) === superAdminRole)) {
    const reason = 'Super Admin may run every workflow.'
    return { allowed: true, reason, grants, with_token: true, signed_in: canSignIn }
  }
  const permitted = canSignIn ? ofRunner(runners) : []
  const ways = { with_token: grants.length > 0, signed_in: permitted.length > 0 }
  return { allowed: ways.with_token || ways.signed_in, ...ways, grants, reason: wordsFor() }

  function wordsFor(): string {
    const byToken = `With a token: granted by ${namesOf(grants)}.`
    const bySession = `Signed in: permission workflow.run of ${namesOf(permitted)}.`
    if (ways.with_token) return ways.signed_in ? `${byToken} ${bySession}` : byToken
    if (ways.signed_in) return `${bySession} Not with a token: no role holds this workflow.`
    return roleIds.length === 0 ? 'They have no role.' : 'None of the roles holds this workflow.'
  }
}

const namesOf = (roles: readonly RoleOption[]) => roles.map(({ name }) => name).join(', ')
