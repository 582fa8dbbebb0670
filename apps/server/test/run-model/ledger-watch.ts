import type { RunState, StepState } from '@gatehouse/contract'
import { sql } from 'kysely'
import type { Db } from '../../src/db/connect.ts'
import { referenceOf, type Authority } from './scripted-authority.ts'

/** What docs/runs.md lets a step become; the database itself keeps what it became. */
const allowed: Record<StepState, readonly StepState[]> = {
  // Succeeded: an acceptance of an earlier attempt arrived late. Unknown: such an answer contradicts a person.
  waiting: ['sending', 'blocked', 'succeeded', 'unknown'],
  sending: ['succeeded', 'rejected', 'blocked', 'unknown', 'waiting', 'pending'],
  // Rejected: the status query says so, by a number of the authority's own. Pending: by a late answer.
  unknown: ['sending', 'succeeded', 'waiting', 'rejected', 'pending'],
  blocked: ['sending', 'succeeded', 'waiting'],
  succeeded: [],
  rejected: [],
  would_send: [],
  skipped: [],
  pending: ['succeeded', 'rejected', 'unknown'],
  partial: [],
}

/** Watches each change of the ledger, by triggers, and says what must not have happened. SQLite. */
export async function watchLedger(db: Db, authority: Authority) {
  const run = (text: string) => sql.raw(text).execute(db)
  await run('create temp table seen (what text, id integer, was text, is_now text)')
  for (const table of ['run', 'run_step'])
    await run(
      `create temp trigger seen_${table} after update of state on main.${table} when old.state <> new.state
       begin insert into seen values ('${table}', new.id, old.state, new.state); end`,
    )
  await run(
    `create temp trigger seen_insert after insert on main.run
     begin insert into seen values ('run', new.id, 'none', new.state); end`,
  )
  // An attempt is completed once, and never touched again.
  await run(
    `create temp trigger seen_attempt after update on main.run_attempt
     when old.finished_at is not null or old.number <> new.number or old.kind <> new.kind
       or old.step_id <> new.step_id or old.started_at <> new.started_at
     begin insert into seen values ('attempt', new.id, 'finished', 'changed'); end`,
  )
  for (const table of ['run_attempt', 'run_step', 'run'])
    await run(
      `create temp trigger seen_gone_${table} after delete on main.${table}
       begin insert into seen values ('${table}', old.id, old.id, 'gone'); end`,
    )
  // What was sent stays what it was.
  await run(
    `create temp trigger seen_frozen after update of body, url, method, headers, uuid on main.run_step
     when exists (select 1 from run_attempt where step_id = new.id and outcome is not null
       and outcome not in ('not_sent')) and (old.body is not new.body or old.url <> new.url or old.uuid <> new.uuid)
     begin insert into seen values ('frozen', new.id, 'sent', 'changed'); end`,
  )

  /** Looks at all that has changed since it looked last. */
  async function check(): Promise<string[]> {
    const { rows } = await sql<{ what: string; id: number; was: string; is_now: string }>`
      select what, id, was, is_now from temp.seen order by rowid`.execute(db)
    await sql`delete from temp.seen`.execute(db)
    const wrong = rows.flatMap(({ what, id, was, is_now }) => {
      const isStep = what === 'run_step' && is_now !== 'gone'
      const isRun = what === 'run' && is_now !== 'gone'
      const isAllowed = isStep
        ? allowed[was as StepState].includes(is_now as StepState)
        : isRun && was !== 'succeeded'
      return isAllowed ? [] : [`${what} ${id}: ${was} → ${is_now}`]
    })
    for (const { what, id, was, is_now } of rows)
      if (what === 'run_step' && was === 'waiting' && is_now === 'unknown')
        if (!(await isContradicted(id))) wrong.push(`run_step ${id}: unknown without a word of it`)
    const touched = [...new Set(rows.filter(({ what }) => what === 'run').map(({ id }) => id))]
    for (const id of touched) wrong.push(...(await checkRun(id)))
    return [...wrong, ...authority.violations]
  }

  /** Whether its authority has it although a person said that it has not. */
  async function isContradicted(stepId: number): Promise<boolean> {
    const found = await db
      .selectFrom('run_step')
      .innerJoin('run', 'run.id', 'run_step.run_id')
      .select('run_step.id')
      .where('run_step.id', '=', stepId)
      .where('run.contradicted_at', 'is not', null)
      .executeTakeFirst()
    return found !== undefined
  }

  async function checkRun(id: number): Promise<string[]> {
    const { state } = await db
      .selectFrom('run')
      .select('state')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const steps = await db
      .selectFrom('run_step')
      .selectAll()
      .where('run_id', '=', id)
      .orderBy('position')
      .execute()
    const wrong: string[] = []
    const say = (text: string) => wrong.push(`run ${id} (${state}): ${text}`)
    if (state !== 'running' && state !== stateOf(steps.map((step) => step.state)))
      say(`steps are ${steps.map((step) => step.state).join(', ')}`)
    for (const step of steps) {
      if (step.effect !== 'submit' || step.body === null) continue
      const key = `${new URL(step.url).pathname} ${referenceOf(step.body)}`
      const isAccepted = authority.accepted.has(key)
      const isOurs = authority.accepted.get(key)?.uuid === step.uuid
      if (step.state === 'succeeded' && !isAccepted) say(`${key} is shown accepted, and is not`)
      if (step.state !== 'succeeded' && isSettled(step.state) && isOurs)
        say(`${key} was accepted, and is shown as ${step.state}`)
    }
    const attempts = await db
      .selectFrom('run_attempt')
      .innerJoin('run_step', 'run_step.id', 'run_attempt.step_id')
      .select(['step_id', 'number', 'outcome', 'run_attempt.finished_at'])
      .where('run_step.run_id', '=', id)
      .orderBy('step_id')
      .orderBy('number')
      .execute()
    for (const [index, { step_id, number, finished_at }] of attempts.entries()) {
      const before = attempts[index - 1]
      const expected = before?.step_id === step_id ? before.number + 1 : 1
      if (number !== expected) say(`an attempt ${number} where ${expected} was due`)
      if (finished_at === null && state !== 'running') say('an attempt is open')
    }
    return wrong
  }

  return { check }
}

/** The states in which a step says that nothing of it was accepted. */
const isSettled = (state: StepState) => ['waiting', 'rejected', 'blocked'].includes(state)

function stateOf(states: readonly StepState[]): RunState {
  const index = states.findIndex((state) => state !== 'succeeded')
  const deciding = states[index]
  if (deciding === undefined) return 'succeeded'
  if (deciding === 'waiting') return index > 0 ? 'stopped' : 'not_started'
  return deciding as RunState
}
