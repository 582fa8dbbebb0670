import type { ArchiveClass } from '@gatehouse/contract'
import { sql } from 'kysely'
import { allOf } from '../../db/all-of.ts'
import type { Db } from '../../db/connect.ts'
import { lockedForChange } from '../../db/dialect.ts'
import type { NewRow, Row } from '../../db/tables.ts'
import type { LineFacts, RunLine } from './files/run-line.ts'
import { judgeRuns, type RunVerdict } from './settled-runs.ts'

export type ArchivedRunStore = ReturnType<typeof archivedRunStore>
export type ArchivedRunRow = Row<'archive_run'>

export interface DueRuns {
  class: ArchiveClass
  /** Runs that ended before. */
  before: string
  /** What was brought back since stays. */
  restoredBefore: string
}

/** Where the bodies and answers of runs are, and the bodies themselves as rows. */
export function archivedRunStore(db: Db) {
  const due = ({ class: name, before, restoredBefore }: DueRuns) =>
    db
      .selectFrom('archive_run')
      .where('file_id', 'is', null)
      .where('class', '=', name)
      .where('ended_at', '<', before)
      .where((each) =>
        each.or([each('restored_at', 'is', null), each('restored_at', '<', restoredBefore)]),
      )
  return {
    ...ledgerRows(db),
    judge: (ids: readonly number[]) => judgeRuns(db, ids),
    /** Runs after an id, in the order of their ids. */
    listRunsAfter: (id: number, limit: number) =>
      db
        .selectFrom('run')
        .select(['id', 'created_at'])
        .where('id', '>', id)
        .orderBy('id')
        .limit(limit)
        .execute(),
    listNewestRunIds: async (limit: number) => {
      const rows = await db
        .selectFrom('run')
        .select('id')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      return rows.map(({ id }) => id)
    },
    /** Runs that were not settled when they were last looked at. */
    listUnsettled: async (after: number, limit: number) => {
      const rows = await db
        .selectFrom('archive_run')
        .select('run_id')
        .where('file_id', 'is', null)
        .where('class', 'is', null)
        .where('run_id', '>', after)
        .orderBy('run_id')
        .limit(limit)
        .execute()
      return rows.map(({ run_id }) => run_id)
    },
    /** Runs whose time is over, the oldest first, behind a place in that order. */
    listDue: (which: DueRuns, limit: number, after?: { ended_at: string; run_id: number }) =>
      due(which)
        .select(['run_id', sql<string>`ended_at`.as('ended_at')])
        .$if(after !== undefined, (query) =>
          query.where((each) =>
            each.or([
              each('ended_at', '>', after?.ended_at ?? ''),
              each.and([
                each('ended_at', '=', after?.ended_at ?? ''),
                each('run_id', '>', after?.run_id ?? 0),
              ]),
            ]),
          ),
        )
        .orderBy('ended_at')
        .orderBy('run_id')
        .limit(limit)
        .execute(),
    countDue: async (which: DueRuns) => {
      const { count } = await due(which)
        .select(sql<number>`count(*)`.as('count'))
        .executeTakeFirstOrThrow()
      return count
    },
    /** Stores verdicts of runs whose bodies are in the database. */
    setVerdicts: async (verdicts: readonly RunVerdict[]) => {
      if (verdicts.length === 0) return
      const rows = verdicts.map(({ id, class: name, endedAt }) => ({
        run_id: id,
        class: endedAt === null ? null : name,
        ended_at: endedAt,
      }))
      await db
        .insertInto('archive_run')
        .values(rows)
        .onConflict((conflict) =>
          conflict
            .column('run_id')
            .doUpdateSet((each) => ({
              class: each.ref('excluded.class'),
              ended_at: each.ref('excluded.ended_at'),
            }))
            .where('archive_run.file_id', 'is', null),
        )
        .execute()
    },
    /** Runs whose verdict is stored and whose bodies are in the database. */
    listPlaces: (ids: readonly number[]) =>
      db.selectFrom('archive_run').selectAll().where('run_id', 'in', ids).execute(),
    /** Those of these runs whose bodies are in the archive. */
    listArchivedOf: async (ids: readonly number[]) => {
      if (ids.length === 0) return new Set<number>()
      const rows = await db
        .selectFrom('archive_run')
        .select('run_id')
        .where('run_id', 'in', ids)
        .where('file_id', 'is not', null)
        .execute()
      return new Set(rows.map(({ run_id }) => run_id))
    },
    find: (runId: number) =>
      db
        .selectFrom('archive_run')
        .innerJoin('archive_file', 'archive_file.id', 'archive_run.file_id')
        .select(['archive_run.run_id', 'line', 'block_at', 'block_bytes', 'archive_run.sha256'])
        .select(['archive_file.id as file_id', 'archive_file.name', 'archive_file.server'])
        .where('run_id', '=', runId)
        .executeTakeFirst(),
    /** Runs in the archive whose reference begins like this, or that have this number. Newest first. */
    search: (text: string, limit: number) => hits(db).where(isMeant(text)).limit(limit).execute(),
    /** Those of these runs that are in this file. */
    listHits: (fileId: number, runIds: readonly number[]) =>
      runIds.length === 0
        ? Promise.resolve([])
        : hits(db)
            .where('archive_run.file_id', '=', fileId)
            .where('run.id', 'in', runIds)
            .execute(),
  }
}

const hits = (db: Db) =>
  db
    .selectFrom('archive_run')
    .innerJoin('run', 'run.id', 'archive_run.run_id')
    .innerJoin('archive_file', 'archive_file.id', 'archive_run.file_id')
    .select(['run.id as run_id', 'run.reference', 'run.created_at', 'archive_run.line'])
    .select(['archive_file.id as file_id', 'archive_file.name as file_name'])
    .orderBy('run.id', 'desc')

/** Its end is beyond every text that begins alike. */
function isMeant(text: string) {
  const number = /^#?(\d{1,9})$/.exec(text)?.[1]
  const begins = sql<boolean>`(run.reference >= ${text} and run.reference < ${`${text}\u{10FFFF}`})`
  return number === undefined ? begins : sql<boolean>`(run.id = ${Number(number)} or ${begins})`
}

/** The rows of the ledger that hold bodies and answers. */
function ledgerRows(db: Db) {
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
