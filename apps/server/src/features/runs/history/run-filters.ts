import type { RunKind, RunState, RunWork } from '@gatehouse/contract'
import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely'
import type { Db } from '../../../db/connect.ts'
import { withoutIndex } from '../../../db/dialect.ts'
import { indexedIfFew } from '../../../db/search/search.ts'
import { carriesOfRegister } from '../../../db/lists/registers.ts'
import { endOfRange, startOfRange, type ListQuery } from '../../../db/listing.ts'

export interface RunFilter extends ListQuery {
  kind?: RunKind | '' | undefined
  state?: RunState | '' | undefined
  test?: '0' | '1' | '' | undefined
  from?: string | undefined
  to?: string | undefined
  endpoint?: number | undefined
  workflow?: number | undefined
  work?: RunWork | '' | undefined
  /** `1`: healing still looks after it. */
  healing?: '0' | '1' | '' | undefined
  reference: string
  register?: string | undefined
  user: string
  key: string
}

/** With fewer steps than this, an endpoint's runs are looked up by its steps; the same for a register. */
const fewSteps = 10_000

/** The conditions of a filter; each that finds few runs has an index. */
export async function runFilters(db: Db, filter: RunFilter): Promise<Expression<SqlBool>[]> {
  const { kind, state, test, from, to, reference, user, key, work, endpoint, workflow } = filter
  const { healing, register } = filter
  const filters: Expression<SqlBool>[] = []
  const add = (condition: Expression<SqlBool>) => void filters.push(condition)
  if (kind) add(sql`${withoutIndex(db, 'run.kind')} = ${kind}`)
  if (workflow) add(await ofWorkflow(db, workflow, filter))
  if (state && workflow) add(sql`run.state = ${state}`)
  else if (state) add(sql`${stateColumn(db, state)} = ${state}`)
  if (test) add(sql`${testColumn(db, test)} = ${Number(test)}`)
  if (from) add(sql`run.created_at >= ${startOfRange(from)}`)
  if (to) add(sql`run.created_at <= ${endOfRange(to)}`)
  if (key) add(sql`run.client_key = ${key}`)
  if (reference) add(await beginsWith(db, 'reference', reference))
  if (/^\d{1,15}$/.test(user)) add(sql`run.user_id = ${Number(user)}`)
  else if (user) add(await beginsWith(db, 'user_name', user))
  if (work === 'closed') add(sql`run.closed_at is not null`)
  if (work === 'overtaken') add(sql`run.overtaken_by is not null`)
  if (work === 'open' || work === 'unclear') {
    // In the words of its index; `in` would make SQLite use that of the states.
    add(
      sql`run.state not in ('running', 'succeeded', 'queued', 'pending', 'cancelled') and run.overtaken_by is null and run.closed_at is null`,
    )
  }
  // Its row of the index is left out here: nothing went wrong.
  if (work === 'open' || work === 'unclear') add(sql`run.state <> 'waits_for_release'`)
  if (work === 'unclear') add(sql`${withoutIndex(db, 'run.state')} not in ('rejected', 'partial')`)
  if (endpoint) add(await callsEndpoint(db, endpoint))
  if (healing) add(isHealed(healing))
  if (register) add(await carriesDocumentOf(db, register))
  return filters
}

/** Rows that were given up, or that nothing can be done about, are of no use to it. */
const isHealed = (healing: '0' | '1') =>
  sql<SqlBool>`${sql.raw(healing === '1' ? 'exists' : 'not exists')} (
    select 1 from healing_step where healing_step.run_id = run.id
      and healing_step.next_at is not null and healing_step.plan in ('ask', 'repeat'))`

/** Most runs succeed, and are real. */
const stateColumn = (db: Db, state: string) =>
  state === 'succeeded' ? withoutIndex(db, 'run.state') : sql.ref('run.state')
const testColumn = (db: Db, test: '0' | '1') =>
  test === '0' ? withoutIndex(db, 'run.is_test') : sql.ref('run.is_test')

/**
 * By an index of the workflow, which finds its runs of one state too. Beside a filter that may find fewer
 * runs, the index of a workflow with many runs is not used.
 */
async function ofWorkflow(db: Db, workflow: number, filter: RunFilter) {
  const { work, test, reference, user, key, endpoint } = filter
  const of = (column: RawBuilder<unknown>) => sql<SqlBool>`${column} = ${workflow}`
  return work || test === '1' || reference || user || key || endpoint
    ? indexedIfFew(db, 'run', 'workflow_id', of)
    : of(sql.ref('run.workflow_id'))
}

/** A range, so that an index can be used. Case-sensitive. */
const beginsWith = (db: Db, column: 'reference' | 'user_name', text: string) =>
  indexedIfFew(
    db,
    'run',
    column,
    (name) => sql`${name} >= ${text} and ${name} < ${`${text}\u{10FFFF}`}`,
  )

/** By the steps of the endpoint, or run by run where they are many. */
async function callsEndpoint(db: Db, endpoint: number): Promise<Expression<SqlBool>> {
  const steps = db.selectFrom('run_step').where('endpoint_id', '=', endpoint)
  const further = await steps.select('run_id').limit(1).offset(fewSteps).executeTakeFirst()
  return further === undefined
    ? sql`run.id in ${steps.select('run_id')}`
    : sql`exists (select 1 from run_step
        where ${withoutIndex(db, 'run_step.endpoint_id')} = ${endpoint} and run_step.run_id = run.id)`
}

/** By the documents of the register, or run by run where they are many. */
async function carriesDocumentOf(db: Db, register: string): Promise<Expression<SqlBool>> {
  const documents = db.selectFrom('document').where('register', '=', register)
  const further = await documents.select('id').limit(1).offset(fewSteps).executeTakeFirst()
  return further === undefined
    ? sql`run.id in (select link.run_id from document
        join document_step as link on link.document_id = document.id where document.register = ${register})`
    : carriesOfRegister(db, sql.ref('run.id'), register)
}
