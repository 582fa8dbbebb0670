import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { endpointOf } from '../../../../../test/servers/build-server.ts'
import {
  json,
  runOf,
  startRunServer,
  type RunServer,
} from '../../../../../test/servers/run-server.ts'

// A path into a list names one document of several: the others would be sent again unseen.

let app: RunServer
beforeAll(async () => {
  app = await startRunServer()
})
afterAll(() => app.close())
beforeEach(() => {
  app.upstream.received.length = 0
  app.answer(json(200, {}))
})

/** Settings as an earlier version let them be saved. */
async function storedWith(settings: object): Promise<number> {
  const id = await app.endpoint({ run_settings: { reference_path: 'no' } })
  const { run_settings } = await app.server.db
    .selectFrom('endpoint')
    .select('run_settings')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const before = JSON.parse(run_settings ?? '{}') as object
  await app.server.db
    .updateTable('endpoint')
    .set({ run_settings: JSON.stringify({ ...before, ...settings }) })
    .where('id', '=', id)
    .execute()
  return id
}

const batch = (...numbers: string[]) => JSON.stringify({ documents: numbers.map((no) => ({ no })) })
const refused = {
  errors: { 'endpoint_1.end_point': [expect.stringContaining('documents[')] },
}

it.each(['documents[0].no', 'documents[*].no'])('is refused when it is saved: %s', async (path) => {
  const answer = await app.post(
    '/api/endpoint',
    endpointOf(1, { method_type: 'post', run_settings: { reference_path: path } }),
  )
  expect(answer.status).toBe(422)
  expect(answer.body).toMatchObject({
    errors: { 'run_settings.reference_path': [expect.stringContaining('one document')] },
  })
})

it.each(['documents[0].no', 'documents[*].no'])(
  'is refused before anything is sent, where it is stored: %s',
  async (reference_path) => {
    const end_point = await storedWith({ reference_path })
    for (const body of [batch('A', 'B'), batch('A'), batch('C', 'B')]) {
      const answer = await app.tax([{ end_point, body }])
      expect(answer.status).toBe(422)
      expect(answer.body).toMatchObject(refused)
    }
    expect(app.upstream.received).toEqual([])
    const shown = await app.server.send('GET', `/api/endpoint/${end_point}/edit`, {
      token: app.token,
    })
    expect(shown.body).toMatchObject([{ run_settings: { reference_path } }, expect.anything()])
  },
)

it('is refused before the steps in front of it are sent', async () => {
  const first = await app.endpoint()
  const end_point = await storedWith({ reference_path: 'documents[0].no' })
  const answer = await app.tax([
    { end_point: first, body: '{"id":1}' },
    { end_point, body: '{"documents":[{"no":"{{steps.1.body.id}}"}]}' },
  ])
  expect(answer.body).toMatchObject({
    errors: { 'endpoint_2.end_point': [expect.stringContaining('documents[0].no')] },
  })
  expect(app.upstream.received).toEqual([])
})

it('is refused for the original of a credit note as well', async () => {
  const end_point = await storedWith({ original_reference_path: 'documents[0].of' })
  const answer = await app.credit([{ end_point, body: '{"no":"C","documents":[{"of":"A"}]}' }])
  expect(answer.body).toMatchObject(refused)
})

it('prevents a resume until the run settings are corrected', async () => {
  const end_point = await app.endpoint({ run_settings: { reference_path: 'no' } })
  app.answer(json(401, {}))
  const { id } = runOf(await app.tax([{ end_point, body: '{"no":"R-1"}' }]))
  const setPath = (reference_path: string) =>
    app.server.db
      .updateTable('endpoint')
      .set({ run_settings: JSON.stringify({ reference_path }) })
      .where('id', '=', end_point)
      .execute()
  await setPath('documents[0].no')
  const resume = () => app.post(`/api/runs/${id}/resume`, {})
  expect((await resume()).body).toMatchObject(refused)
  await setPath('no')
  app.answer(json(200, {}))
  expect((await resume()).status).toBe(200)
})
