import type { Db } from '../../../db/connect.ts'
import type { Finding } from '../finding.ts'

/** The hold after a restore, until a person releases it. */
export const holdFindings = (db: Db) => async (): Promise<Finding[]> => {
  const hold = await db
    .selectFrom('installation_hold')
    .select(['reason', 'held_since'])
    .where('released_at', 'is', null)
    .executeTakeFirst()
  if (!hold) return []
  return [
    {
      subject: 'installation:hold',
      title:
        hold.reason === 'restore'
          ? 'A backup was restored: nothing is sent without a person'
          : 'The database is older than what was sent: nothing is sent without a person',
      path: '/dashboard/admin',
      since: hold.held_since,
    },
  ]
}
