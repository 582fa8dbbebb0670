import { createHash, randomUUID } from 'node:crypto'
import type { DocumentState, RunKind, RunState, StepState } from '@gatehouse/contract'
import { sql } from 'kysely'
import { connect, type DatabaseSource, type Db } from '../../apps/server/src/db/connect.ts'
import type { NewRow } from '../../apps/server/src/db/tables.ts'
import { bodyOf } from './bench-upstream.ts'

/** So many runs go into one transaction. */
const batch = 500
const days = 730
export const firstDay = Date.UTC(2024, 10, 22)
export const userNames = ['Amal Haddad', 'Bilal Nasser', 'Carla Gomez', 'Dana Saleh'].concat(
  Array.from({ length: 36 }, (_, index) => `Clerk ${String(index + 1).padStart(2, '0')}`),
)
const endpointNames = ['Report customer', 'Report invoice', 'Report payment', 'Report receipt']

/** How a run ended, how often in a thousand, and the state of the step that decided it. */
const endings: [RunState, number, StepState][] = [
  ['succeeded', 880, 'succeeded'],
  ['rejected', 60, 'rejected'],
  ['blocked', 20, 'blocked'],
  ['stopped', 15, 'waiting'],
  ['not_started', 15, 'waiting'],
  ['unknown', 10, 'unknown'],
]
const outcomeOf = {
  succeeded: ['ok', 200],
  rejected: ['rejected', 422],
  blocked: ['auth', 401],
  waiting: ['not_sent', null],
  unknown: ['timeout', null],
} as const

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

/** The idempotency key of a run, in no order, as keys are. */
export const keyOf = (number: number): string =>
  createHash('sha256').update(`key of ${number}`).digest('hex').slice(0, 32)

/** The same in every run of the bench, and as if thrown. */
function dice(number: number, salt: number, sides: number): number {
  let mixed = Math.imul(number + 1, 0x9e3779b1) ^ Math.imul(salt + 1, 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0xc2b2ae35)
  return ((mixed ^ (mixed >>> 13)) >>> 0) % sides
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
        reference: run.reference ?? '',
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

/** Puts so many events of one administrator a minute into the audit trail, oldest first. */
export async function fillAudit(source: DatabaseSource, events: number): Promise<void> {
  const db = connect(source)
  try {
    for (let first = 0; first < events; first += batch) {
      const numbers = Array.from({ length: Math.min(batch, events - first) }, (_, at) => first + at)
      await db
        .insertInto('audit_event')
        .values(numbers.map((number) => auditEvent(number, events)))
        .execute()
    }
    if (source.kind === 'postgres') await sql`vacuum analyze audit_event`.execute(db)
  } finally {
    await db.destroy()
  }
}

const auditActions = ['session.login', 'api.update', 'endpoint.update', 'user.create'] as const

function auditEvent(number: number, events: number): NewRow<'audit_event'> {
  const action = auditActions[dice(number, 10, auditActions.length)] ?? 'session.login'
  return {
    at: new Date(firstDay + Math.floor((number / events) * days * 86_400_000)).toISOString(),
    actor_id: 1,
    actor: userNames[dice(number, 11, userNames.length)] ?? '',
    address: `10.0.${dice(number, 12, 256)}.${dice(number, 13, 256)}`,
    request_id: randomUUID(),
    action,
    outcome: 'done',
    thing: 'api',
    thing_id: 1 + dice(number, 14, 500),
    thing_name: `Thing ${dice(number, 14, 500)}`,
    before: null,
    after: `{"name":"Thing ${number}","status":"active"}`,
  }
}

function planRun(number: number, runs: number) {
  const kind: RunKind =
    (['build', 'build', 'build', 'tax', 'tax', 'tax', 'tax', 'tax', 'credit', 'credit'] as const)[
      dice(number, 1, 10)
    ] ?? 'tax'
  const [state, , decisive] = endingOf(dice(number, 2, 1000))
  const length = kind === 'build' ? 1 : 1 + dice(number, 3, kind === 'tax' ? 4 : 3)
  const stopsAt = state === 'stopped' ? Math.min(1, length - 1) : dice(number, 4, length)
  const states = Array.from({ length }, (_, at): StepState => {
    if (state === 'succeeded' || at < stopsAt) return 'succeeded'
    return at === stopsAt ? decisive : 'waiting'
  })
  // A few use it much, many a little.
  const user = Math.min(dice(number, 5, userNames.length), dice(number, 6, userNames.length))
  const at = new Date(firstDay + Math.floor((number / runs) * days * 86_400_000)).toISOString()
  const reference =
    kind === 'build'
      ? null
      : `${kind === 'tax' ? 'INV' : 'CRN'}-${at.slice(0, 4)}-${String(number).padStart(6, '0')}`
  const request_id = randomUUID()
  const key = keyOf(number)
  const user_name = userNames[user] ?? ''
  const run: NewRow<'run'> = {
    kind,
    state,
    is_test: dice(number, 7, 100) < 6 ? 1 : 0,
    idempotency_key: `${kind}:${user + 1}:${key}`,
    client_key: key,
    content_sha256: createHash('sha256').update(key).digest('hex'),
    reference,
    user_id: user + 1,
    user_name,
    request_id,
    created_at: at,
    finished_at: at,
    epoch: 1,
    unknown_since: state === 'unknown' ? at : null,
    search_text: [reference ?? '', user_name, request_id, ...endpointNames.slice(0, length)]
      .join(' ')
      .trim()
      .toLowerCase(),
  }
  return { run, states }
}

function endingOf(thrown: number): (typeof endings)[number] {
  let sum = 0
  return endings.find(([, share]) => thrown < (sum += share)) ?? ['succeeded', 0, 'succeeded']
}

/** A step that went wrong may have been tried before. */
function attemptsOf(
  step: NewRow<'run_step'>,
  step_id: number,
  salt: number,
): NewRow<'run_attempt'>[] {
  const isLater = step.state === 'waiting' && dice(salt, 8, 2) === 0
  if (isLater || step.state === 'sending' || step.state === 'would_send') return []
  const [outcome, status] = outcomeOf[step.state]
  const tries = dice(salt, 9, 20) === 0 ? 2 : 1
  return Array.from({ length: tries }, (_, index) => ({
    step_id,
    number: index + 1,
    kind: 'send',
    owner: 'bench',
    started_at: step.frozen_at ?? '',
    finished_at: step.frozen_at ?? '',
    outcome: index + 1 < tries ? ('not_sent' as const) : outcome,
    status: index + 1 < tries ? null : status,
    duration_ms: 120,
    answer_headers: '{"content-type":"application/json"}',
    answer_body: `{"id":${step_id},"status":"${outcome}","qr":"${'Q'.repeat(300)}"}`,
    answer_bytes: 350,
    user_id: 1,
    user_name: userNames[0] ?? '',
    url: step.url,
  }))
}
