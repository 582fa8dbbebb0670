import { sql, type SqlBool } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { isPostgres, jsonText } from '../../db/dialect.ts'

/** True for events of the API and of its endpoints, with those that were deleted. */
export function isOfApi(db: Db, apiId: number) {
  // PostgreSQL takes the number out of the JSON as text.
  const id = isPostgres(db) ? String(apiId) : apiId
  return sql<SqlBool>`audit_event.id in (
    select own.id from audit_event as own where own.thing = 'api' and own.thing_id = ${apiId}
    union all
    select own.id from audit_event as own where own.thing = 'endpoint' and own.thing_id in (
      select endpoint.id from endpoint where endpoint.api_id = ${apiId}
      union
      select gone.thing_id from audit_event as gone
      where gone.action = 'endpoint.delete' and ${jsonText(db, 'gone.before', 'api_id')} = ${id}
    )
  )`
}
