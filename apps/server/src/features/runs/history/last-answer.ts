import type { StepState } from '@gatehouse/contract'
import type { Db } from '../../../db/connect.ts'

/** States of a step that an endpoint has answered. */
const answeredStates = [
  'succeeded',
  'partial',
  'rejected',
  'blocked',
  'unknown',
  'pending',
  'waiting',
] as const satisfies StepState[]

/** So many of the newest runs in each state: a step in them may have had no answer. */
const looked = 5

/**
 * The last answer to a request of a run, in the newest runs of an endpoint; undefined where there is none.
 * What is in the archive is not looked at.
 */
export async function findLastAnswer(db: Db, endpointId: number) {
  // A query for each state, so that the index gives the newest without a sort.
  const steps = await Promise.all(
    answeredStates.map((state) =>
      db
        .selectFrom('run_step')
        .select('id')
        .where('endpoint_id', '=', endpointId)
        .where('state', '=', state)
        .orderBy('run_id', 'desc')
        .limit(looked)
        .execute(),
    ),
  )
  const ids = steps.flat().map(({ id }) => id)
  if (ids.length === 0) return undefined
  return db
    .selectFrom('run_attempt')
    .innerJoin('run_step', 'run_step.id', 'run_attempt.step_id')
    .select(['run_step.run_id', 'run_step.position', 'kind', 'started_at', 'finished_at'])
    .select(['answer_headers'])
    .select((eb) => [
      eb.ref('run_attempt.status').$notNull().as('status'),
      eb.ref('run_attempt.answer_body').$notNull().as('answer_body'),
    ])
    .where('step_id', 'in', ids)
    .where('kind', 'in', ['send', 'resend'])
    .where('status', 'is not', null)
    .where('answer_body', 'is not', null)
    .orderBy('run_attempt.id', 'desc')
    .limit(1)
    .executeTakeFirst()
}
