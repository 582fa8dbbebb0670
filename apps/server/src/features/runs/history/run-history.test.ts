import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RunListItem } from '@gatehouse/contract'
import { json, runOf, startRunServer, type RunServer } from '../../../../test/servers/run-server.ts'

let app: RunServer
let post: number
let put: number
let viewer: string
const ids: Record<string, number> = {}
beforeAll(async () => {
  app = await startRunServer({ SESSION_IDLE_HOURS: '720', SESSION_MAX_HOURS: '720' })
  post = await app.endpoint({ summery: 'Report invoice', run_settings: { reference_path: 'no' } })
  put = await app.endpoint({ method_type: 'put', summery: 'Store 50%' })
  viewer = (await app.server.buildUser({ permissions: ['run.view'] })).token
  const on = (day: string) => (app.server.time.now = new Date(`2026-06-${day}T09:00:00Z`))
  app.answer((_, response) => void response.end('{"big":1.0}'))
  ids.tax = runOf(
    await app.tax([{ end_point: post, body: '{"no":"INV-001"}' }], { key: 'key-of-tax' }),
  ).id
  on('02')
  ids.credit = runOf(await app.credit([{ end_point: put, body: '{}' }])).id
  app.answer(json(422, {}))
  ids.rejected = runOf(await app.tax([{ end_point: put, body: '{"n":1}' }])).id
  on('03')
  app.answer((_request, _response, socket) => void socket.destroy())
  ids.unknown = runOf(await app.tax([{ end_point: post, body: '{"no":"INV-002"}' }])).id
  ids.test = runOf(await app.tax([{ end_point: put, body: '{}', test_invoice: true }])).id
})
afterAll(() => app.close())

async function list(query: Record<string, string> = {}): Promise<number[]> {
  const answer = await app.server.send('GET', '/api/runs', { token: viewer, query })
  expect(answer.status, answer.text).toBe(200)
  return (answer.body as [{ data: RunListItem[] }])[0].data.map(({ id }) => id)
}

describe('GET /api/runs', () => {
  it('is newest first, a page at a time', async () => {
    const all = [ids.test, ids.unknown, ids.rejected, ids.credit, ids.tax]
    expect(await list()).toEqual(all)
    expect(await list({ limit: '2', page: '2' })).toEqual(all.slice(2, 4))
    const answer = await app.server.send('GET', '/api/runs', {
      token: viewer,
      query: { limit: '2' },
    })
    expect(answer.body).toMatchObject([{ total: 5, last_page: 3, per_page: 2, current_page: 1 }])
    expect((answer.body as [{ data: RunListItem[] }])[0].data[1]).toMatchObject({
      kind: 'tax',
      state: 'unknown',
      reference: 'INV-002',
      user_name: 'admin',
      steps: [{ position: 1, endpoint_name: 'Report invoice', method: 'POST', state: 'unknown' }],
    })
  })

  it.each<[Record<string, string>, (keyof typeof ids)[]]>([
    [{ kind: 'credit' }, ['credit']],
    [{ state: 'unknown' }, ['unknown']],
    [{ state: '', kind: '', test: '' }, ['test', 'unknown', 'rejected', 'credit', 'tax']],
    [{ test: '1' }, ['test']],
    [{ test: '0', kind: 'tax' }, ['unknown', 'rejected', 'tax']],
    [{ from: '2026-06-02', to: '2026-06-02' }, ['rejected', 'credit']],
    [{ to: '2026-06-01T23:00:00Z' }, ['tax']],
    [{ reference: 'INV-00' }, ['unknown', 'tax']],
    [{ reference: 'NV' }, []],
    [{ user: 'adm' }, ['test', 'unknown', 'rejected', 'credit', 'tax']],
    [{ user: 'someone' }, []],
    [{ key: 'key-of-tax' }, ['tax']],
    [{ search: 'inv-001' }, ['tax']],
    [{ search: 'report' }, ['unknown', 'tax']],
    [{ search: '50%' }, ['test', 'rejected', 'credit']],
    [{ search: '5_%' }, []],
    [{ sort: 'id', limit: '2' }, ['tax', 'credit']],
    [{ sort: 'state', limit: '1' }, ['rejected']],
  ])('%j', async (query, expected) => {
    expect(await list(query)).toEqual(expected.map((name) => ids[name]))
  })

  it('finds a run by its number', async () => {
    expect(await list({ search: `#${ids.credit}` })).toContain(ids.credit)
  })

  it.each([{ state: 'odd' }, { from: 'yesterday' }, { sort: 'body' }])(
    '422 for %j',
    async (query) => {
      expect((await app.server.send('GET', '/api/runs', { token: viewer, query })).status).toBe(422)
    },
  )
})

