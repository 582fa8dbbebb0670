import { afterAll, beforeAll, expect, it } from 'vitest'
import { runOf, startRunServer, type RunServer } from '../../../../test/servers/run-server.ts'

let app: RunServer
beforeAll(async () => {
  app = await startRunServer()
})
afterAll(() => app.close())

it('a step waits as long as its endpoint says, although its API waits for ten minutes', async () => {
  const patient = await app.createApi({ name: 'Patient', answer_timeout_ms: 600_000 })
  const end_point = await app.endpoint({ answer_timeout_ms: 150 }, patient)
  app.answer(() => {})
  const run = runOf(await app.tax([{ end_point, body: '{"n":1}' }]))
  expect(run.state).toBe('unknown')
})
