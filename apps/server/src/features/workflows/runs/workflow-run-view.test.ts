import type { WorkflowRun } from '@gatehouse/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { json, runOf, startRunServer, type RunServer } from '../../../../test/servers/run-server.ts'
import { addWorkflow } from '../../../../test/rows/workflow-rows.ts'

let app: RunServer
let clerk: Awaited<ReturnType<RunServer['person']>>
let machine: string
let run: number
const answer = { uuid: 'A-77', qr: 'AQIDBA==', total: 1 }

beforeAll(async () => {
  app = await startRunServer()
  const post = await app.endpoint({
    summery: 'Report invoice',
    run_settings: { reference_path: 'no', authority_reference_path: 'uuid', qr_path: 'qr' },
  })
  clerk = await app.person(['tax.send'], [post])
  app.answer(json(200, answer))
  const sent = await app.tax([{ end_point: post, body: '{"no":"INV-1"}' }], {
    as: clerk.token,
    key: 'key-of-run-1',
  })
  run = runOf(sent).id
  const { db } = app.server
  const workflow_id = await addWorkflow(db, 'invoices', { version: 4 })
  await db
    .updateTable('run')
    .set({ workflow_id, workflow_version: 3 })
    .where('id', '=', run)
    .execute()
  machine = await tokenFor(clerk.id)
})
afterAll(() => app.close())

async function tokenFor(user: number): Promise<string> {
  const made = await app.post('/admin/token/store', { user })
  return (made.body as { access_token: { token: string } }).access_token.token
}

const get = (url: string, token: string) =>
  app.server.send('GET', `/api/workflows/${url}`, { token })
const runs = async (query: string, token: string) =>
  ((await get(`invoices/runs?${query}`, token)).body as { runs: WorkflowRun[] }).runs

it('the holder of a token sees what became of a run, and the authority’s reference', async () => {
  const shown = await get(`invoices/runs/${run}`, machine)
  expect(shown.status, shown.text).toBe(200)
  expect(shown.body).toEqual({
    run: {
      id: run,
      state: 'succeeded',
      kind: 'tax',
      is_test: false,
      is_dry_run: false,
      workflow: { slug: 'invoices', version: 3 },
      reference: 'INV-1',
      key: 'key-of-run-1',
      batch: null,
      created_at: '2026-06-01T08:00:00.000Z',
      finished_at: '2026-06-01T08:00:00.000Z',
      outcome: 'ok',
      message: null,
      queue: null,
      authority_reference: 'A-77',
      qr: 'AQIDBA==',
      steps: [
        {
          position: 1,
          endpoint_name: 'Report invoice',
          method: 'POST',
          state: 'succeeded',
          outcome: 'ok',
          status: 200,
          message: null,
        },
      ],
    },
  })
})

it('with answers=1 the answers of its steps, as text', async () => {
  const { body } = await get(`invoices/runs/${run}?answers=1`, machine)
  expect((body as { run: WorkflowRun }).run.steps[0]?.answer).toBe(JSON.stringify(answer))
})

it('finds runs by key and by reference', async () => {
  expect((await runs('key=key-of-run-1', machine)).map(({ id }) => id)).toEqual([run])
  expect((await runs('reference=INV-1&answers=1', machine)).map(({ id }) => id)).toEqual([run])
  expect(await runs('key=key-of-run-1&reference=INV-2', machine)).toEqual([])
  const neither = await get('invoices/runs', machine)
  expect(neither.status).toBe(422)
  expect(neither.body).toMatchObject({ errors: { key: ['Name a key or a reference.'] } })
})

it('another user’s token sees nothing of it, not even with every permission', async () => {
  for (const token of [await tokenFor(app.server.admin.id), await tokenFor(4)]) {
    expect((await get(`invoices/runs/${run}`, token)).body).toMatchObject({ code: 'run.not_found' })
    expect(await runs('key=key-of-run-1', token)).toEqual([])
    expect(await runs('reference=INV-1', token)).toEqual([])
  }
})

it('people see their own runs, and with run.view those of all', async () => {
  const viewer = await app.server.buildUser({ permissions: ['run.view'] })
  const other = await app.server.buildUser({ permissions: ['workflow.view', 'workflow.run'] })
  const statusFor = async (token: string) => (await get(`invoices/runs/${run}`, token)).status
  expect(await statusFor(clerk.token)).toBe(200)
  expect(await statusFor(viewer.token)).toBe(200)
  expect(await statusFor(other.token)).toBe(404)
})

it('the slug belongs to the name of a run', async () => {
  await addWorkflow(app.server.db, 'receipts')
  for (const slug of ['receipts', 'Invoices', 'invoices%00', '%20invoices', "invoices'--", 'none'])
    expect((await get(`${slug}/runs/${run}`, machine)).status).toBe(404)
})
