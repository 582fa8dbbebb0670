import { Migrator, type Migration } from 'kysely/migration'
import * as users from '../../migrations/0001-users.ts'
import * as apis from '../../migrations/0002-apis.ts'
import * as endpoints from '../../migrations/0003-endpoints.ts'
import * as runs from '../../migrations/0004-runs.ts'
import * as downloadCookie from '../../migrations/0005-download-cookie.ts'
import * as personalTokens from '../../migrations/0006-personal-tokens.ts'
import * as audit from '../../migrations/0007-audit.ts'
import * as runEngine from '../../migrations/0008-run-engine.ts'
import * as runSettings from '../../migrations/0009-run-settings.ts'
import * as documents from '../../migrations/0010-documents.ts'
import * as configRevision from '../../migrations/0011-config-revision.ts'
import * as trafficPolicy from '../../migrations/0012-traffic-policy.ts'
import * as trafficMinutes from '../../migrations/0013-traffic-minutes.ts'
import * as procedureContracts from '../../migrations/0014-procedure-contracts.ts'
import type { Db } from './connect.ts'

/** Forward only. A migration that has been released is never changed; a new one follows it. */
const migrations: Record<string, Migration> = {
  '0001-users': users,
  '0002-apis': apis,
  '0003-endpoints': endpoints,
  '0004-runs': runs,
  '0005-download-cookie': downloadCookie,
  '0006-personal-tokens': personalTokens,
  '0007-audit': audit,
  '0008-run-engine': runEngine,
  '0009-run-settings': runSettings,
  '0010-documents': documents,
  '0011-config-revision': configRevision,
  '0012-traffic-policy': trafficPolicy,
  '0013-traffic-minutes': trafficMinutes,
  '0014-procedure-contracts': procedureContracts,
}

/**
 * Brings the schema up to date, all or nothing. Servers that start together on one PostgreSQL wait
 * for each other. Throws when the database was made by a newer version.
 */
export async function migrate(db: Db): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error } = await migrator.migrateToLatest()
  if (error) throw new Error('The database could not be brought up to date.', { cause: error })
}
