import type { Kysely } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { up } from '../../../../migrations/0016-refused-resends.ts'
import { json, runOf, startRunServer, type RunServer } from '../../../../test/run-server.ts'

// Runs as earlier versions left them, and what the migration makes of them.

let app: RunServer
let invoices: number
beforeAll(async () => {
  app = await startRunServer()
  invoices = await app.endpoint({ run_settings: { reference_path: 'no', is_duplicate_safe: true } })
})
afterAll(() => app.close())
beforeEach(() => app.answer(json(200, {})))

let content = 0
const body = () => `{"no":"M-${++content}"}`

/** Its first answer was lost, the resend refused, and an earlier version called that rejected. */
async function oldRun({ lost = true } = {}) {
  app.answer(lost ? (_request, _response, socket) => socket.destroy() : json(422, {}))
  const text = body()
  const { id } = runOf(await app.tax([{ end_point: invoices, body: text }]))
  app.answer(json(422, {}))
  if (lost) await app.post(`/api/runs/${id}/resume`, {})
  const { db } = app.server
  await db.updateTable('run_step').set({ state: 'rejected' }).where('run_id', '=', id).execute()
  await db
    .updateTable('run')
    .set({ state: 'rejected', unknown_since: null })
    .where('id', '=', id)
    .execute()
  await db
    .updateTable('document_step')
    .set({ state: 'not_accepted' })
    .where('run_id', '=', id)
    .execute()
  await db.updateTable('document').set({ state: 'not_accepted' }).where('run_id', '=', id).execute()
  app.answer(json(200, {}))
  return { id, body: text }
}
const update = () => up(app.server.db as unknown as Kysely<unknown>)
const correct = (id: number, text: string) =>
  app.post(`/api/runs/${id}/retry`, { endpoint_1: { body: text } })

it('what was refused when it was sent again is unknown, and is not sent once more', async () => {
  const { id, body: text } = await oldRun()
  await update()
  expect(await app.show(id)).toMatchObject({
    state: 'unknown',
    steps: [
      { state: 'unknown', can: { resolve: true }, message: expect.stringContaining('earlier') },
    ],
  })
  expect((await correct(id, text)).body).toMatchObject({ code: 'run.may_be_accepted' })
  const another = await app.tax([{ end_point: invoices, body: text.replace('}', ',"n":1}') }])
  expect(another.body).toMatchObject({ code: 'document.may_be_accepted', run_id: id })
  const said = await app.post(`/api/runs/${id}/resolve`, { step: 1, verdict: 'not_received' })
  expect(said.status, said.text).toBe(200)
  expect((await correct(id, text.replace('}', ',"n":2}'))).status).toBe(200)
})

it('what was refused at once stays rejected', async () => {
  const { id } = await oldRun({ lost: false })
  await update()
  expect(await app.show(id)).toMatchObject({ state: 'rejected', steps: [{ state: 'rejected' }] })
})

it('what another run has taken the place of stays as it was', async () => {
  const { id, body: text } = await oldRun()
  expect((await correct(id, text.replace('}', ',"n":3}'))).status).toBe(200)
  await update()
  expect(await app.show(id)).toMatchObject({ state: 'rejected' })
})

it('what a person has called not received stays rejected', async () => {
  app.answer((_request, _response, socket) => socket.destroy())
  const { id } = runOf(await app.tax([{ end_point: invoices, body: body() }]))
  await app.post(`/api/runs/${id}/resolve`, { step: 1, verdict: 'not_received' })
  app.answer(json(422, {}))
  await app.post(`/api/runs/${id}/resume`, {})
  await update()
  expect(await app.show(id)).toMatchObject({ state: 'rejected' })
})
