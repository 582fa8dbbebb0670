import { createHash } from 'node:crypto'
import type { Db } from '../../src/db/connect.ts'
import type { NewRow } from '../../src/db/tables.ts'

interface RunChoice {
  /** When it was made and when it ended; `finished_at` may be set apart. */
  at: Date
  count?: number
  effect?: 'read' | 'submit'
  run?: Partial<NewRow<'run'>>
  step?: Partial<NewRow<'run_step'>>
  attempt?: Partial<NewRow<'run_attempt'>>
  /** What their bodies hold beside their number. */
  paddingOf?: (n: number) => string
}

const rowsAtOnce = 200

/** Adds runs of one step as the ledger has them once they ended; returns their ids in order. */
export async function addEndedRuns(db: Db, choice: RunChoice): Promise<number[]> {
  const { count = 1 } = choice
  const ids: number[] = []
  for (let done = 0; done < count; done += rowsAtOnce)
    ids.push(...(await addSome(db, choice, Math.min(rowsAtOnce, count - done), done)))
  return ids
}

async function addSome(db: Db, choice: RunChoice, count: number, from: number): Promise<number[]> {
  const at = choice.at.toISOString()
  const numbers = Array.from({ length: count }, (_, index) => from + index)
  const runs = await db
    .insertInto('run')
    .values(numbers.map((n) => runOf(choice, at, n)))
    .returning('id')
    .execute()
  const ids = runs.map(({ id }) => id).toSorted((a, b) => a - b)
  const steps = await db
    .insertInto('run_step')
    .values(ids.map((id, index) => stepOf(choice, { id, at, n: numbers[index] ?? 0 })))
    .returning(['id', 'run_id'])
    .execute()
  await db
    .insertInto('run_attempt')
    .values(steps.map(({ id, run_id }) => attemptOf(choice, { id, at, n: run_id })))
    .execute()
  return ids
}

/** Lines of an invoice, each with a number of its own: they compress as real ones do. */
export function invoiceText(n: number): string {
  const numbers = createHash('sha512').update(String(n)).digest('hex').match(/.{8}/g) ?? []
  const lines = numbers.map((each) => ({ item: each, amount: Number.parseInt(each, 16) / 100 }))
  return JSON.stringify(lines)
}

const none = () => ''
const hash = (text: string) => createHash('sha256').update(text).digest('hex')

const runOf = ({ run }: RunChoice, at: string, n: number): NewRow<'run'> => ({
  kind: 'tax',
  state: 'succeeded',
  is_test: 0,
  content_sha256: hash(`${at} ${n}`),
  reference: `INV-${n}`,
  user_id: 5,
  user_name: 'Somebody',
  request_id: `request-${n}`,
  created_at: at,
  finished_at: at,
  ...run,
})

interface Place {
  id: number
  at: string
  n: number
}

function stepOf({ effect = 'submit', step, paddingOf = none }: RunChoice, { id, at, n }: Place) {
  const body = JSON.stringify({ number: `INV-${n}`, of: id, text: `„${paddingOf(n)}“ 税` })
  return {
    run_id: id,
    position: 1,
    endpoint_id: 1,
    endpoint_name: 'Invoices',
    effect,
    state: 'succeeded',
    uuid: hash(`uuid ${id}`).slice(0, 36),
    method: 'POST',
    url: `https://authority.example/invoices/${n}`,
    headers: JSON.stringify({ 'content-type': 'application/json', 'x-number': String(n) }),
    body,
    frozen_at: at,
    ...step,
  } satisfies NewRow<'run_step'>
}

function attemptOf({ attempt, paddingOf = none }: RunChoice, { id, at, n }: Place) {
  const answer = `{"accepted":true,"run":${n},"said":"${paddingOf(n)}\\n☃ line ${id}"}`
  return {
    step_id: id,
    number: 1,
    owner: 'test-server',
    started_at: at,
    finished_at: at,
    outcome: 'ok',
    status: 200,
    answer_headers: JSON.stringify({ 'content-type': 'application/json', date: at }),
    answer_body: answer,
    answer_bytes: Buffer.byteLength(answer),
    duration_ms: 12,
    ...attempt,
  } satisfies NewRow<'run_attempt'>
}

/** All that the ledger holds of runs: equal before the archive and after runs were brought back. */
export async function ledgerOf(db: Db, ids?: readonly number[]) {
  const only = <T extends { run_id: number }>(rows: T[]) =>
    ids ? rows.filter(({ run_id }) => ids.includes(run_id)) : rows
  const steps = only(await db.selectFrom('run_step').selectAll().orderBy('id').execute())
  const attempts = await db.selectFrom('run_attempt').selectAll().orderBy('id').execute()
  const own = new Set(steps.map(({ id }) => id))
  const runs = await db.selectFrom('run').selectAll().orderBy('id').execute()
  return {
    runs: ids ? runs.filter(({ id }) => ids.includes(id)) : runs,
    inputs: only(await db.selectFrom('run_input').selectAll().orderBy('run_id').execute()),
    steps,
    attempts: attempts.filter(({ step_id }) => own.has(step_id)),
  }
}
