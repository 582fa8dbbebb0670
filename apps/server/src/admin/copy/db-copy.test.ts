import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { createInstallation } from '../../../test/processes/admin-commands.ts'
import { writeSqliteFile } from '../../../test/test-database.ts'
import { connect, databaseFile } from '../../db/connect.ts'
import { migrate } from '../../db/migrate.ts'

it('a database goes to another one and back, row for row, and a target in use is refused', async () => {
  const there = await createInstallation({ isEmpty: true })
  const from = join(there.folder, 'from')
  const back = join(there.folder, 'back')
  for (const folder of [from, back]) mkdirSync(folder)
  await writeSqliteFile(from)
  const source = connect({ kind: 'file', folder: from })
  const row = {
    actor: 'ü',
    address: '',
    request_id: '',
    outcome: 'done',
    thing: 'user',
    times: 1,
  } as const
  for (let index = 0; index < 250; index++)
    await source
      .insertInto('audit_event')
      .values({ ...row, at: new Date(index).toISOString(), action: 'a', thing_name: `${index}` })
      .execute()
  await source.destroy()
  const middle = there.environment['DATABASE_URL'] || there.folder
  const out = await there.admin(['db-copy', from, middle])
  expect(out).toMatchObject({ code: 0 })
  expect(out.out).toMatch(/audit_event +250 rows/)
  const returned = await there.admin(['db-copy', middle, back])
  expect(returned).toMatchObject({ code: 0 })
  // Each copy holds one event more: that it was made.
  expect(returned.out).toMatch(/audit_event +251 rows/)
  const sums = (text: string) =>
    text
      .split('\n')
      .filter((line) => / rows {2}/.test(line) && !line.startsWith('audit_event'))
      .toSorted()
  expect(sums(returned.out)).toEqual(sums(out.out))
  expect(sums(out.out).length).toBeGreaterThan(50)

  const again = await there.admin(['db-copy', from, middle])
  expect(again.code).toBe(1)
  expect(again.err).toMatch(/is not empty|There is a database in/)
})

it('a copy that breaks off leaves nothing', async () => {
  const there = await createInstallation({ isEmpty: true })
  const from = join(there.folder, 'from')
  mkdirSync(from)
  await writeSqliteFile(from)
  const source = connect({ kind: 'file', folder: from })
  // A member of a role that is not there: no database takes that back.
  await source.connection().execute(async (one) => {
    await sql`pragma foreign_keys = off`.execute(one)
    await one.insertInto('user_role').values({ user_id: 999, role_id: 999 }).execute()
  })
  await source.destroy()
  const to = there.environment['DATABASE_URL'] || join(there.folder, 'to')
  expect((await there.admin(['db-copy', from, to])).code).toBe(1)
  if (there.environment['DATABASE_URL']) {
    const { rows } = await sql`select 1 from "user" where id = 999
      union all select 1 from user_role limit 1`.execute(there.open())
    expect(rows).toEqual([])
    return
  }
  expect(existsSync(databaseFile(to))).toBe(false)
  expect(readdirSync(to).filter((name) => name.startsWith('restore-'))).toEqual([])
})

it('a copy that was killed while it made the schema is made again', async () => {
  const there = await createInstallation({ isEmpty: true })
  const from = join(there.folder, 'from')
  mkdirSync(from)
  await writeSqliteFile(from)
  const to = there.environment['DATABASE_URL'] || there.folder
  const target = there.open()
  await migrate(target, '0202-roles')
  await there.close()
  expect(await there.admin(['db-copy', from, to])).toMatchObject({ code: 0 })
  const { rows } = await sql`select id from role`.execute(there.open())
  expect(rows).toHaveLength(5)
})
