import { AppError } from '../../kernel/app-error.ts'
import { can, type Caller } from '../../kernel/caller.ts'
import type { Stores } from '../../stores.ts'

type Use = Awaited<ReturnType<Stores['workflows']['listUsing']>>[number]

/** A refusal names at most this many workflows. */
const namedMax = 20

/**
 * Throws a 409 where workflows call the endpoint: their runs would be blocked. It names them to users who
 * may view workflows.
 */
export async function refuseUsed(
  { workflows }: Stores,
  endpointId: number,
  caller: Caller,
): Promise<void> {
  const uses = await workflows.listUsing(endpointId)
  if (uses.length === 0) return
  if (!can(caller, 'workflow.view')) throw new AppError('endpoint.in_workflow')
  const named = uses.slice(0, namedMax)
  throw new AppError('endpoint.in_workflow', {
    message: sentences(uses).join(' '),
    extra: {
      workflows: named.map(({ id, slug, name }) => ({ id, slug, name })),
      count: uses.length,
    },
  })
}

function sentences(uses: readonly Use[]): string[] {
  const current = uses.filter(({ version }) => version === null)
  const earlier = uses.filter(({ version }) => version !== null)
  const said: string[] = []
  if (current.length === 1)
    said.push(`The workflow ${listed(current)} calls this endpoint. Change it or delete it first.`)
  if (current.length > 1)
    said.push(`The workflows ${listed(current)} call this endpoint. Change or delete them first.`)
  if (earlier.length > 0)
    said.push(
      `Runs of an earlier version are still to call it, of ${listed(earlier)}: wait until they have ended.`,
    )
  return said
}

function listed(uses: readonly Use[]): string {
  const names = uses
    .slice(0, namedMax)
    .map(({ name, version }) => (version === null ? `“${name}”` : `“${name}” (version ${version})`))
  const rest = uses.length - names.length
  return rest > 0 ? `${names.join(', ')} and ${rest} more` : names.join(', ')
}
