import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Db } from '../connect.ts'
import { withoutIndex } from '../dialect.ts'

/** True for a run that carries a document of the register; `runId` is its id in the query around. */
export const carriesOfRegister = (
  db: Db,
  runId: RawBuilder<unknown>,
  register: string,
): RawBuilder<SqlBool> =>
  sql<SqlBool>`exists (select 1 from document_step as link join document on document.id = link.document_id
    where link.run_id = ${runId} and ${withoutIndex(db, 'document.register')} = ${register})`

/** The registers of the documents that these runs carry, by run, in the order of the steps. */
export async function registersOfRuns(
  db: Db,
  runIds: readonly number[],
): Promise<Map<number, string[]>> {
  const found = new Map<number, string[]>()
  if (runIds.length === 0) return found
  const rows = await db
    .selectFrom('document_step')
    .innerJoin('document', 'document.id', 'document_step.document_id')
    .select(['document_step.run_id', 'document.register'])
    .select(({ fn }) => fn.min('document_step.position').as('position'))
    .where('document_step.run_id', 'in', runIds)
    .groupBy(['document_step.run_id', 'document.register'])
    .orderBy('position')
    .orderBy('document.register')
    .execute()
  for (const { run_id, register } of rows)
    found.set(run_id, [...(found.get(run_id) ?? []), register])
  return found
}