describe('GET /api/runs/{id}', () => {
  it('shows what was sent and answered, to the byte', async () => {
    const shown = await app.show(ids.tax ?? 0)
    expect(shown).toMatchObject({
      kind: 'tax',
      state: 'succeeded',
      reference: 'INV-001',
      resume: { step: null, refusal: expect.any(String) },
      steps: [
        {
          method: 'POST',
          url: `${app.upstream.url}/step-1`,
          headers: { accept: 'application/json', 'content-type': 'application/json' },
          body: { text: '{"no":"INV-001"}', bytes: 16, is_whole: true },
          has_credential: false,
          attempts: [
            {
              kind: 'send',
              outcome: 'ok',
              status: 200,
              user_name: 'admin',
              answer_body: { text: '{"big":1.0}', bytes: 11, is_whole: true },
            },
          ],
        },
      ],
    })
  })

  it('tells what may be done about an unknown outcome', async () => {
    const shown = await app.show(ids.unknown ?? 0)
    expect(shown).toMatchObject({
      run_again: { is_allowed: false },
      correct: { is_allowed: false },
      steps: [{ can: { resolve: true, resend: false, status_query: false } }],
    })
  })

  it('cuts what is very long, and says so', async () => {
    app.answer((_, response) => void response.end('x'.repeat(300_000)))
    const { id } = runOf(await app.tax([{ end_point: put, body: '{"n":2}' }]))
    const [attempt] = (await app.show(id)).steps[0]?.attempts ?? []
    expect(attempt?.answer_body).toMatchObject({ bytes: 300_000, is_whole: false })
    expect(attempt?.answer_body?.text).toHaveLength(262_144)
  })

  it('404 for no run, 403 without run.view', async () => {
    const get = (id: string | number, token: string) =>
      app.server.send('GET', `/api/runs/${id}`, { token })
    expect((await get(999_999, viewer)).status).toBe(404)
    expect((await get('x', viewer)).status).toBe(404)
    const sender = await app.server.buildUser({ permissions: ['tax.send'] })
    expect((await get(ids.tax ?? 0, sender.token)).status).toBe(403)
  })
})

describe('unknown outcomes', () => {
  it('are counted, with the oldest', async () => {
    const answer = await app.server.send('GET', '/api/runs/unknown', { token: viewer })
    expect(answer.body).toEqual({
      count: 1,
      oldest: { run_id: ids.unknown, since: '2026-06-03T09:00:00.000Z' },
    })
  })

  it('are alarmed in the log once, after an hour', async () => {
    const alarms = async (time: string) => {
      app.server.time.now = new Date(time)
      const before = app.server.logLines.length
      await app.server.unattended.alarms.keeper.look()
      return app.server.logLines
        .slice(before)
        .map((line) => JSON.parse(line) as Record<string, unknown>)
        .filter((line) => 'run_id' in line)
    }
    expect(await alarms('2026-06-03T09:59:59Z')).toEqual([])
    expect(await alarms('2026-06-03T10:00:00Z')).toMatchObject([
      {
        level: 50,
        run_id: ids.unknown,
        reference: 'INV-002',
        unknown_since: '2026-06-03T09:00:00.000Z',
      },
    ])
    expect(await alarms('2026-06-03T10:59:59Z')).toEqual([])
    expect(await alarms('2026-06-03T11:00:00Z')).toEqual([])
  })
})

it('keeps a body once that was sent as it was typed, and shows it as both', async () => {
  const typed = '{"no":"INV-ONCE"}'
  app.answer(json(200, {}))
  const { id } = runOf(await app.tax([{ end_point: post, body: typed }]))
  const step = await app.server.db
    .selectFrom('run_step')
    .select(['body', 'source_body'])
    .where('run_id', '=', id)
    .executeTakeFirstOrThrow()
  expect(step).toEqual({ body: typed, source_body: null })
  const { body } = await app.server.send('GET', `/api/runs/${id}`, { token: viewer })
  expect((body as { steps: unknown[] }).steps[0]).toMatchObject({
    body: { text: typed },
    source_body: { text: typed },
  })
})
