import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { createInstallation } from '../../test/processes/admin-commands.ts'
import { openDatabase } from '../open-database.ts'

it('a database of a newer version is refused, with what can be done, and left as it is', async () => {
  const { folder, environment, open, close } = await createInstallation()
  onTestFinished(close)
  await sql`insert into kysely_migration (name, timestamp) values ('9999-later', '2026-11-22')`.execute(
    open(),
  )
  await close()
  const start = () => openDatabase(environment['DATABASE_URL'] || undefined, folder, new Date())
  await expect(start()).rejects.toThrow(
    /can't be used: it was made by a newer version \(9999-later\)\. Start that version, or restore the backup/,
  )
})
