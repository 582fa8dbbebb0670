import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createInstallation } from '../../../test/processes/admin-commands.ts'
import { buildServer } from '../../../test/servers/build-server.ts'
import { startLaneServer } from '../../../test/servers/lane-server.ts'
import { createSecretBox } from '../../kernel/secret-box.ts'

const key = Buffer.alloc(32, 7)

it('what was queued or due when a backup was made is sent once after the release, and not before', async () => {
  const original = await createInstallation({ key: key.toString('base64') })
  const first = await startLaneServer({}, { db: original.open(), drop: async () => {} })
  onTestFinished(() => first.upstream.close())
  const post = await first.endpoint({ path: '/submit' })
  const flow = await first.workflow([{ endpointId: post, text: '{"n":1}' }], {
    lane: { is_paused: 1 },
  })
  const { runId } = await first.put(flow)
  const { token } = first
  const schedule = {
    workflow_id: flow.id,
    name: 'Every minute',
    cron: '* * * * *',
    time_zone: 'UTC',
    start: 'input',
    input: '{"of":"schedule"}',
  }
  const made = await first.server.send('POST', '/api/schedules', { token, body: schedule })
  expect(made.status, made.text).toBe(201)
  await original.open().updateTable('lane').set({ is_paused: 0 }).execute()
  await first.server.app.close()
  const file = join(original.folder, 'one.backup')
  expect((await original.admin(['backup', file])).code).toBe(0)

  const copy = await createInstallation({ isEmpty: true, key: key.toString('base64') })
  const restored = await copy.admin(['restore', file])
  expect(restored).toMatchObject({ code: 0 })
  expect(restored.err).toContain('The installation is held')
  const server = await buildServer(
    {},
    undefined,
    { db: copy.open(), drop: async () => {} },
    { secrets: createSecretBox(key), instanceId: 'one' },
  )
  onTestFinished(() => server.close())
  server.time.now = new Date('2026-06-01T08:01:00Z')
  const work = async () => {
    for (let round = 0; round < 2; round++) {
      await server.unattended.schedules.keeper.look()
      await server.dispatcher.look()
      await server.dispatcher.settled()
    }
  }
  await work()
  expect(first.upstream.received).toEqual([])
  const body = { note: 'The authority has none of them.' }
  const released = await server.send('POST', '/api/installation/release', {
    token: server.admin.token,
    body,
  })
  expect(released.status, released.text).toBe(200)
  await work()
  expect(first.upstream.received).toHaveLength(2)
  const { state } = await server.db
    .selectFrom('run')
    .select('state')
    .where('id', '=', runId)
    .executeTakeFirstOrThrow()
  expect(state).toBe('succeeded')
})
