import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createInstallation, runOn } from '../../test/processes/admin-commands.ts'
import { commands } from './commands.ts'

it('the overview names every command, and each explains itself without a database', async () => {
  const { code, out } = await runOn({}, ['--help'])
  expect(code).toBe(0)
  for (const [name, command] of Object.entries(commands)) {
    expect(out).toContain(`  ${name}`)
    expect(out).toContain(command.summary)
    const help = await runOn({}, [name, '--help'])
    expect(help).toMatchObject({ code: 0, err: '' })
    for (const option of Object.keys(command.options ?? {}))
      expect(help.out).toContain(`--${option}`)
  }
})

it.each([
  ['a command that is not there', ['no-such'], 'There is no command "no-such".'],
  ['a missing argument', ['reset-password'], '<e-mail> is missing.'],
  ['one argument too many', ['reset-password', 'a', 'b'], '"b" is one argument too many.'],
  ['an unknown option', ['reset-password', 'a', '--b'], "Unknown option '--b'"],
])('%s ends with exit code 2 and says what is wrong', async (_what, args, line) => {
  const { code, err, out } = await runOn({}, args)
  expect(code).toBe(2)
  expect(out).toBe('')
  expect(err).toContain(line)
})

it('a setting that can’t be used and a database that is not there are one line', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-none-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const args = ['reset-password', 'a@example.com']
  expect(await runOn({ DATA_DIR: folder }, args)).toEqual({
    code: 1,
    out: '',
    err: `There is no database in ${folder}. Set DATA_DIR or DATABASE_URL.`,
  })
  const wrong = await runOn({ DATA_DIR: folder, PORT: 'x' }, args)
  expect(wrong).toMatchObject({ code: 1, out: '' })
  expect(wrong.err).toBe("PORT=x can't be used: a port is a number from 0 to 65535")
  const unreachable = await runOn(
    { DATA_DIR: folder, DATABASE_URL: 'postgres://user:hidden@127.0.0.1:1/none' },
    args,
  )
  expect(unreachable.code).toBe(1)
  expect(unreachable.err).toMatch(/^The database \(DATABASE_URL\) can't be used: .*$/)
  expect(unreachable.err).not.toContain('hidden')
})

it('a database of another version is left alone', async () => {
  const { admin, open } = await createInstallation()
  const db = open()
  const migrations = db.withTables<{ kysely_migration: { name: string; timestamp: string } }>()
  await migrations
    .insertInto('kysely_migration')
    .values({ name: '9999-later', timestamp: '2027' })
    .execute()
  const args = ['reset-password', 'a@example.com']
  expect((await admin(args)).err).toContain('made by a newer version (9999-later)')
  await migrations.deleteFrom('kysely_migration').where('name', '>=', '0227').execute()
  expect((await admin(args)).err).toContain('of an older version (without 0227-alarms)')
})
