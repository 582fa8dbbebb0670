import type { WorkflowDefinition } from '@gatehouse/contract'
import { parseExact } from '@gatehouse/contract/mapping'
import { can, type Caller } from '../../../kernel/caller.ts'
import type { Stores } from '../../../stores.ts'
import { storedLimits } from '../runs/stored-rules.ts'
import { describeWorkflow, type OpenApiParts } from './describe-workflow.ts'

/** More than these are not described: the document would be too long to be read. */
const describedMax = 500

/**
 * What the API reference says of workflows to one caller: those that the caller may see or run. Others
 * are left out, as if they did not exist.
 */
export async function referenceFor(
  { workflowRuns }: Pick<Stores, 'workflowRuns'>,
  caller: Caller,
): Promise<OpenApiParts> {
  const seesAll = can(caller, 'workflow.view') || can(caller, 'workflow.run')
  const roleIds = seesAll ? undefined : caller.user.roles.map(({ id }) => id)
  const rows = await workflowRuns.listDescribed(roleIds, describedMax)
  const parts: OpenApiParts = { paths: {}, schemas: {} }
  for (const { slug, version, definition } of rows) {
    const stored = parseExact(definition, storedLimits) as unknown as WorkflowDefinition
    const { paths, schemas } = describeWorkflow({ slug, version, definition: stored })
    Object.assign(parts.paths, paths)
    Object.assign(parts.schemas, schemas)
  }
  return parts
}
