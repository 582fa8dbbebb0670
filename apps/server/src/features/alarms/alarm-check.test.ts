import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startAlarmServer, type AlarmServer } from '../../../test/servers/alarm-server.ts'
import { buildServer } from '../../../test/servers/build-server.ts'
import { cut } from '../../../test/servers/run-server.ts'
import { momentWords } from './moment-words.ts'

let app: AlarmServer
let post: number
beforeAll(async () => {
  app = await startAlarmServer()
  post = await app.endpoint({ path: '/post' })
  await app.check()
})
afterAll(() => app.close())
beforeEach(async () => {
  await app.startOver()
  await app.forget()
})

async function unknownRun() {
  const flow = await app.workflow([{ endpointId: post, text: '{"n":"{{input.n}}"}' }])
  app.answer(cut)
  const { runId } = await app.put(flow)
  await app.settled()
  return runId
}
const unknowns = (query = '') => app.alarms(`kind=unknown&${query}`)

describe('the same thing has one alarm', () => {
  it('however often it is looked at', async () => {
    const runId = await unknownRun()
    for (let n = 0; n < 5; n++) await app.check(60)
    const alarms = await unknowns()
    expect(alarms.filter(({ subject }) => subject === `run:${runId}`)).toHaveLength(1)
  })

  it('when the clock is moved back, and forth again', async () => {
    const runId = await unknownRun()
    await app.check(60)
    for (const minutes of [-120, 30, 30, 60, 60]) await app.check(minutes)
    const alarms = await unknowns()
    expect(alarms.filter(({ subject }) => subject === `run:${runId}`)).toMatchObject([
      { state: 'open' },
    ])
  })

  it('on two servers that look at the same moment', async () => {
    const { db, secrets } = app.server
    const database = { db, drop: async () => {} }
    const second = await buildServer({}, undefined, database, { secrets, instanceId: 'second' })
    const runId = await unknownRun()
    const later = new Date(app.server.time.now.getTime() + 3_600_000)
    for (const server of [app.server, second]) server.time.now = later
    // The second takes over: the lease of the first is over.
    await Promise.all([second, app.server].map(({ unattended }) => unattended.alarms.keeper.look()))
    const alarms = await unknowns()
    expect(alarms.filter(({ subject }) => subject === `run:${runId}`)).toHaveLength(1)
    await second.app.close()
  })
})

it('a rule that can’t be checked is an alarm, hides no other, and keeps its own', async () => {
  const runId = await unknownRun()
  await app.check(60)
  await app.server.db
    .updateTable('alarm_rule')
    .set({ settings: '{"limits":{}}', is_on: 1 })
    .where('kind', '=', 'backup')
    .execute()
  const later = await unknownRun()
  await app.check(60)
  const [failing] = await app.alarms('kind=check')
  expect(failing?.title).toContain(
    'The rule Backup too old can’t be checked: BACKUP_DIR is not set',
  )
  expect(await app.subjects('unknown')).toEqual([`run:${runId}`, `run:${later}`].toSorted())
  await app.change('backup', { is_on: false })
  await app.check()
  expect(await app.alarms('kind=check&state=current')).toEqual([])
})

it('a time in which nobody looked is told once, and stays until it is acknowledged', async () => {
  await app.check(1)
  const from = app.server.time.now.toISOString()
  await app.checkLate(7)
  const to = app.server.time.now.toISOString()
  await app.check(1)
  const late = await app.alarms('kind=check&state=current')
  expect(late).toMatchObject([
    { title: `Alarms were not checked from ${momentWords(from)} to ${momentWords(to)}` },
  ])
  await app.post('/api/alarms/acknowledge', { ids: [late[0]!.id], note: 'A restart' })
  await app.check(1)
  expect(await app.alarms('kind=check&state=current')).toEqual([])
})

