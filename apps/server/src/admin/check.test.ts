import { chmodSync, rmSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { createInstallation, runOn } from '../../test/processes/admin-commands.ts'
import { databaseFile } from '../db/connect.ts'
import { openAppKey } from '../settings/app-key.ts'

const stateOf = (out: string, name: string) => new RegExp(`^(\\w+) +${name} `, 'm').exec(out)?.[1]

it('an installation in order has no failure, and a backup is missing until one is made', async () => {
  const there = await createInstallation()
  chmodSync(there.folder, 0o700)
  const before = await there.admin(['check'])
  expect(before).toMatchObject({ code: 0, err: '' })
  for (const name of ['settings', 'folder', 'database', 'schema', 'rights', 'key', 'clock'])
    expect([name, stateOf(before.out, name)]).toEqual([name, 'ok'])
  expect(stateOf(before.out, 'backup')).toBe('warning')
  await there.admin(['backup', there.folder])
  expect(stateOf((await there.admin(['check'])).out, 'backup')).toBe('ok')
})

it('says what is wrong, and ends with 1 where it has failed', async () => {
  const there = await createInstallation()
  chmodSync(there.folder, 0o755)
  expect(stateOf((await there.admin(['check'])).out, 'folder')).toBe('warning')
  const db = there.open()
  const key = Buffer.from(there.environment['APP_KEY'] ?? '', 'base64')
  await openAppKey(db, there.folder, key, new Date())
  const other = { ...there.environment, APP_KEY: randomBytes(32).toString('base64') }
  const wrongKey = await runOn(other, ['check'])
  expect([wrongKey.code, stateOf(wrongKey.out, 'key')]).toEqual([1, 'failed'])
  const rotating = await runOn({ ...other, APP_KEY_PREVIOUS: key.toString('base64') }, ['check'])
  expect([rotating.code, stateOf(rotating.out, 'key')]).toEqual([0, 'warning'])
  const wrong = await runOn({ ...there.environment, PORT: 'x' }, ['check'])
  expect([wrong.code, stateOf(wrong.out, 'settings')]).toEqual([1, 'failed'])
  await db
    .withTables<{ kysely_migration: { name: string; timestamp: string } }>()
    .insertInto('kysely_migration')
    .values({ name: '9999-later', timestamp: '' })
    .execute()
  expect(stateOf((await there.admin(['check'])).out, 'schema')).toBe('failed')
})

it('a database that is not there has failed, and is not made', async () => {
  const there = await createInstallation({ isEmpty: true })
  const environment = { ...there.environment, DATABASE_URL: '' }
  rmSync(databaseFile(there.folder), { force: true })
  const { code, out } = await runOn(environment, ['check'])
  expect([code, stateOf(out, 'database')]).toEqual([1, 'failed'])
})
