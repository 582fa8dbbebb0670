import type { HomeAnswer, Permission, RunState } from '@gatehouse/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildServer, httpApi, type TestServer } from '../../../test/servers/build-server.ts'
import { keyOf } from '../../../test/rows/carry-document.ts'

let server: TestServer
let token: string
beforeAll(async () => {
  server = await buildServer()
  token = (await server.buildUser({ role: 'Operator' })).token
})
afterAll(() => server.close())

const show = async (query = '', of = token) => {
  const answer = await server.send('GET', `/api/home${query}`, { token: of })
  expect(answer.status, answer.text).toBe(200)
  return answer.body as HomeAnswer
}

const insertRun = async (state: RunState, at: string, values: object = {}) => {
  await server.db
    .insertInto('run')
    .values({
      kind: 'tax',
      state,
      is_test: 0,
      user_id: server.admin.id,
      user_name: 'Ada',
      request_id: 'r',
      created_at: at,
      ...values,
    })
    .execute()
}

describe('what waits for somebody', () => {
  it('each number is the total of the list that it leads to, with the oldest of it', async () => {
    const states: RunState[] = [
      'unknown',
      'pending',
      'rejected',
      'partial',
      'blocked',
      'stopped',
      'not_started',
      'succeeded',
      'queued',
      'waits_for_release',
    ]
    for (const [index, state] of states.entries())
      for (let count = 0; count <= index % 3; count++)
        await insertRun(state, `2026-05-0${1 + count}T00:00:00.000Z`)
    await insertRun('rejected', '2026-04-01T00:00:00.000Z', { closed_at: '2026-04-02' })
    await insertRun('stopped', '2026-04-01T00:00:00.000Z', { overtaken_by: 1 })
    const { waiting = [] } = await show()
    expect(waiting.map(({ state }) => state)).toEqual(['waits_for_release', ...states.slice(0, 7)])
    for (const { state, total, oldest_at, has_more } of waiting) {
      const work = state === 'pending' || state === 'waits_for_release' ? '' : 'open'
      const path = `/api/runs?state=${state}&work=${work}&limit=1&sort=created_at`
      const [list] = (await server.send('GET', path, { token })).body as [
        { total: number; data: { created_at: string }[] },
      ]
      expect({ state, total }).toEqual({ state, total: list.total })
      expect({ oldest_at, has_more }).toEqual({
        oldest_at: list.data[0]?.created_at ?? null,
        has_more: false,
      })
    }
    expect(waiting.find(({ state }) => state === 'rejected')?.total).toBe(3)
    expect(waiting.find(({ state }) => state === 'stopped')?.total).toBe(3)
  })
})