describe('a person', () => {
  it('acknowledges alarms: the bell counts them no more, and the trail says who', async () => {
    await unknownRun()
    await app.check(60)
    const { count, alarms } = await app.bell()
    expect(count).toBe(alarms.length)
    const ids = alarms.map(({ id }) => id)
    const operator = await app.server.buildUser({ role: 'Operator' })
    const acknowledge = () =>
      app.server.send('POST', '/api/alarms/acknowledge', {
        token: operator.token,
        body: { ids, note: 'I ask them' },
      })
    expect((await acknowledge()).body).toEqual({ acknowledged: ids.length })
    expect((await acknowledge()).body).toEqual({ acknowledged: 0 })
    expect(await app.bell()).toMatchObject({ count: 0 })
    expect((await unknowns('state=acknowledged'))[0]).toMatchObject({
      acknowledged: { note: 'I ask them' },
    })
    const events = await app.server.db
      .selectFrom('audit_event')
      .selectAll()
      .where('action', '=', 'alarm.acknowledge')
      .where('actor_id', '=', operator.id)
      .execute()
    expect(events).toHaveLength(ids.length)
  })

  it('mutes an alarm until a moment, not for good and not in the past', async () => {
    await unknownRun()
    await app.check(60)
    const [alarm] = await unknowns('state=open')
    const mute = (hours: number, what = 'alarm') =>
      app.post(`/api/alarms/${alarm!.id}/mute`, {
        what,
        until: new Date(app.server.time.now.getTime() + hours * 3_600_000).toISOString(),
      })
    expect((await mute(-1)).status).toBe(422)
    expect((await mute(24 * 400)).status).toBe(422)
    expect((await mute(2)).status).toBe(200)
    expect(await app.bell()).toMatchObject({ count: 0 })
    await app.check(121)
    expect((await app.bell()).alarms.map(({ id }) => id)).toContain(alarm?.id)
    expect((await mute(2, 'rule')).status).toBe(200)
    expect((await app.rulesOf('unknown'))[0]).toMatchObject({
      muted_until: expect.any(String) as string,
    })
    expect((await app.post(`/api/alarms/${alarm!.id}/unmute`, {})).status).toBe(200)
    expect((await app.bell()).alarms.map(({ id }) => id)).toContain(alarm?.id)
  })
})

it('a rule keeps no more than a thousand alarms, and says that there are more', async () => {
  const runId = await unknownRun()
  const { db } = app.server
  const { id: _, ...row } = await db
    .selectFrom('run')
    .selectAll()
    .where('id', '=', runId)
    .executeTakeFirstOrThrow()
  const copies = Array.from({ length: 100 }, () => ({ ...row, idempotency_key: null }))
  for (let n = 0; n < 11; n++) await db.insertInto('run').values(copies).execute()
  await app.check(60)
  const open = () =>
    db
      .selectFrom('alarm')
      .select('subject')
      .where('ended_at', 'is', null)
      .where('kind', '=', 'unknown')
      .execute()
  expect(await open()).toHaveLength(1001)
  await app.check(1)
  expect(await open()).toHaveLength(1001)
  await db.updateTable('run').set({ state: 'stopped' }).execute()
  await app.check(1)
  expect(await open()).toEqual([])
})

describe('422', () => {
  it.each([
    ['name', { name: ' ' }],
    ['kind', { kind: 'noise' }],
    ['limits.minutes', { limits: { minutes: 'x' } }],
    ['where.api_ids', { kind: 'silence', where: { api_ids: [1] } }],
    ['calendar.time_zone', { calendar: { time_zone: 'Mars/Base' } }],
    ['calendar.to', { calendar: { from: '18:00', to: '08:00' } }],
    ['escalation_ids', { escalate_minutes: 5 }],
  ])('on %s', async (field, changes) => {
    const answer = await app.addRule({ name: 'A rule', kind: 'unknown', ...changes })
    expect(answer.status).toBe(422)
    expect(Object.keys((answer.body as { errors: object }).errors)).toEqual([field])
  })
})
