import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { json } from '../../../test/servers/run-server.ts'
import { startScheduleServer, type ScheduleServer } from '../../../test/servers/schedule-server.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

let app: ScheduleServer
beforeAll(async () => {
  app = await startScheduleServer()
})
afterAll(() => app.close())
beforeEach(async () => {
  await app.server.db.deleteFrom('schedule').execute()
  app.setTime(new Date('2026-06-01T05:59:00Z'))
  app.erp.asked.length = 0
})

const items = (...numbers: number[]) =>
  json(200, {
    items: numbers.map((n) => ({ no: `INV-${n}`, at: `2026-06-01T0${n}:00:00Z`, total: 1 })),
  })
const states = async (id: number) => (await app.firings(id)).map(({ state }) => state)

describe('a moment', () => {
  it('fires once on two servers that look at the same time, and the next is planned', async () => {
    const flow = await app.flow()
    const { id } = await app.create(app.bodyOf(flow.id))
    await app.look(app.server, app.second)
    expect(await app.runsOf(flow.id)).toEqual([])
    app.pass(hourMs)
    for (let round = 0; round < 3; round++) await app.look(app.server, app.second)
    const [run, ...others] = await app.runsOf(flow.id)
    expect(others).toEqual([])
    expect(run).toMatchObject({ body: '{"amount":0.10}', user_id: app.server.admin.id })
    expect(await app.show(id)).toMatchObject({
      next_run_at: '2026-06-02T06:00:00.000Z',
      last_firing: { state: 'done', planned_for: '2026-06-01T06:00:00.000Z', started: 1 },
    })
  })

  it('fires once for all that passed while no server worked', async () => {
    const flow = await app.flow()
    const { id } = await app.create(app.bodyOf(flow.id, { cron: '*/15 * * * *' }))
    app.pass(3 * dayMs)
    await app.look(app.server, app.second)
    await app.look()
    expect(await app.runsOf(flow.id)).toHaveLength(1)
    expect(await app.firings(id)).toMatchObject([
      { state: 'done', planned_for: '2026-06-01T06:00:00.000Z' },
    ])
    expect((await app.show(id)).next_run_at).toBe('2026-06-04T06:00:00.000Z')
  })

  it('is shown as missed without catch-up, and nothing starts', async () => {
    const flow = await app.flow()
    const { id } = await app.create(app.bodyOf(flow.id, { catches_up: false }))
    app.pass(2 * hourMs)
    await app.look()
    expect(await states(id)).toEqual(['missed'])
    expect(await app.runsOf(flow.id)).toEqual([])
    app.setTime(new Date('2026-06-02T06:04:00Z'))
    await app.look()
    expect(await states(id)).toEqual(['missed', 'done'])
  })

  it('does not fire again when the clock is moved back, nor after it was saved again', async () => {
    const flow = await app.flow()
    const { id } = await app.create(app.bodyOf(flow.id))
    app.pass(hourMs)
    await app.look()
    app.setTime(new Date('2026-06-01T05:00:00Z'))
    const body = app.bodyOf(flow.id)
    await app.server.send('PUT', `/api/schedules/${id}`, { token: app.token, body })
    expect((await app.show(id)).next_run_at).toBe('2026-06-01T06:00:00.000Z')
    app.pass(2 * hourMs)
    await app.look()
    await app.look()
    expect(await app.runsOf(flow.id)).toHaveLength(1)
    expect((await app.show(id)).next_run_at).toBe('2026-06-02T06:00:00.000Z')
  })

  it('is skipped while the run of the one before has not been sent', async () => {
    const flow = await app.flow()
    const { id } = await app.create(app.bodyOf(flow.id, { cron: '0 * * * *' }))
    app.pass(hourMs)
    await app.look()
    app.pass(hourMs)
    await app.look()
    expect(await states(id)).toEqual(['done', 'skipped'])
    await app.server.db.updateTable('run').set({ state: 'succeeded' }).execute()
    app.pass(hourMs)
    await app.look()
    expect(await states(id)).toEqual(['done', 'skipped', 'done'])
  })

  it('rests while the schedule is paused', async () => {
    const flow = await app.flow()
    const { id } = await app.create(app.bodyOf(flow.id))
    const act = (verb: string) =>
      app.server.send('POST', `/api/schedules/${id}/${verb}`, { token: app.token })
    expect((await act('pause')).body).toMatchObject({ schedule: { next_run_at: null } })
    app.pass(2 * dayMs)
    await app.look()
    expect(await states(id)).toEqual([])
    await act('resume')
    expect((await app.show(id)).next_run_at).toBe('2026-06-03T06:00:00.000Z')
    expect((await act('run')).status).toBe(200)
    await app.look()
    expect(await app.firings(id)).toMatchObject([{ state: 'done', is_by_hand: true }])
    const found = (search: string) =>
      app.server.send('GET', `/api/schedules/${id}/firings?search=${search}`, { token: app.token })
    expect((await found('2026-06-03')).body).toMatchObject([{ total: 1 }])
    expect((await found('2026-06-04')).body).toMatchObject([{ total: 0 }])
  })
})

