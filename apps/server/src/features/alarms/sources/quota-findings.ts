import { tokenLimits } from '@gatehouse/contract'
import type { Db } from '../../../db/connect.ts'
import { UsesOfMonth } from './uses-of-month.ts'
import { limitOf, type Asked, type Finding } from '../finding.ts'

/** Tokens that have used this share of their requests of the calendar month, in UTC; told again once all are used. */
export function quotaFindings(db: Db) {
  const uses = new UsesOfMonth(db)
  return async ({ now, rule, open }: Asked): Promise<Finding[]> => {
    const usedBy = await uses.read(now)
    const rows = await db
      .selectFrom('personal_token')
      .select(['id', 'name', 'limits'])
      .where('limits', 'is not', null)
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', now.toISOString())
      .orderBy('id')
      .execute()
    const percent = limitOf(rule, 'percent')
    return rows.flatMap(({ id, name, limits }) => {
      const used = usedBy.get(id) ?? 0
      const quota = monthlyQuota(limits)
      if (quota === null || used * 100 < quota * percent) return []
      const subject = `token:${id}`
      const share = Math.floor((used * 100) / quota)
      return [
        {
          subject,
          level: used >= quota ? 'used up' : 'near',
          title: `The token ${name} has used ${share} % of its ${quota} requests of this month`,
          path: '/dashboard/admin/personal-token',
          since: open.find((each) => each.subject === subject)?.since ?? now.toISOString(),
        },
      ]
    })
  }
}

/** Null: it has none, or its limits can't be read, and it is refused by the gateway. */
function monthlyQuota(stored: string | null): number | null {
  try {
    return tokenLimits.parse(JSON.parse(stored ?? 'null')).quota?.per_month ?? null
  } catch {
    return null
  }
}
