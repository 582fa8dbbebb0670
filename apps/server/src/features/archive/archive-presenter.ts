import type {
  ArchiveFileRecord,
  ArchiveHit,
  ArchiveRoundRecord,
  ArchiveSettings,
} from '@gatehouse/contract'
import { roundShown } from '../../db/tables/archive.ts'
import { readRow } from '../../db/tables/column.ts'
import type { Row } from '../../db/tables.ts'
import type { Stores } from '../../stores.ts'
import type { WrittenFile } from './archive-store.ts'

export const toSettings = ({ id: _, ...settings }: Row<'archive_setting'>): ArchiveSettings =>
  settings

export const toRound = (
  round: Row<'archive_round'> & { next_at: string | null },
): ArchiveRoundRecord => ({
  ...readRow(roundShown, round),
  is_asked: round.asked_at !== null,
  next_at: round.next_at,
  problem:
    round.problem === null
      ? null
      : { code: round.problem, text: round.problem_text ?? '', at: round.problem_at ?? '' },
})

export const toFile = (file: WrittenFile, owner: string): ArchiveFileRecord => ({
  id: file.id,
  name: file.name,
  server: file.server,
  is_own: file.server === owner,
  written_at: file.written_at,
  bytes: file.bytes,
  content_bytes: file.content_bytes,
  sha256: file.sha256,
  runs: file.lines,
  first_run_id: file.first_run_id,
  last_run_id: file.last_run_id,
  first_at: file.first_at,
  last_at: file.last_at,
  check:
    file.checked_at === null || file.check_result === null
      ? null
      : { at: file.checked_at, result: file.check_result },
})

type Hit = Awaited<ReturnType<Stores['archivedRuns']['search']>>[number]

export const toHit = (hit: Hit): ArchiveHit => ({
  run_id: hit.run_id,
  reference: hit.reference,
  registers: hit.registers,
  created_at: hit.created_at,
  file: { id: hit.file_id, name: hit.file_name },
  line: hit.line ?? 0,
})
