import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, it, onTestFinished } from 'vitest'
import { createInstallation, type Installation } from '../../../test/processes/admin-commands.ts'
import { endpointOf, httpApi } from '../../../test/servers/build-server.ts'
import { startUpstream } from '../../../test/servers/hostile-upstream.ts'
import { serve } from '../../../test/servers/serve-installation.ts'
import { connect } from '../../db/connect.ts'
import { listWholeTables } from '../../db/whole-database.ts'
import { readWhole } from '../copy/copy-rows.ts'
import { RowSum, rowText } from './row-sum.ts'

const key = Buffer.alloc(32, 7).toString('base64')
const isPostgres = process.env['TEST_DATABASE_URL'] !== undefined
const ofFile = 'the file alone decides, before a database is reached'

/** What every table holds. */
const sumsOf = ({ open }: Installation) =>
  readWhole(open(), async (source) => {
    const sums: Record<string, unknown> = {}
    for await (const { table, batches } of source.tables()) {
      const sum = new RowSum()
      for await (const rows of batches) for (const row of rows) sum.add(rowText(row))
      sums[table.name] = sum.total
    }
    return { sums, counters: source.counters }
  })

it('a backup made while runs go on is one moment, and a product starts on it with its secrets', async () => {
  const upstream = await startUpstream((_request, response) => void response.end('{}'))
  onTestFinished(() => upstream.close())
  const original = await createInstallation({ key })
  const server = await serve(original.folder, original.environment)
  const api = httpApi({
    api_url: upstream.url,
    credential: { kind: 'bearer', token: 'planted-token' },
  })
  const made = await server.send('POST', '/api/apis', api)
  expect(made.status).toBe(201)
  const path = endpointOf(made.body.id, { method_type: 'post', path: '/invoices' })
  const { id } = (await server.send('POST', '/api/endpoint', path)).body
  const invoice = (to: typeof server, number: number) =>
    to.send('POST', '/api/tax', {
      endpoint_1: { end_point: id, body: `{"number":"INV-${number}"}` },
    })
  for (let number = 0; number < 30; number++)
    expect((await invoice(server, number)).status).toBe(200)
  let isDone = false
  let sent = 30
  const load = [1, 2, 3].map(async () => {
    while (!isDone) expect((await invoice(server, sent++)).status).toBe(200)
  })
  const folder = join(original.folder, 'backups')
  mkdirSync(folder)
  const outcome = await original.admin(['backup', folder])
  isDone = true
  await Promise.all(load)
  expect(outcome).toMatchObject({ code: 0 })
  const [name = ''] = readdirSync(folder)
  expect(name).toMatch(/^gatehouse-\d{4}-.*Z\.backup$/)
  const file = join(folder, name)
  expect(statSync(file).mode & 0o077).toBe(0)
  const content = gunzipSync(readFileSync(file)).toString()
  expect(content).not.toContain('planted-token')
  expect(content).not.toContain(key)
  expect(await original.open().selectFrom('backup').select('file').execute()).toEqual([{ file }])
  const acts = original.open().selectFrom('audit_event').select(['actor', 'thing_name'])
  expect(await acts.where('action', '=', 'installation.backup').execute()).toEqual([
    { actor: 'command line', thing_name: file },
  ])
  await server.stop()

  const copy = await createInstallation({ isEmpty: true, key })
  const restored = await copy.admin(['restore', file])
  expect(restored).toMatchObject({ code: 0 })
  const db = copy.open()
  const runs = await db.selectFrom('run').select('id').execute()
  expect(runs.length).toBeGreaterThanOrEqual(30)
  // What was sent after that moment is not in it.
  expect(runs.length).toBeLessThanOrEqual(sent)
  const steps = await db.selectFrom('run_step').select('run_id').distinct().execute()
  expect(steps.length).toBe(runs.length)

  const seen = upstream.received.length
  const second = await serve(copy.folder, copy.environment)
  expect((await invoice(second, 1_000_000)).status).toBe(409)
  const released = await second.send('POST', '/api/installation/release', { note: 'Checked.' })
  expect(released.status).toBe(200)
  expect((await invoice(second, 1_000_000)).status).toBe(200)
  expect(upstream.received[seen]?.headers.authorization).toBe('Bearer planted-token')
  const newest = await db
    .selectFrom('run')
    .select(({ fn }) => fn.max('id').as('id'))
    .executeTakeFirst()
  expect(newest?.id).toBeGreaterThan(runs.length - 1)
  await second.stop()
})