describe('documents by authority', () => {
  let api: number
  beforeAll(async () => {
    const created = await server.send('POST', '/api/apis', {
      token: server.admin.token,
      body: httpApi({ name: 'Tax office' }),
    })
    api = (created.body as { id: number }).id
    const documents = [
      ['accepted', '2026-06-01T00:00:00.000Z'],
      ['accepted', '2026-06-01T07:00:00.000Z'],
      ['unknown', '2026-05-31T23:00:00.000Z'],
      ['pending', '2026-05-20T23:00:00.000Z'],
      ['open', '2026-05-01T00:00:00.000Z'],
    ] as const
    for (const [index, [state, created_at]] of documents.entries())
      await server.db
        .insertInto('document')
        .values({
          ...keyOf(`H-${index}`, 'Tax office'),
          state,
          api_id: api,
          created_at,
          updated_at: created_at,
        })
        .execute()
  })

  it('those of today, of fourteen days, and what is not decided', async () => {
    const { documents } = await show()
    expect(documents?.days).toHaveLength(14)
    expect(documents?.days.at(-1)).toBe('2026-06-01')
    expect(documents?.authorities).toMatchObject([
      {
        api: { id: api, name: 'Tax office' },
        today: { accepted: 2 },
        unknown: { documents: 1, oldest_at: '2026-05-31T23:00:00.000Z' },
        pending: { documents: 1, oldest_at: '2026-05-20T23:00:00.000Z' },
        deadline_at: null,
      },
    ])
    const [authority] = documents?.authorities ?? []
    const sums = authority?.days.map((day) => Object.values(day).join('/'))
    expect(sums?.slice(-2)).toEqual(['0/0/1', '2/0/0'])
    expect(sums?.filter((each) => each !== '0/0/0')).toHaveLength(3)
  })

  it('the days are those of the caller', async () => {
    const { documents } = await show('?zone=Europe/Berlin')
    expect(documents?.authorities[0]?.today).toEqual({ accepted: 2, unknown: 1 })
    const west = await show('?zone=America/New_York')
    expect(west.documents?.authorities[0]?.today).toEqual({ accepted: 1 })
  })

  it.each(['accepted', 'unknown'])(
    'the list of %s documents of a day has as many',
    async (state) => {
      const { documents } = await show('?zone=Europe/Berlin')
      const path = `/api/documents?api=${api}&state=${state}&test=0&from=2026-05-31T22:00:00.000Z&to=2026-06-01T21:59:59.999Z`
      const [list] = (await server.send('GET', path, { token })).body as [{ total: number }]
      expect(documents?.authorities[0]?.today[state as 'accepted']).toBe(list.total)
      const [others] = (await server.send('GET', `/api/documents?api=${api + 1}`, { token }))
        .body as [{ total: number }]
      expect(others.total).toBe(0)
    },
  )

  it('shows the first deadline in the lanes of the workflows that call the API', async () => {
    const endpoint = await server.db
      .insertInto('endpoint')
      .values({
        api_id: api,
        summary: 'Submit',
        description: '',
        method_type: 'post',
        status: 'active',
        path: '/',
        path_key: '/',
        authentication: 0,
        version: 1,
        created_at: '',
        updated_at: '',
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const lane = await server.db
      .insertInto('lane')
      .values({ name: 'L', concurrency: 1, is_strict_order: 0 })
      .returning('id')
      .executeTakeFirstOrThrow()
    const workflow = await server.db
      .insertInto('workflow')
      .values({
        slug: 'w',
        name: 'W',
        kind: 'general',
        status: 'active',
        description: '',
        version: 1,
        lane_id: lane.id,
        created_at: '',
        updated_at: '',
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await server.db
      .insertInto('workflow_endpoint')
      .values({ workflow_id: workflow.id, endpoint_id: endpoint.id })
      .execute()
    const { id } = await server.db.selectFrom('run').select('id').executeTakeFirstOrThrow()
    await server.db
      .insertInto('lane_entry')
      .values({
        run_id: id,
        lane_id: lane.id,
        priority: 0,
        state: 'queued',
        order_key: null,
        is_first: 1,
        queued_at: '2026-06-01T07:00:00.000Z',
        deadline_at: '2026-06-01T09:00:00.000Z',
      })
      .execute()
    const { documents } = await show()
    expect(documents?.authorities[0]?.deadline_at).toBe('2026-06-01T09:00:00.000Z')
    const { lanes } = (await server.send('GET', '/api/lanes', { token })).body as {
      lanes: { deadline_at: string | null }[]
    }
    expect(lanes.map(({ deadline_at }) => deadline_at)).toEqual(['2026-06-01T09:00:00.000Z'])
  })
})

it('leaves out what the caller may not see', async () => {
  const permissions: Permission[] = ['dashboard.view']
  const user = await server.buildUser({ permissions })
  expect(await show('', user.token)).toEqual({})
})

it.each(['zone=Mars/Base', 'zone=', `zone=${'x'.repeat(65)}`])(
  'refuses %s (422)',
  async (query) => {
    expect((await server.send('GET', `/api/home?${query}`, { token })).status).toBe(422)
  },
)
