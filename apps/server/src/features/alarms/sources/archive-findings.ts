import type { Db } from '../../../db/connect.ts'
import type { Finding } from '../finding.ts'

const words: Record<string, string> = {
  disk_full: 'the disk is full',
  file_changed: 'a file is not what was written',
}

/** The last round of the archive, where it stopped. The next one that succeeds ends it. */
export const archiveFindings = (db: Db) => async (): Promise<Finding[]> => {
  const { problem, problem_text, problem_at } = await db
    .selectFrom('archive_round')
    .select(['problem', 'problem_text', 'problem_at'])
    .executeTakeFirstOrThrow()
  if (problem === null || problem_at === null) return []
  const why = words[problem] ?? problem_text ?? 'it failed'
  return [
    {
      subject: 'archive:round',
      level: problem,
      title: `The archive stopped: ${why}`,
      path: '/dashboard/admin/archive',
      since: problem_at,
    },
  ]
}
