import { mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Answer } from '../../../test/servers/build-server.ts'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { addEndedRuns } from '../../../test/rows/archive-rows.ts'
import { buildServer, type TestServer } from '../../../test/servers/build-server.ts'

let server: TestServer
let folder: string
let runs: number[]
const dayMs = 86_400_000
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-archive-'))
  server = await buildServer({ ARCHIVE_DIR: folder })
  const at = new Date(server.time.now.getTime() - 40 * dayMs)
  const paddingOf = (n: number) => `"blue" bicycle ${n}.`
  runs = await addEndedRuns(server.db, { at, count: 250, run: { is_test: 1 }, paddingOf })
  await addEndedRuns(server.db, { at, count: 3, effect: 'read' })
  await post('/api/archive/round')
  await server.unattended.archive.look()
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

const get = (url: string, token = server.admin.token): Promise<Answer> =>
  server.send('GET', url, { token })
const post = (url: string, token = server.admin.token) => server.send('POST', url, { token })

it('says what a round did, how much is where, and what 1,000 runs of a class need', async () => {
  const { body } = await get('/api/archive')
  expect(body).toMatchObject({
    folder,
    settings: { test_days: 30, read_days: 90, submit_days: 3650 },
    round: { phase: 'idle', runs_due: 250, runs_written: 250, runs_removed: 250, problem: null },
    growth: { files: 1, archived_runs: 250 },
  })
  const { growth } = body as { growth: { classes: { bytes_per_1000_runs: number | null }[] } }
  const [test, read, submit] = growth.classes.map((each) => each.bytes_per_1000_runs)
  expect([test, submit]).toEqual([null, null])
  expect(read).toBeGreaterThan(200_000)
})

it('says in how many days the disk is full, at the pace of the last days', async () => {
  const measured_at = new Date(server.time.now.getTime() - 4 * dayMs).toISOString()
  const day = measured_at.slice(0, 10)
  const size = { day, measured_at, database_bytes: 0, archive_bytes: 0 }
  await server.db.insertInto('archive_size').values(size).execute()
  const { growth } = (await get('/api/archive')).body as {
    growth: { archive: { used_bytes: number; bytes_per_day: number; days_until_full: number } }
  }
  const { archive } = growth
  expect(archive.bytes_per_day).toBe(Math.round(archive.used_bytes / 4))
  const { bavail, bsize } = statfsSync(folder)
  const days = (bavail * bsize) / archive.bytes_per_day
  expect(archive.days_until_full / days).toBeGreaterThan(0.9)
})

it('knows the room for an archive whose folder is made with its first file', async () => {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'gatehouse-no-archive-'))
  const fresh = await buildServer({ DATA_DIR })
  onTestFinished(async () => {
    await fresh.close()
    rmSync(DATA_DIR, { recursive: true })
  })
  const { body } = await fresh.send('GET', '/api/archive', { token: fresh.admin.token })
  expect(body).toMatchObject({
    folder: join(DATA_DIR, 'archive'),
    growth: { archive: { used_bytes: 0, free_bytes: expect.any(Number) } },
  })
})

it('lists, checks and hands out files, and records who took one', async () => {
  const [page] = (await get('/api/archive/files?search=000001')).body as [{ data: object[] }]
  expect(page).toMatchObject({ total: 1, data: [{ id: 1, runs: 250, is_own: true, check: null }] })
  expect((await post('/api/archive/files/1/check')).body).toMatchObject({
    check: { result: 'intact' },
  })
  const { token } = await server.buildUser({ permissions: ['archive.download'] })
  const answer = await server.app.inject({
    url: '/api/archive/files/1/download',
    headers: { authorization: `Bearer ${token}` },
  })
  expect(answer.rawPayload).toEqual(readFileSync(join(folder, 'runs-000001.ndjson.gz')))
  const events = await server.db
    .selectFrom('audit_event')
    .select('action')
    .where('thing', '=', 'archive')
    .execute()
  expect(events.map(({ action }) => action)).toEqual(['archive.round', 'archive.download'])
  expect((await post('/api/archive/files/9/check')).status).toBe(404)
})

it('finds a run by its number, and runs by how a reference begins', async () => {
  const idsOf = async (text: string) => {
    const { body } = await get(`/api/archive/runs?search=${encodeURIComponent(text)}`)
    return (body as { hits: { run_id: number }[] }).hits.map(({ run_id }) => run_id)
  }
  expect(await idsOf(String(runs[7]))).toEqual([runs[7]])
  expect(await idsOf('INV-249')).toEqual([runs[249]])
  expect(await idsOf('INV-2')).toContain(runs[29])
  expect(await idsOf('INV-%')).toEqual([])
})

it('finds the runs of a register, and names it', async () => {
  const at = server.time.now.toISOString()
  const { id: document_id } = await server.db
    .insertInto('document')
    .values({
      kind: 'tax',
      is_test: 1,
      reference: 'INV-249',
      reference_key: 'INV-249',
      register: 'Other company',
      state: 'accepted',
      run_id: runs[249]!,
      created_at: at,
      updated_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await server.db
    .insertInto('document_step')
    .values({ document_id, run_id: runs[249]!, position: 1, state: 'accepted' })
    .execute()
  const found = async (register: string) => {
    const { body } = await get(`/api/archive/runs?search=INV-24&register=${register}`)
    return (body as { hits: { run_id: number; registers: string[] }[] }).hits
  }
  expect(await found('Other+company')).toMatchObject([
    { run_id: runs[249], registers: ['Other company'] },
  ])
  expect(await found('None')).toEqual([])
})

it('finds a text in bodies and answers, with its quotes, for those who may see runs', async () => {
  const path = `/api/archive/search?text=${encodeURIComponent('"blue" bicycle 211.')}`
  expect((await get(path)).body).toMatchObject({
    hits: [{ run_id: runs[210], file: { id: 1 }, line: 211 }],
    next: null,
    skipped: [],
  })
  const { token } = await server.buildUser({ permissions: ['archive.view'] })
  expect((await get(path, token)).status).toBe(403)
})

it('refuses days that are too few, and a schedule that can’t be read', async () => {
  const body = {
    test_days: 0,
    read_days: 'x',
    submit_days: 3649,
    cron: '0 2 * * *',
    time_zone: 'UTC',
  }
  const put = (changes: object) =>
    server.send('PUT', '/api/archive/settings', {
      token: server.admin.token,
      body: { ...body, ...changes },
    })
  const fields = async (changes: object) =>
    Object.keys(((await put(changes)).body as { errors: object }).errors)
  expect(await fields({})).toEqual(['test_days', 'read_days', 'submit_days'])
  const right = { test_days: 1, read_days: null, submit_days: 3650 }
  expect(await fields({ ...right, cron: '99 2 * * *', time_zone: 'Nowhere' })).toEqual([
    'cron',
    'time_zone',
  ])
})
