import type { WorkflowDefinition, WorkflowKind } from '@gatehouse/contract'
import type { NewRow } from '../../src/db/tables.ts'
import type { NewQueuedRun, Queued } from '../../src/features/runs/ledger/queue-run.ts'
import { json, startRunServer } from './run-server.ts'

export type LaneServer = Awaited<ReturnType<typeof startLaneServer>>

interface BuiltWorkflow {
  kind?: WorkflowKind
  lane?: Partial<NewRow<'lane'>>
  /** The lane of another workflow. */
  laneId?: number
  definition?: Partial<WorkflowDefinition>
}

interface BuiltStep {
  endpointId: number
  text: string
}

let count = 0

interface Defined {
  slug: string
  kind: WorkflowKind
  settings: { name: string; concurrency: number; is_strict_order: 0 | 1 }
  steps: readonly BuiltStep[]
}

const definitionOf = ({ slug, kind, settings, steps }: Defined): WorkflowDefinition => ({
  name: slug,
  slug,
  kind,
  status: 'active',
  description: '',
  input_schema: null,
  sample_input: null,
  reference_path: '',
  order_key_path: '',
  lane: {
    name: settings.name,
    concurrency: settings.concurrency,
    per_second: null,
    per_minute: null,
    per_hour: null,
    max_age_minutes: null,
    is_strict_order: settings.is_strict_order === 1,
  },
  steps: steps.map(({ endpointId, text }) => ({
    endpoint_id: endpointId,
    body: text === '' ? { kind: 'none' } : { kind: 'template', text },
    condition: null,
  })),
  callback: null,
})

/** A run server with workflows, whose runs can be queued. */
export async function startLaneServer(...options: Parameters<typeof startRunServer>) {
  const app = await startRunServer(...options)
  const { server } = app
  const { db, admin } = server
  // A busy machine must not look like an authority that does not answer.
  const patient = await app.createApi({ name: 'Patient', answer_timeout_ms: 20_000 })
  const endpoint = (overrides: Record<string, unknown> = {}, ofApi = patient) =>
    app.endpoint(overrides, ofApi)

  /** A workflow whose steps send these bodies to these endpoints. */
  async function workflow(
    steps: readonly BuiltStep[],
    { kind = 'general', lane = {}, laneId, definition: given = {} }: BuiltWorkflow = {},
  ): Promise<NewQueuedRun['workflow']> {
    const slug = `flow-${++count}`
    const settings = { name: slug, concurrency: 4, is_strict_order: 0 as const, ...lane }
    const inLane =
      laneId ??
      (await db.insertInto('lane').values(settings).returning('id').executeTakeFirstOrThrow()).id
    const now = server.time.now.toISOString()
    const { id } = await db
      .insertInto('workflow')
      .values({
        slug,
        name: slug,
        kind,
        status: 'active',
        description: '',
        version: 1,
        lane_id: inLane,
        created_at: now,
        updated_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const definition = { ...definitionOf({ slug, kind, settings, steps }), ...given }
    await db
      .insertInto('workflow_version')
      .values({
        workflow_id: id,
        version: 1,
        definition: JSON.stringify(definition),
        user_id: admin.id,
        user_name: 'admin',
        created_at: now,
      })
      .execute()
    return { id, version: 1, slug, kind, laneId: inLane }
  }

  /** What a caller would hand in; a test names only what it is about. */
  const queuedRun = (
    flow: NewQueuedRun['workflow'],
    overrides: Partial<NewQueuedRun> = {},
  ): NewQueuedRun => ({
    workflow: flow,
    inputText: `{"n":${++count}}`,
    reference: null,
    orderKey: null,
    isTest: false,
    user: { id: admin.id, name: 'admin' },
    requestId: 'request',
    trace: null,
    key: undefined,
    priority: 0,
    batch: null,
    deadlineAt: null,
    ...overrides,
  })

  const put = (
    flow: NewQueuedRun['workflow'],
    overrides?: Partial<NewQueuedRun>,
  ): Promise<Queued> => server.laneQueue.put(queuedRun(flow, overrides))

  const entryOf = (runId: number) =>
    db.selectFrom('lane_entry').selectAll().where('run_id', '=', runId).executeTakeFirst()
  const laneOf = (flow: NewQueuedRun['workflow']) =>
    db.selectFrom('lane').selectAll().where('id', '=', flow.laneId).executeTakeFirstOrThrow()

  return {
    ...app,
    endpoint,
    workflow,
    queuedRun,
    put,
    entryOf,
    laneOf,
    unpause: (flow: NewQueuedRun['workflow']) =>
      db.updateTable('lane').set({ is_paused: 0 }).where('id', '=', flow.laneId).execute(),
    /** Nothing is under way any more. */
    settled: () => server.dispatcher.settled(),
    /** The clock moves on, and the dispatcher looks for work. */
    later: async (ms: number) => {
      server.time.now = new Date(server.time.now.getTime() + ms)
      await server.dispatcher.look()
      await server.dispatcher.settled()
    },
    /** Before the next test: what the tests before have left in their lanes stays there. */
    startOver: async () => {
      app.upstream.received.length = 0
      app.answer(ok)
      await db.updateTable('lane').set({ is_paused: 1 }).execute()
    },
    stateOf: async (runId: number) => {
      const { state, steps } = await app.show(runId)
      return { state, steps: steps.map((step) => step.state) }
    },
  }
}

export const ok = json(200, { id: 7 })

export type AuthorityLanes = Awaited<ReturnType<typeof startAuthorityLanes>>

/** A lane server with an endpoint that changes something, one that reads, and what was sent to them. */
export async function startAuthorityLanes() {
  const app = await startLaneServer()
  const post = await app.endpoint({ path: '/post' })
  const read = await app.endpoint({ method_type: 'get', path: '/read' })
  return {
    app,
    read,
    step: (text = '{"n":"{{input.n}}"}') => ({ endpointId: post, text }),
    sent: () => app.upstream.received.map(({ body }) => body),
  }
}