it('every table and counter is the same after a restore', async () => {
  const original = await createInstallation({ key })
  const db = original.open()
  const gone = await db
    .insertInto('role')
    .values({ name: 'ü\u{1f600}"\\\n', name_key: 'gone' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.insertInto('role').values({ name: 'last', name_key: 'last' }).execute()
  await db.deleteFrom('role').where('name_key', '=', 'last').execute()
  const file = join(original.folder, 'one.backup')
  const before = await sumsOf(original)
  expect((await original.admin(['backup', file])).code).toBe(0)
  const copy = await createInstallation({ isEmpty: true, key })
  expect((await copy.admin(['restore', file])).code).toBe(0)
  // The restore itself is in the audit trail, and nothing else is new.
  const event = await copy.open().selectFrom('audit_event').selectAll().execute()
  expect(event).toMatchObject([
    { action: 'installation.restore', actor: 'command line', thing_name: file },
  ])
  const after = await sumsOf(copy)
  const { audit_event, installation_hold } = before.sums
  expect({
    sums: { ...after.sums, audit_event, installation_hold },
    counters: { ...after.counters, audit_event: undefined },
  }).toEqual(before)
  // The id of a row that was deleted is not given again.
  const next = await copy
    .open()
    .insertInto('role')
    .values({ name: 'next', name_key: 'next' })
    .returning('id')
    .executeTakeFirstOrThrow()
  expect(next.id).toBe(gone.id + 2)
  expect((await listWholeTables(db)).map(({ name }) => name)).toContain('audit_event')
})

it('a file that is damaged, cut off or no backup is refused before anything is touched', async ({
  skip,
}) => {
  skip(isPostgres, ofFile)
  const original = await createInstallation({ key })
  const file = join(original.folder, 'one.backup')
  await original.admin(['backup', file])
  const copy = await createInstallation({ isEmpty: true, key })
  const text = gunzipSync(readFileSync(file)).toString()
  const changed = join(copy.folder, 'changed.backup')
  const refusalOf = async (content: string | Buffer) => {
    writeFileSync(changed, content)
    const { code, err } = await copy.admin(['restore', changed])
    expect(code).toBe(1)
    return err
  }
  expect(await refusalOf(gzipSync(text.replace('API Consumer', 'API Consumers')))).toContain(
    'the rows of role are not those that were written',
  )
  expect(
    await refusalOf(gzipSync(text.replace('"has_archive":false', '"has_archive":true'))),
  ).toContain('its content is not what was written')
  expect(await refusalOf(gzipSync(text.split('\n').slice(0, -2).join('\n')))).toContain(
    'it is cut off',
  )
  expect(await refusalOf('no backup')).toContain('its compression is broken')
  expect(await refusalOf(gzipSync('{}'))).toContain('it is no backup of Gatehouse')
  writeFileSync(changed, readFileSync(file))
  truncateSync(changed, statSync(file).size - 20)
  expect((await copy.admin(['restore', changed])).err).toContain(
    'its compression is broken or cut off',
  )
  expect(readdirSync(copy.folder)).toEqual(['changed.backup'])
  expect((await copy.admin(['restore', file])).code).toBe(0)
})

it('another key, and a database in use, are refused unless that is said', async () => {
  const original = await createInstallation({ key })
  const db = original.open()
  const server = await serve(original.folder, original.environment)
  await server.stop()
  const file = join(original.folder, 'one.backup')
  await original.admin(['backup', file])
  const other = await createInstallation({ isEmpty: true })
  expect((await other.admin(['restore', file])).err).toContain('The key here is not the one')
  expect((await other.admin(['restore', file, '--any-key'])).code).toBe(0)

  const before = await db.selectFrom('audit_event').select('id').execute()
  expect((await original.admin(['restore', file])).err).toMatch(
    /There is a database in|is not empty/,
  )
  expect(await db.selectFrom('audit_event').select('id').execute()).toEqual(before)
  if (original.environment['DATABASE_URL']) {
    // As a server that runs would hold it.
    expect((await original.admin(['restore', file, '--replace'])).err).toContain('stop the servers')
    await original.close()
  }
  const replaced = await original.admin(['restore', file, '--replace'])
  const aside = /The database that was there is (.*)\.$/m.exec(replaced.err)?.[1] ?? ''
  const acts = await original.open().selectFrom('audit_event').select('action').execute()
  expect(acts.map(({ action }) => action)).toContain('installation.restore')
  expect(acts.map(({ action }) => action)).not.toContain('installation.backup')
  if (original.environment['DATABASE_URL']) {
    const { host } = new URL(original.environment['DATABASE_URL'])
    expect(aside).toContain(`${host}/`)
    const other = aside.split('/').pop() ?? ''
    const url = original.environment['DATABASE_URL'].replace(/(\/\/[^/]*\/)[^?]+/, `$1${other}`)
    const old = connect({ kind: 'postgres', url })
    expect(await old.selectFrom('audit_event').select('id').execute()).toEqual(before)
    await old.destroy()
    return
  }
  expect(readdirSync(original.folder).some((name) => /^gatehouse\.sqlite\.\d{4}/.test(name))).toBe(
    true,
  )
})

it('the files of the archive go with it where that is asked for', async () => {
  const original = await createInstallation({ key })
  mkdirSync(join(original.folder, 'archive/2026'), { recursive: true })
  const bytes = Buffer.alloc(2_000_000, 'abc\u0000')
  writeFileSync(join(original.folder, 'archive/2026/a.gz'), bytes)
  const file = join(original.folder, 'one.backup')
  expect((await original.admin(['backup', file, '--with-archive'])).out).toContain(
    '1 files of the archive',
  )
  const copy = await createInstallation({ isEmpty: true, key })
  expect((await copy.admin(['restore', file])).out).toContain('and 1 files')
  expect(readFileSync(join(copy.folder, 'archive/2026/a.gz')).equals(bytes)).toBe(true)
})

/** A backup as somebody could make it who knows its format: every sum in it is right. */
function forged(lines: readonly string[]): Buffer {
  const hash = createHash('sha256')
  for (const line of lines) hash.update(`${line}\n`)
  const end = JSON.stringify({ end_of_backup: true, sha256: hash.digest('hex') })
  return gzipSync([...lines, end].map((line) => `${line}\n`).join(''))
}

it('a backup that was made to do harm is refused, and nothing is left of it', async () => {
  const original = await createInstallation({ key })
  const file = join(original.folder, 'one.backup')
  await original.admin(['backup', file])
  const whole = gunzipSync(readFileSync(file)).toString().trim().split('\n').slice(0, -1)
  const [header = '', ...rest] = whole
  const withTable = (name: string, columns: string[]) => {
    const changed = JSON.parse(header) as { tables: object[] }
    changed.tables.push({ name, columns })
    const sum = new RowSum()
    const row = JSON.stringify(columns.map(() => 'x'))
    sum.add(row)
    return forged([
      JSON.stringify(changed),
      ...rest,
      JSON.stringify({ table: name }),
      row,
      JSON.stringify({ end: name, ...sum.total }),
    ])
  }
  const copy = await createInstallation({ isEmpty: true, key })
  const changed = join(copy.folder, 'changed.backup')
  const refusalOf = async (content: Buffer) => {
    writeFileSync(changed, content)
    const { code, err } = await copy.admin(['restore', changed])
    expect(code).toBe(1)
    expect(err.trim().split('\n')).toHaveLength(1)
    return err
  }
  for (const name of ['sqlite_master', 'pg_catalog.pg_authid', 'kysely_migration', 'no_such_table'])
    expect(await refusalOf(withTable(name, ['name']))).toContain(
      'a table that its version does not',
    )
  expect(await refusalOf(withTable('role', ['name', 'no_such_column']))).toContain(
    'a table that its version does not',
  )
  expect(await refusalOf(forged([header, '{"table":']))).toContain('a line of it is not JSON')
  const huge = gzipSync(
    Buffer.concat([Buffer.from(`${header}\n`), Buffer.alloc(300 * 2 ** 20, '[')]),
  )
  expect(await refusalOf(huge)).toContain('a line of it is too long')
  for (const name of ['../outside', '/tmp/outside', 'a/../../outside'])
    expect(
      await refusalOf(
        forged([
          ...whole,
          JSON.stringify({ file: name }),
          '"eA=="',
          JSON.stringify({ end: name, sha256: '' }),
        ]),
      ),
    ).toContain('is not a name of a file in the archive')
  expect(existsSync(join(copy.folder, 'outside'))).toBe(false)
  // The one that was not changed still goes in.
  expect((await copy.admin(['restore', file])).code).toBe(0)
})

it('texts with every separator that is none come back as they were', async ({ skip }) => {
  skip(isPostgres, ofFile)
  const original = await createInstallation({ key })
  const name = 'One\u2028two\u2029three\u0085four'
  await original.open().updateTable('role').set({ name_key: name }).where('id', '=', 1).execute()
  const file = join(original.folder, 'one.backup')
  expect((await original.admin(['backup', file])).code).toBe(0)
  const copy = await createInstallation({ isEmpty: true, key })
  const restored = await copy.admin(['restore', file])
  expect(restored.code, restored.err).toBe(0)
  const role = await copy
    .open()
    .selectFrom('role')
    .select('name_key')
    .where('id', '=', 1)
    .executeTakeFirst()
  expect(role).toEqual({ name_key: name })
})
