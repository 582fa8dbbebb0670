import type { Db } from '../../src/db/connect.ts'
import type { NewRow } from '../../src/db/tables.ts'

const at = '2026-06-01T08:00:00.000Z'

/** A workflow with a lane of its own, as rows; returns its id. */
export async function addWorkflow(
  db: Db,
  slug: string,
  overrides: Partial<NewRow<'workflow'>> = {},
): Promise<number> {
  const { id: lane_id } = await db
    .insertInto('lane')
    .values({ name: slug, concurrency: 4, is_strict_order: 0 })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id } = await db
    .insertInto('workflow')
    .values({
      slug,
      name: slug,
      kind: 'tax',
      status: 'active',
      description: '',
      version: 1,
      lane_id,
      created_at: at,
      updated_at: at,
      ...overrides,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
