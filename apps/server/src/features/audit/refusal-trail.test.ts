// Databases: SQLite.

import { afterEach, beforeEach, expect, it } from 'vitest'
import { buildServer, type TestServer } from '../../../test/servers/build-server.ts'

let server: TestServer
beforeEach(async () => {
  server = await buildServer()
})
afterEach(() => server.close())

const rows = (action: string) =>
  server.db.selectFrom('audit_event').selectAll().where('action', '=', action).execute()

async function refuseOften(token: string, calls: number) {
  for (let call = 0; call < calls; call++)
    expect((await server.send('GET', `/api/user/${call + 1}/edit`, { token })).status).toBe(403)
}

it('a person’s refusals are kept one by one', async () => {
  const { token } = await server.buildUser()
  await refuseOften(token, 3)
  expect(await rows('call.refused')).toHaveLength(3)
})

it('repeats within a minute share one row that counts them', async () => {
  const { id, token } = await server.buildUser()
  await refuseOften(token, 200)
  expect(await rows('call.refused')).toHaveLength(10)
  await server.refusals.flush()
  const all = await rows('call.refused')
  expect(all).toHaveLength(11)
  expect(all.at(-1)).toMatchObject({ actor_id: id, times: 190, outcome: 'refused' })
  expect(all.reduce((sum, { times }) => sum + times, 0)).toBe(200)
  const listed = await server.send('GET', '/api/audit?action=call.refused', {
    token: server.admin.token,
  })
  const [page] = listed.body as [{ data: { times: number }[] }]
  expect(page.data.slice(0, 2).map(({ times }) => times)).toEqual([190, 1])
})

it('one caller’s repeats hide no other caller’s first refusal', async () => {
  const loud = await server.buildUser()
  const quiet = await server.buildUser()
  await refuseOften(loud.token, 50)
  await refuseOften(quiet.token, 1)
  expect((await rows('call.refused')).map(({ actor_id }) => actor_id)).toContain(quiet.id)
})

it('addresses without end still share rows', async () => {
  const by = (index: number) => ({ requestId: 'r', address: `10.0.${index >> 8}.${index & 255}` })
  const entry = { action: 'session.refused', outcome: 'refused', thing: 'session' } as const
  for (let index = 0; index < 2000; index++)
    await server.refusals.record(by(index), { ...entry, name: `guess-${index}` })
  await server.refusals.flush()
  const all = await rows('session.refused')
  expect(all.length).toBeLessThanOrEqual(501)
  expect(all.reduce((sum, { times }) => sum + times, 0)).toBe(2000)
})
