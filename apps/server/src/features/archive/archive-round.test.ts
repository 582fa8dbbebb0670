import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { addEndedRuns, ledgerOf } from '../../../test/rows/archive-rows.ts'
import { buildServer, type TestServer } from '../../../test/servers/build-server.ts'

let server: TestServer
let folder: string
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-archive-'))
  server = await buildServer({ ARCHIVE_DIR: folder })
  return async () => {
    await server.close()
    rmSync(folder, { recursive: true })
  }
})

const daysAgo = (days: number) => new Date(server.time.now.getTime() - days * 86_400_000)

/** As if a person had asked for it. */
async function archive() {
  await server.send('POST', '/api/archive/round', { token: server.admin.token })
  await server.unattended.archive.look()
}

const bodiesLeft = async (ids: readonly number[]) => {
  const { steps } = await ledgerOf(server.db, ids)
  return steps.filter(({ body }) => body !== null).map(({ run_id }) => run_id)
}

const filesOf = () => readdirSync(folder).toSorted()

it('moves bodies of runs whose days are over into a file, class by class, and keeps the ledger', async () => {
  const { db } = server
  const test = await addEndedRuns(db, { at: daysAgo(31), run: { is_test: 1 } })
  const newTest = await addEndedRuns(db, { at: daysAgo(29), run: { is_test: 1 } })
  const read = await addEndedRuns(db, { at: daysAgo(91), effect: 'read' })
  const newRead = await addEndedRuns(db, { at: daysAgo(89), effect: 'read' })
  const submit = await addEndedRuns(db, { at: daysAgo(3651) })
  const newSubmit = await addEndedRuns(db, { at: daysAgo(3649) })
  const all = [test, newTest, read, newRead, submit, newSubmit].flat()
  const before = await ledgerOf(db)
  await archive()
  expect(await bodiesLeft(all)).toEqual([newTest, newRead, newSubmit].flat())
  expect(filesOf()).toEqual(['runs-000001.manifest.json', 'runs-000001.ndjson.gz'])
  const after = await ledgerOf(db)
  expect(after.runs).toEqual(before.runs)
  const without = before.steps.map((step) =>
    after.steps.some(({ id, body }) => id === step.id && body !== null)
      ? step
      : { ...step, headers: '{}', body: null, source_body: null },
  )
  expect(after.steps).toEqual(without)
  expect(after.attempts.map(({ answer_bytes }) => answer_bytes)).toEqual(
    before.attempts.map(({ answer_bytes }) => answer_bytes),
  )
})

it('brings back byte for byte what it took', async () => {
  const { db } = server
  const ids = await addEndedRuns(db, { at: daysAgo(40), run: { is_test: 1 }, count: 30 })
  const before = await ledgerOf(db)
  await archive()
  expect(await bodiesLeft(ids)).toEqual([])
  for (const id of ids) await server.archived.bringBack(id)
  expect(await ledgerOf(db)).toEqual(before)
  // What was brought back stays for a week.
  await archive()
  expect(await bodiesLeft(ids)).toEqual(ids)
  server.time.now = new Date(server.time.now.getTime() + 8 * 86_400_000)
  await archive()
  expect(await bodiesLeft(ids)).toEqual([])
})

it.each([
  ['unknown', { run: { state: 'unknown' }, step: { state: 'unknown' } }],
  ['pending', { run: { state: 'pending' }, step: { state: 'pending' } }],
  ['queued', { run: { state: 'queued', finished_at: null }, step: { state: 'waiting' } }],
  ['running', { run: { state: 'running', finished_at: null }, step: { state: 'sending' } }],
  ['partly accepted', { run: { state: 'partial' }, step: { state: 'partial' } }],
  ['with an open attempt', { attempt: { finished_at: null, outcome: null } }],
  ['stopped', { run: { state: 'stopped', is_test: 0 } }],
  ['blocked', { run: { state: 'blocked', is_test: 0 } }],
] as const)('keeps the bodies of a run that is %s, however old', async (_, choice) => {
  const run = { is_test: 1, ...('run' in choice ? choice.run : {}) } as const
  const ids = await addEndedRuns(server.db, { at: daysAgo(5000), ...choice, run })
  await archive()
  expect(await bodiesLeft(ids)).toEqual(ids)
  expect(filesOf()).toEqual([])
})

it('takes a run once it is settled, or closed by a person', async () => {
  const { db } = server
  const [unknown, stopped] = [
    ...(await addEndedRuns(db, { at: daysAgo(4000), run: { state: 'unknown' } })),
    ...(await addEndedRuns(db, { at: daysAgo(4000), run: { state: 'stopped' } })),
  ]
  await archive()
  expect(filesOf()).toEqual([])
  await db.updateTable('run').set({ state: 'succeeded' }).where('id', '=', unknown!).execute()
  const closed = { closed_at: daysAgo(1).toISOString(), closed_reason: 'Done by hand' }
  await db.updateTable('run').set(closed).where('id', '=', stopped!).execute()
  await archive()
  expect(await bodiesLeft([unknown!, stopped!])).toEqual([])
})

it('keeps a run while another one that uses its answers goes on', async () => {
  const { db } = server
  const old = { at: daysAgo(40), run: { is_test: 1 as const } }
  const [first] = await addEndedRuns(db, old)
  const [second] = await addEndedRuns(db, { ...old, run: { ...old.run, retry_of: first! } })
  const [third] = await addEndedRuns(db, {
    ...old,
    run: { ...old.run, retry_of: second!, state: 'queued', finished_at: null },
  })
  await archive()
  expect(await bodiesLeft([first!, second!, third!])).toEqual([first, second, third])
  await db
    .updateTable('run')
    .set({ state: 'succeeded', finished_at: daysAgo(35).toISOString() })
    .where('id', '=', third!)
    .execute()
  await archive()
  expect(await bodiesLeft([first!, second!, third!])).toEqual([])
})

it('begins by the schedule, in its time zone, and not before', async () => {
  const ids = await addEndedRuns(server.db, { at: daysAgo(40), run: { is_test: 1 } })
  server.time.now = new Date('2026-06-02T01:59:00Z')
  await server.unattended.archive.look()
  expect(await bodiesLeft(ids)).toEqual(ids)
  server.time.now = new Date('2026-06-02T02:00:00Z')
  await server.unattended.archive.look()
  expect(await bodiesLeft(ids)).toEqual([])
})

it('never takes a class that is set to stay', async () => {
  const ids = await addEndedRuns(server.db, { at: daysAgo(40), run: { is_test: 1 } })
  const body = {
    test_days: null,
    read_days: 90,
    submit_days: 3650,
    cron: '0 2 * * *',
    time_zone: 'UTC',
  }
  const { token } = server.admin
  expect((await server.send('PUT', '/api/archive/settings', { token, body })).status).toBe(200)
  await archive()
  expect(await bodiesLeft(ids)).toEqual(ids)
})