describe('a list', () => {
  const watermark = { path: 'at', type: 'text', value: '2026-06-01T02:00:00Z' }
  const request = '{"since":"{{watermark}}"}'

  it('starts what is new since the watermark, each reference once, numbers as they came', async () => {
    const flow = await app.flow({ reference_path: 'no' })
    const { id } = await app.create(app.listBody(flow.id, { request, watermark }))
    app.erp.answer = json(
      200,
      '{"items":[{"no":"A","at":"2026-06-01T01:00:00Z"},{"no":"B","at":"2026-06-01T02:00:00Z","total":0.10},{"no":"B","at":"2026-06-01T02:00:00Z"},{"no":"C","at":"2026-06-01T03:00:00Z","big":12345678901234567890}]}',
    )
    app.pass(hourMs)
    await app.look(app.server, app.second)
    expect(await app.runsOf(flow.id)).toMatchObject([
      { reference: 'B', body: '{"no":"B","at":"2026-06-01T02:00:00Z","total":0.10}' },
      { body: '{"no":"C","at":"2026-06-01T03:00:00Z","big":12345678901234567890}' },
    ])
    const [first] = await app.firings(id)
    expect(first).toMatchObject({ state: 'done', found: 4, old: 1, known: 1, started: 2 })
    expect((await app.show(id)).list?.watermark?.value).toBe('2026-06-01T03:00:00Z')

    app.erp.answer = items(3, 4)
    app.pass(dayMs)
    await app.look()
    expect(app.erp.asked).toEqual([
      '/erp?since=2026-06-01T02%3A00%3A00Z',
      '/erp?since=2026-06-01T03%3A00%3A00Z',
    ])
    expect(await app.runsOf(flow.id)).toHaveLength(4)
    const { body } = await app.server.send(
      'GET',
      `/api/schedules/${id}/firings/${first!.id}/runs`,
      { token: app.token },
    )
    expect(body).toMatchObject([{ total: 2, data: [{ reference: 'B', state: 'queued' }, {}] }])
  })

  it('keeps a watermark of numbers as decimals', async () => {
    const flow = await app.flow()
    const list = { reference_path: '', watermark: { path: 'id', type: 'number', value: '9' } }
    const { id } = await app.create(app.listBody(flow.id, list))
    app.erp.answer = json(200, '{"items":[{"id":8},{"id":10},{"id":9007199254740993},{"id":9}]}')
    app.pass(hourMs)
    await app.look()
    expect(await app.firings(id)).toMatchObject([{ state: 'done', old: 1, started: 3 }])
    expect((await app.show(id)).list?.watermark?.value).toBe('9007199254740993')
  })

  it('that another server left is continued: what was taken is not taken again', async () => {
    const flow = await app.flow({ reference_path: 'no' })
    const { id } = await app.create(app.listBody(flow.id, { watermark, request }))
    app.erp.answer = items(3, 4)
    app.pass(hourMs)
    await app.look()
    // As a server leaves it that is killed before the end of the firing is stored.
    const left = { state: 'running', ...app.lease('dead'), ended_at: null } as const
    await app.server.db.updateTable('schedule_firing').set(left).execute()
    await app.server.db.updateTable('schedule').set({ watermark: watermark.value }).execute()
    app.erp.answer = items(3, 4, 5)
    await app.look(app.second)
    expect(await states(id)).toEqual(['running'])
    app.pass(61_000)
    await app.look(app.second, app.server)
    expect(await app.firings(id)).toMatchObject([{ state: 'done', started: 3, known: 0 }])
    expect((await app.runsOf(flow.id)).map(({ reference }) => reference)).toEqual([
      'INV-3',
      'INV-4',
      'INV-5',
    ])
    expect((await app.show(id)).list?.watermark?.value).toBe('2026-06-01T05:00:00Z')
  })

  it('that this server left when it was killed is continued once it starts, before its lease ends', async () => {
    const own = await startScheduleServer()
    try {
      own.setTime(new Date('2026-06-01T05:59:00Z'))
      const flow = await own.flow({ reference_path: 'no' })
      const { id } = await own.create(own.listBody(flow.id))
      own.erp.answer = items(3)
      own.pass(hourMs)
      await own.look()
      const left = { state: 'running', ...own.lease('test-server'), ended_at: null } as const
      await own.server.db.updateTable('schedule_firing').set(left).execute()
      await own.look()
      expect(await own.firings(id)).toMatchObject([{ state: 'running' }])
      await own.server.unattended.schedules.keeper.start()
      await own.look()
      expect(await own.firings(id)).toMatchObject([{ state: 'done', started: 1 }])
    } finally {
      await own.close()
    }
  })

  it('that both servers carry out at once, because one was late to renew, starts nothing twice', async () => {
    const flow = await app.flow({ reference_path: 'no' })
    const { id } = await app.create(app.listBody(flow.id))
    const held: (() => void)[] = []
    let arrive = () => {}
    const bothAsk = new Promise<void>((resolve) => (arrive = resolve))
    app.erp.answer = (...exchange) => {
      held.push(() => items(1, 2, 3)(...exchange))
      if (held.length === 2) arrive()
    }
    app.pass(hourMs)
    const looking = app.look()
    while (held.length === 0) await new Promise(setImmediate)
    app.second.time.now = new Date(app.server.time.now.getTime() + 61_000)
    const taking = app.look(app.second)
    await bothAsk
    for (const go of held) go()
    await Promise.all([looking, taking])
    expect(await app.runsOf(flow.id)).toHaveLength(3)
    expect(await states(id)).toEqual(['done'])
  })

  it.each([
    ['an answer that is no list', json(200, { items: 7 }), 'no list at items'],
    ['an error', json(500, {}), 'answered 500'],
    ['a sign-in page', json(200, '<html>'), 'can’t be read'],
    ['more than 10,000', json(200, { items: Array(10_001).fill(1) }), '10001 elements'],
    ['one without a reference', json(200, { items: [{ no: 'A', at: 'x' }, {}] }), 'Element 2'],
  ])('with %s fails whole: nothing starts, the watermark stays', async (_, answer, message) => {
    const flow = await app.flow()
    const { id } = await app.create(app.listBody(flow.id, { watermark, request }))
    app.erp.answer = answer
    app.pass(hourMs)
    await app.look()
    const [firing] = await app.firings(id)
    expect(firing).toMatchObject({ state: 'failed', started: 0 })
    expect(firing?.message).toContain(message)
    expect(await app.runsOf(flow.id)).toEqual([])
    expect((await app.show(id)).list?.watermark?.value).toBe(watermark.value)
    expect(await app.server.stores.schedules.listLate(new Date(0))).toMatchObject([
      { id, state: 'failed' },
    ])
  })

  it('with an element that does not fit starts the others, and the watermark stays', async () => {
    const schema = { type: 'object', properties: { total: { type: 'number', maximum: 5 } } }
    const flow = await app.flow({ input_schema: schema })
    const { id } = await app.create(app.listBody(flow.id, { watermark, request }))
    const at = '2026-06-01T03:00:00Z'
    app.erp.answer = json(200, {
      items: [
        { no: 'A', at, total: 9 },
        { no: 'B', at, total: 1 },
      ],
    })
    app.pass(hourMs)
    await app.look()
    const [firing] = await app.firings(id)
    expect(firing).toMatchObject({ state: 'failed', started: 1, refused: 1 })
    expect(firing?.message).toContain('A: /total')
    expect((await app.show(id)).list?.watermark?.value).toBe(watermark.value)
  })
})

