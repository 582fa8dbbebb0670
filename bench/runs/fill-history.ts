import { randomUUID } from 'node:crypto'
import type { DocumentState, RunState } from '@gatehouse/contract'
import { sql } from 'kysely'
import { connect, type DatabaseSource, type Db } from '../../apps/server/src/db/connect.ts'
import type { NewRow } from '../../apps/server/src/db/tables.ts'
import { bodyOf } from './bench-upstream.ts'
import { attemptsOf, endpointNames, planRun } from './planned-run.ts'

/** So many runs go into one transaction. */
const batch = 500
/** Puts so many runs of two years into the ledger, with their steps and attempts, oldest first. */
export async function fillHistory(
  source: DatabaseSource,
  runs: number,
  endpoints: readonly number[],
): Promise<void> {
  const db = connect(source)
  try {
    for (let first = 0; first < runs; first += batch) {
      const numbers = Array.from({ length: Math.min(batch, runs - first) }, (_, at) => first + at)
      await db
        .transaction()
        .execute((transaction) => insertRuns(transaction, numbers, runs, endpoints))
    }
    if (source.kind === 'postgres') {
      // As autovacuum leaves it within a minute; and what was written must not be what is measured.
      await sql`vacuum analyze`.execute(db)
      await sql`checkpoint`.execute(db)
    }
  } finally {
    await db.destroy()
  }
}

async function insertRuns(
  db: Db,
  numbers: readonly number[],
  runs: number,
  endpoints: readonly number[],
): Promise<void> {
  const planned = numbers.map((number) => planRun(number, runs))
  const runIds = await db
    .insertInto('run')
    .values(planned.map(({ run }) => run))
    .returning('id')
    .execute()
  const steps: NewRow<'run_step'>[] = planned.flatMap(({ run, states }, index) =>
    states.map((state, at) => ({
      run_id: runIds[index]?.id ?? 0,
      position: at + 1,
      endpoint_id: endpoints[at] ?? 0,
      endpoint_name: endpointNames[at] ?? '',
      effect: 'submit',
      state,
      uuid: randomUUID(),
      method: 'POST',
      url: `http://127.0.0.1:9/${at}`,
      headers: '{"content-type":"application/json","accept":"application/json"}',
      body: bodyOf(run.reference ?? ''),
      // Typed as it was sent: kept once.
      source_body: null,
      frozen_at: run.created_at,
    })),
  )
  const stepIds: { id: number }[] = []
  for (let from = 0; from < steps.length; from += batch) {
    const some = db.insertInto('run_step').values(steps.slice(from, from + batch))
    stepIds.push(...(await some.returning('id').execute()))
  }
  const attempts = steps.flatMap((step, index) => attemptsOf(step, stepIds[index]?.id ?? 0, index))
  for (let from = 0; from < attempts.length; from += batch)
    await db
      .insertInto('run_attempt')
      .values(attempts.slice(from, from + batch))
      .execute()
  await insertDocuments(
    db,
    planned.map(({ run }, index) => ({ ...run, id: runIds[index]?.id ?? 0 })),
  )
}

const documentStateOf = {
  succeeded: 'accepted',
  rejected: 'not_accepted',
  blocked: 'open',
  stopped: 'open',
  not_started: 'open',
  unknown: 'unknown',
  running: 'sending',
  queued: 'open',
  pending: 'sending',
  partial: 'accepted',
  cancelled: 'open',
  waits_for_release: 'open',
} as const satisfies Record<RunState, DocumentState>

/** The document of each run that has a reference, carried by its first step. */
async function insertDocuments(
  db: Db,
  runs: readonly (NewRow<'run'> & { id: number })[],
): Promise<void> {
  const carriers = runs.filter(({ reference }) => reference)
  if (carriers.length === 0) return
  const documents = await db
    .insertInto('document')
    .values(
      carriers.map((run) => ({
        kind: run.kind === 'credit' ? ('credit' as const) : ('tax' as const),
        is_test: run.is_test,
        register: 'default',
        reference: run.reference ?? '',
        reference_key: run.reference ?? '',
        state: documentStateOf[run.state],
        run_id: run.id,
        original_reference: run.kind === 'credit' ? run.reference?.replace('CRN', 'INV') : null,
        authority_reference: run.state === 'succeeded' ? `AUT-${run.request_id}` : null,
        created_at: run.created_at,
        updated_at: run.created_at,
      })),
    )
    .returning('id')
    .execute()
  await db
    .insertInto('document_step')
    .values(
      carriers.map((run, index) => ({
        document_id: documents[index]?.id ?? 0,
        run_id: run.id,
        position: 1,
        state: documentStateOf[run.state],
      })),
    )
    .execute()
}
