import { sql } from 'kysely'
import { allOf } from '../../db/all-of.ts'
import type { Db } from '../../db/connect.ts'
import { lockedForChange } from '../../db/dialect.ts'
import type { NewRow } from '../../db/tables.ts'
import type { LineFacts, RunLine } from './files/run-line.ts'
import type { RunVerdict } from './settled-runs.ts'

/** The rows of the ledger that hold bodies and answers. */
export function ledgerRows(db: Db) {
  const stepsOf = (ids: readonly number[]) => db.selectFrom('run_step').where('run_id', 'in', ids)
  const attemptsOf = (ids: readonly number[]) =>
    db
      .selectFrom('run_attempt')
      .innerJoin('run_step', 'run_step.id', 'run_attempt.step_id')
      .where('run_step.run_id', 'in', ids)
  return {
    /** The runs whole, in the order of the ids. */
    listLines: async (verdicts: readonly RunVerdict[]): Promise<RunLine[]> => {
      const ids = verdicts.map(({ id }) => id)
      const [runs, inputs, steps, attempts, documents] = await allOf([
        db.selectFrom('run').selectAll().where('id', 'in', ids).execute(),
        db.selectFrom('run_input').selectAll().where('run_id', 'in', ids).execute(),
        stepsOf(ids).selectAll().orderBy('position').execute(),
        attemptsOf(ids).selectAll('run_attempt').orderBy('run_attempt.number').execute(),
        db
          .selectFrom('document_step')
          .selectAll()
          .where('run_id', 'in', ids)
          .orderBy('position')
          .orderBy('document_id')
          .execute(),
      ])
      const run = new Map(runs.map((each) => [each.id, each]))
      const input = new Map(inputs.map(({ run_id, body }) => [run_id, body]))
      const ofRun = Map.groupBy(steps, ({ run_id }) => run_id)
      const ofStep = Map.groupBy(attempts, ({ step_id }) => step_id)
      const carried = Map.groupBy(documents, ({ run_id }) => run_id)
      return verdicts.flatMap(({ id, class: name }) => {
        const found = run.get(id)
        if (!found) return []
        const own = ofRun.get(id) ?? []
        return [
          {
            format: 1,
            class: name,
            run: found,
            input: input.get(id) ?? null,
            steps: own.map((step) => ({ ...step, attempts: ofStep.get(step.id) ?? [] })),
            documents: carried.get(id) ?? [],
          },
        ]
      })
    },
    /** What lines of these runs would have to agree with. */
    listFacts: async (ids: readonly number[]): Promise<Map<number, LineFacts>> => {
      const [runs, steps, attempts] = await allOf([
        db
          .selectFrom('run')
          .leftJoin('run_input', 'run_input.run_id', 'run.id')
          .select(['run.id', 'run.state', 'run.epoch', bytesOf('run_input.body').as('input')])
          .where('run.id', 'in', ids)
          .execute(),
        stepsOf(ids)
          .select(['id', 'run_id', 'state', sql<number>`octet_length(headers)`.as('headers')])
          .select([bytesOf('run_step.body').as('body'), bytesOf('source_body').as('source')])
          .execute(),
        attemptsOf(ids)
          .select(['run_attempt.id', 'run_step.run_id', 'outcome'])
          .select([bytesOf('answer_headers').as('headers'), bytesOf('answer_body').as('body')])
          .execute(),
      ])
      const ofRun = Map.groupBy(steps, ({ run_id }) => run_id)
      const ofAttempts = Map.groupBy(attempts, ({ run_id }) => run_id)
      return new Map(
        runs.map(({ id, state, epoch, input }) => [
          id,
          { state, epoch, input, steps: ofRun.get(id) ?? [], attempts: ofAttempts.get(id) ?? [] },
        ]),
      )
    },
    /** Locks these runs until the commit: every change of a run does so first. */
    lockRuns: (ids: readonly number[]) =>
      lockedForChange(
        db,
        db.selectFrom('run').select('id').where('id', 'in', ids).orderBy('id'),
      ).execute(),
    /** Removes bodies and answers, and says where they are. */
    removeBodies: async (places: readonly NewRow<'archive_run'>[]) => {
      const ids = places.map(({ run_id }) => run_id)
      const steps = stepsOf(ids).select('id')
      await allOf([
        db
          .updateTable('run_attempt')
          .set({ answer_body: null, answer_headers: null })
          .where('step_id', 'in', steps)
          .execute(),
        db
          .updateTable('run_step')
          .set({ headers: '{}', body: null, source_body: null })
          .where('run_id', 'in', ids)
          .execute(),
        db.updateTable('run_input').set({ body: '' }).where('run_id', 'in', ids).execute(),
        db
          .insertInto('archive_run')
          .values([...places])
          .onConflict((conflict) =>
            conflict.column('run_id').doUpdateSet((each) => ({
              file_id: each.ref('excluded.file_id'),
              line: each.ref('excluded.line'),
              block_at: each.ref('excluded.block_at'),
              block_bytes: each.ref('excluded.block_bytes'),
              sha256: each.ref('excluded.sha256'),
              restored_at: null,
            })),
          )
          .execute(),
      ])
    },
    /** Puts the bodies of a line back. False where the run is not in that line any more. */
    putBack: async ({ run, input, steps }: RunLine, sha256: string, now: string) => {
      const { numUpdatedRows } = await db
        .updateTable('archive_run')
        .set({ file_id: null, restored_at: now })
        .where('run_id', '=', run.id)
        .where('sha256', '=', sha256)
        .where('file_id', 'is not', null)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) return false
      if (input !== null)
        await db
          .updateTable('run_input')
          .set({ body: input })
          .where('run_id', '=', run.id)
          .execute()
      for (const { id, headers, body, source_body, attempts } of steps) {
        await db
          .updateTable('run_step')
          .set({ headers, body, source_body })
          .where('id', '=', id)
          .execute()
        for (const { id: attempt, answer_headers, answer_body } of attempts)
          await db
            .updateTable('run_attempt')
            .set({ answer_headers, answer_body })
            .where('id', '=', attempt)
            .execute()
      }
      return true
    },
    /** The runs whose steps gave answers to steps of a run. */
    listOrigins: async (runId: number) => {
      const rows = await db
        .selectFrom('run_step')
        .innerJoin('run_step as origin', 'origin.id', 'run_step.reused_from')
        .select('origin.run_id')
        .distinct()
        .where('run_step.run_id', '=', runId)
        .execute()
      return rows.map(({ run_id }) => run_id)
    },
  }
}

const bytesOf = (column: string) => sql<number | null>`octet_length(${sql.ref(column)})`