describe('on behalf of its user', () => {
  it('is refused once the user lacks the permission, the endpoint or the account', async () => {
    const flow = await app.flow()
    const permissions = ['workflow.view', 'workflow.edit', 'workflow.run'] as const
    const person = await app.person([...permissions], [app.list])
    const { id } = await app.create(app.listBody(flow.id), person.token)
    app.erp.answer = items(1)
    const fire = async () => {
      app.pass(dayMs)
      await app.look()
      return (await app.firings(id)).at(-1)
    }
    expect(await fire()).toMatchObject({ state: 'done', started: 1 })
    expect((await app.runsOf(flow.id))[0]?.user_id).toBe(person.id)

    await app.server.db.deleteFrom('role_endpoint').execute()
    expect(await fire()).toMatchObject({
      state: 'refused',
      message: 'None of your roles has access to this endpoint.',
    })
    await app.server.db.deleteFrom('user_role').where('user_id', '=', person.id).execute()
    expect((await fire())?.message).toContain('may not run workflows any more')
    await app.server.db.deleteFrom('session').where('user_id', '=', person.id).execute()
    await app.server.db.deleteFrom('user').where('id', '=', person.id).execute()
    expect((await fire())?.message).toContain('was deleted')
    expect(await app.runsOf(flow.id)).toHaveLength(1)
    expect(await app.server.stores.schedules.listLate(new Date(0))).toMatchObject([
      { id, state: 'refused' },
    ])
  })

  it('reports a schedule whose moment passed and that no server has looked at', async () => {
    const flow = await app.flow()
    const { id } = await app.create(app.bodyOf(flow.id))
    expect(await app.server.stores.schedules.listLate(new Date('2026-06-01T06:00:00Z'))).toEqual([])
    expect(
      await app.server.stores.schedules.listLate(new Date('2026-06-01T06:10:00Z')),
    ).toMatchObject([{ id, state: null }])
  })
})
