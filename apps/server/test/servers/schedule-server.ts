import type { ScheduleFiring, ScheduleRecord } from '@gatehouse/contract'
import { buildServer, type TestServer } from './build-server.ts'
import { startLaneServer } from './lane-server.ts'
import { json } from './run-server.ts'
import { leaseColumns } from '../../src/kernel/leases/leased-rows.ts'

export type ScheduleServer = Awaited<ReturnType<typeof startScheduleServer>>

/** A lane server with schedules, an ERP whose list the test sets, and a second server beside it. */
export async function startScheduleServer() {
  const app = await startLaneServer({ SESSION_IDLE_HOURS: '720' })
  const { server, token } = app
  const erp = { answer: json(200, []), asked: [] as string[] }
  app.answer((request, response, socket) => {
    if (!request.url.startsWith('/erp')) return json(200, { id: 7 })(request, response, socket)
    erp.asked.push(`${request.url} ${request.body}`.trim())
    erp.answer(request, response, socket)
  })
  const post = await app.endpoint({ path: '/post' })
  const list = await app.endpoint({ method_type: 'get', path: '/erp' })
  const second = await buildServer(
    {},
    undefined,
    { db: server.db, drop: async () => {} },
    { secrets: server.secrets, instanceId: 'second' },
  )

  const setTime = (now: Date) => {
    server.time.now = now
    second.time.now = now
  }

  /** A workflow whose runs stay queued, unless its lane is opened. */
  const flow = (definition = {}, lane = {}) =>
    app.workflow([{ endpointId: post, text: '{"n":1}' }], {
      lane: { is_paused: 1, ...lane },
      definition,
    })

  const bodyOf = (workflowId: number, overrides: Record<string, unknown> = {}) => ({
    workflow_id: workflowId,
    name: 'Nightly',
    cron: '0 6 * * *',
    time_zone: 'UTC',
    start: 'input',
    input: '{"amount":0.10}',
    ...overrides,
  })
  const listBody = (workflowId: number, overrides: Record<string, unknown> = {}) =>
    bodyOf(workflowId, {
      start: 'list',
      input: '',
      list: { endpoint_id: list, items_path: 'items', reference_path: 'no', ...overrides },
    })

  async function create(body: unknown, as = token): Promise<ScheduleRecord> {
    const answer = await server.send('POST', '/api/schedules', { token: as, body })
    if (answer.status !== 201) throw new Error(answer.text)
    return (answer.body as { schedule: ScheduleRecord }).schedule
  }

  const runsOf = (workflowId: number) =>
    server.db
      .selectFrom('run')
      .innerJoin('run_input', 'run_input.run_id', 'run.id')
      .select(['run.id', 'run.user_id', 'run.reference', 'run_input.body'])
      .where('run.workflow_id', '=', workflowId)
      .orderBy('run.id')
      .execute()

  return {
    ...app,
    server,
    second,
    erp,
    list,
    flow,
    bodyOf,
    listBody,
    create,
    runsOf,
    setTime,
    /** The clock of both servers moves on. */
    /** What a server holds that begins now. */
    lease: (owner: string) =>
      leaseColumns({ owner, until: new Date(server.time.now.getTime() + 60_000).toISOString() }),
    pass: (ms: number) => setTime(new Date(server.time.now.getTime() + ms)),
    look: (...of: TestServer[]) =>
      Promise.all(
        (of.length > 0 ? of : [server]).map((each) => each.unattended.schedules.keeper.look()),
      ),
    show: async (id: number) => {
      const { body } = await server.send('GET', `/api/schedules/${id}`, { token })
      return (body as { schedule: ScheduleRecord }).schedule
    },
    firings: async (id: number) => {
      const { body } = await server.send('GET', `/api/schedules/${id}/firings?sort=id&limit=100`, {
        token,
      })
      return (body as [{ data: ScheduleFiring[] }])[0].data
    },
    close: async () => {
      await second.close()
      await app.close()
    },
  }
}
