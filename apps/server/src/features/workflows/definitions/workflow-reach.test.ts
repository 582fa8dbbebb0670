// Databases: SQLite.

import { routes } from '@gatehouse/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  startScheduleServer,
  type ScheduleServer,
} from '../../../../test/servers/schedule-server.ts'

// A user with every permission about workflows, whose roles have access to one of two endpoints.

let app: ScheduleServer
let token: string
let paths: Record<string, string>
let bodies: Record<string, unknown>
let scheduleId: number
beforeAll(async () => {
  app = await startScheduleServer()
  const reached = await app.endpoint({ path: '/reached' })
  const unreached = await app.endpoint({ path: '/unreached' })
  const step = (endpoint_id: number) => ({
    endpoint_id,
    body: { kind: 'template', text: '{"n":1}' },
    condition: null,
  })
  const definition = {
    name: 'Both',
    slug: 'both',
    kind: 'general',
    status: 'active',
    description: '',
    input_schema: null,
    sample_input: null,
    reference_path: '',
    order_key_path: '',
    lane: { name: 'both', concurrency: 1 },
    steps: [step(reached), step(unreached)],
    callback: { url: `${app.upstream.url}/in` },
  }
  const made = await app.post('/api/workflows', definition)
  if (made.status !== 201) throw new Error(made.text)
  const { id } = made.body as { id: number }
  const hook = { name: 'reach-shop', preset: 'standard' }
  const hooked = await app.post(`/api/workflows/${id}/hooks`, hook)
  if (hooked.status !== 201) throw new Error(hooked.text)
  const hookId = (hooked.body as { hook: { id: number } }).hook.id
  const schedule = await app.create(app.bodyOf(id))
  scheduleId = schedule.id
  const person = await app.person(
    ['workflow.view', 'workflow.create', 'workflow.edit', 'workflow.run', 'workflow.operate'],
    [reached],
  )
  token = person.token
  paths = {
    'PUT /api/workflows/:id': `/api/workflows/${id}`,
    'PUT /api/workflows/:id/callback': `/api/workflows/${id}/callback`,
    'POST /api/workflows/:id/callback/test': `/api/workflows/${id}/callback/test`,
    'POST /api/workflows/:id/versions/:version/restore': `/api/workflows/${id}/versions/1/restore`,
    'POST /api/workflows/:id/hooks': `/api/workflows/${id}/hooks`,
    'PUT /api/hooks/:id': `/api/hooks/${hookId}`,
    'DELETE /api/hooks/:id': `/api/hooks/${hookId}`,
    'POST /api/schedules': '/api/schedules',
    'PUT /api/schedules/:id': `/api/schedules/${schedule.id}`,
    'DELETE /api/schedules/:id': `/api/schedules/${schedule.id}`,
  }
  bodies = {
    'PUT /api/workflows/:id': definition,
    'PUT /api/workflows/:id/callback': { callback: { url: `${app.upstream.url}/mine` } },
    'POST /api/workflows/:id/versions/:version/restore': {},
    'POST /api/workflows/:id/hooks': { ...hook, name: 'reach-mine' },
    'PUT /api/hooks/:id': hook,
    'POST /api/schedules': app.bodyOf(id),
    'PUT /api/schedules/:id': app.bodyOf(id),
  }
})
afterAll(() => app.close())

const edits = routes.filter(
  ({ access, path }) => access === 'workflow.edit' && path !== '/api/schedules/try',
)

it.each(edits.map(({ method, path }) => [`${method} ${path}`, method] as const))(
  '%s is refused without access to each endpoint of the workflow',
  async (key, method) => {
    const path = paths[key]
    expect(path, 'this route has no row here').toBeDefined()
    const body = bodies[key]
    const answer = await app.server.send(method, path!, { token, ...(body ? { body } : {}) })
    // A definition that names the endpoint is refused as its form shows it.
    expect([403, 422], answer.text).toContain(answer.status)
    expect(answer.text).toMatch(/access|endpoint/)
  },
)

it('to run a workflow and to operate it takes the permission alone', async () => {
  const operator = await app.person(['workflow.run', 'workflow.operate'])
  const send = (path: string, body: unknown = {}) =>
    app.server.send('POST', path, { token: operator.token, body })
  const started = await send('/api/workflows/both/runs')
  expect(started.status, started.text).toBe(202)
  await app.settled()
  const { id } = (started.body as { run: { id: number } }).run
  const shown = await app.server.send('GET', `/api/workflows/both/runs/${id}`, {
    token: operator.token,
  })
  expect(shown.body).toMatchObject({ run: { state: 'succeeded' } })
  for (const verb of ['pause', 'resume', 'run']) {
    const answer = await send(`/api/schedules/${scheduleId}/${verb}`)
    expect(answer.status, answer.text).toBeLessThan(300)
  }
})
