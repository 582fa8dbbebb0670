import type { ArchiveClass, ArchivePhase, ArchiveProblem, FileCheck } from '@gatehouse/contract'
import { column, generatedNumber, number, numberOrNull, text, textOrNull } from './column.ts'

/** One row: days that bodies and answers stay, by class; null: they always stay. */
export const archiveSetting = {
  id: number,
  test_days: numberOrNull,
  read_days: numberOrNull,
  submit_days: numberOrNull,
  cron: text,
  time_zone: text,
}

export const roundShown = {
  phase: column<ArchivePhase>(),
  started_at: textOrNull,
  ended_at: textOrNull,
  runs_due: number,
  runs_written: number,
  runs_removed: number,
}

/** One row: the round under way, or the last one. */
export const archiveRound = {
  id: number,
  ...roundShown,
  server: textOrNull,
  asked_at: textOrNull,
  problem: column<ArchiveProblem | null>(),
  problem_text: textOrNull,
  problem_at: textOrNull,
  /** Runs up to this id have a row in `archive_run`. */
  sorted_to: number,
}

/** What the database and the archive held on a day. */
export const archiveSize = {
  day: text,
  measured_at: text,
  database_bytes: number,
  archive_bytes: number,
}

/** `verified`: runs may still have their bodies in the database. `done`: none has. */
type ArchiveFileState = 'writing' | 'verified' | 'done'

export const archiveFile = {
  id: generatedNumber,
  name: text,
  state: column<ArchiveFileState>(),
  server: text,
  started_at: text,
  written_at: textOrNull,
  bytes: numberOrNull,
  content_bytes: numberOrNull,
  sha256: textOrNull,
  content_sha256: textOrNull,
  manifest_sha256: textOrNull,
  previous_id: numberOrNull,
  lines: numberOrNull,
  first_run_id: numberOrNull,
  last_run_id: numberOrNull,
  first_at: textOrNull,
  last_at: textOrNull,
  checked_at: textOrNull,
  check_result: column<FileCheck | null>(),
}

export const archiveRun = {
  run_id: number,
  /** Null: not settled when it was last looked at. */
  class: column<ArchiveClass | null>(),
  ended_at: textOrNull,
  /** Null: bodies and answers are in the database. */
  file_id: numberOrNull,
  line: numberOrNull,
  block_at: numberOrNull,
  block_bytes: numberOrNull,
  sha256: textOrNull,
  restored_at: textOrNull,
}
