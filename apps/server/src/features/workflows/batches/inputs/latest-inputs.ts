import type { RunState } from '@gatehouse/contract'
import { sql } from 'kysely'
import type { Db } from '../../../../db/connect.ts'

/** An input of a batch with the latest run that takes it. */
export interface LatestInput {
  /** Of the run. */
  id: number
  batch_line: number
  reference: string | null
  /** Of the input: of its document, where the first step of its run has decided about several. */
  state: RunState
  finished_at: string | null
  document_message: string | null
  /** Its place in the list that is the input of the run. */
  position: number
}

export interface BatchKind {
  id: number
  inputs_per_run: number
}

/** The inputs of a batch, to be selected from as `run`. Where each is a run, that is the run itself. */
export const latestInputs = (db: Db, { id, inputs_per_run }: BatchKind) =>
  db.selectFrom((inputs_per_run === 1 ? runsOf(db, id) : inputsOf(db, id)).as('run'))

const runsOf = (db: Db, batchId: number) =>
  db
    .selectFrom('run')
    .select(['id', 'batch_line', 'reference', 'state', 'finished_at'])
    .select([sql<string | null>`null`.as('document_message'), sql<number>`0`.as('position')])
    .where('batch_id', '=', batchId)
    .where('overtaken_by', 'is', null)
    .$castTo<LatestInput>()

/** A document of the first step has the reference of its input. */
const inputsOf = (db: Db, batchId: number) =>
  db
    .selectFrom('batch_input')
    .innerJoin('run', 'run.id', 'batch_input.run_id')
    .leftJoin('run_step', (join) =>
      join.onRef('run_step.run_id', '=', 'run.id').on('run_step.position', '=', 1),
    )
    .leftJoin(
      (each) =>
        each
          .selectFrom('document_step')
          .innerJoin('document', 'document.id', 'document_step.document_id')
          .select(['document_step.run_id', 'document.reference'])
          .select(['document_step.state', 'document_step.message'])
          .where('document_step.position', '=', 1)
          .as('carried'),
      (join) =>
        join
          .onRef('carried.run_id', '=', 'batch_input.run_id')
          .onRef('carried.reference', '=', 'batch_input.reference'),
    )
    .select(['run.id', 'batch_input.line as batch_line', 'batch_input.reference'])
    .select(stateOfInput.as('state'))
    .select(['run.finished_at', 'carried.message as document_message', 'batch_input.position'])
    .where('batch_input.batch_id', '=', batchId)
    .$castTo<LatestInput>()

/** Only such a first step leaves its documents in several states. */
const stateOfInput = sql<RunState>`case
  when run_step.state not in ('partial', 'unknown', 'pending') then run.state
  when carried.state = 'accepted' then 'succeeded'
  when carried.state = 'not_accepted' then 'rejected'
  when carried.state in ('unknown', 'pending') then carried.state
  else run.state end`
