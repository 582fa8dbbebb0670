import type { ArchiveClass } from '@gatehouse/contract'
import { sql } from 'kysely'
import type { Db } from '../../../db/connect.ts'
import { carriesOfRegister, registersOfRuns } from '../../../db/lists/registers.ts'
import { ledgerRows } from '../ledger-rows.ts'
import { judgeRuns, type RunVerdict } from '../settled-runs.ts'

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
    search: async (text: string, register: string, limit: number) =>
      withRegisters(
        db,
        await hits(db)
          .where(isMeant(text))
          .$if(register !== '', (query) =>
            query.where(carriesOfRegister(db, sql.ref('run.id'), register)),
          )
          .limit(limit)
          .execute(),
      ),
    /** Those of these runs that are in this file. */
    listHits: async (fileId: number, runIds: readonly number[]) =>
      runIds.length === 0
        ? []
        : withRegisters(
            db,
            await hits(db)
              .where('archive_run.file_id', '=', fileId)
              .where('run.id', 'in', runIds)
              .execute(),
          ),
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

async function withRegisters<T extends { run_id: number }>(db: Db, rows: readonly T[]) {
  const ids = rows.map(({ run_id }) => run_id)
  const registers = await registersOfRuns(db, ids)
  return rows.map((row) => ({ ...row, registers: registers.get(row.run_id) ?? [] }))
}

/** Its end is beyond every text that begins alike. */
function isMeant(text: string) {
  const number = /^#?(\d{1,9})$/.exec(text)?.[1]
  const begins = sql<boolean>`(run.reference >= ${text} and run.reference < ${`${text}\u{10FFFF}`})`
  return number === undefined ? begins : sql<boolean>`(run.id = ${Number(number)} or ${begins})`
}
