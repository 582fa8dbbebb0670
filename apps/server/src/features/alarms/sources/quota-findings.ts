import { tokenLimits } from '@gatehouse/contract'
import { sql } from 'kysely'
import type { Db } from '../../../db/connect.ts'
import { limitOf, type Asked, type Finding } from '../finding.ts'

/** Tokens that have used this share of their requests of the calendar month, in UTC; told again once all are used. */
export const quotaFindings =
  (db: Db) =>
  async ({ now, rule, open }: Asked): Promise<Finding[]> => {
    const today = now.toISOString().slice(0, 10)
    const rows = await db
      .selectFrom('token_usage')
      .innerJoin('personal_token', 'personal_token.id', 'token_usage.token_id')
      .select(['personal_token.id', 'personal_token.name', 'personal_token.limits'])
      // PostgreSQL sums bigint to numeric, which arrives as text.
      .select(sql<number>`cast(sum(token_usage.requests) as bigint)`.as('used'))
      .where('token_usage.day', '>=', `${today.slice(0, 7)}-01`)
      .where('token_usage.day', '<=', today)
      .where('personal_token.limits', 'is not', null)
      .where('personal_token.revoked_at', 'is', null)
      .where('personal_token.expires_at', '>', now.toISOString())
      .groupBy(['personal_token.id', 'personal_token.name', 'personal_token.limits'])
      .orderBy('personal_token.id')
      .execute()
    const percent = limitOf(rule, 'percent')
    return rows.flatMap(({ id, name, limits, used }) => {
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

/** Null: it has none, or its limits can't be read, and it is refused by the gateway. */
function monthlyQuota(stored: string | null): number | null {
  try {
    return tokenLimits.parse(JSON.parse(stored ?? 'null')).quota?.per_month ?? null
  } catch {
    return null
  }
}
