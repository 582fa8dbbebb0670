import { afterAll, beforeAll, expect, it } from 'vitest'
import { countRoundTrips } from '../../../../test/counting/count-round-trips.ts'
import { json, runOf, startRunServer, type RunServer } from '../../../../test/servers/run-server.ts'
import { isPostgres } from '../../../db/dialect.ts'

let app: RunServer
let endpoints: number[]
beforeAll(async () => {
  app = await startRunServer()
  app.answer(json(200, { id: 7, number: 'EIN', qr: 'QR' }))
  endpoints = []
  for (let step = 1; step <= 4; step++) {
    const paths = { reference_path: 'no', authority_reference_path: 'number', qr_path: 'qr' }
    endpoints.push(await app.endpoint({ run_settings: paths }))
  }
})
afterAll(() => app.close())

const bundle = (reference: string) =>
  endpoints.map((end_point, index) => ({
    end_point,
    body: `{"no":"${reference}-${index}","of":${index === 1 ? '"{{steps.1.body.id}}"' : '0'}}`,
  }))

/** All that a call takes, from its session to its answer: BEGIN, COMMIT and the look at the hold count. */
const roundTripsMax = 16

const callers = ['an administrator', 'another user'] as const
const title = 'a run of four submits, each with its document, takes few round trips for'
it.for(callers)(`${title} %s`, async (who, { skip }) => {
  if (!isPostgres(app.server.db)) skip('SQLite has no round trips.')
  const as = who === 'another user' ? (await app.person(['tax.send'], endpoints)).token : app.token
  await app.tax(bundle(`first of ${who}`), { as })
  let answer: Awaited<ReturnType<typeof app.tax>> | undefined
  const trips = await countRoundTrips(async () => {
    answer = await app.tax(bundle(`second of ${who}`), { as })
  })
  expect(answer?.status).toBe(200)
  const { id } = runOf(answer as Awaited<ReturnType<typeof app.tax>>)
  const attempts = await app.server.stores.runs.listAttempts(id)
  expect(attempts.map(({ outcome }) => outcome)).toEqual(['ok', 'ok', 'ok', 'ok'])
  expect(trips).toBeLessThanOrEqual(roundTripsMax)
})
