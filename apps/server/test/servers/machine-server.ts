import type { ErrorAnswer, WorkflowRun } from '@gatehouse/contract'
import type { NewQueuedRun } from '../../src/features/runs/ledger/queue-run.ts'
import type { Answer } from './build-server.ts'
import { startLaneServer } from './lane-server.ts'

export type MachineServer = Awaited<ReturnType<typeof startMachineServer>>
export type InvoiceMachine = Awaited<ReturnType<typeof startInvoiceMachine>>

type Flow = Pick<NewQueuedRun['workflow'], 'id' | 'slug'>

let count = 0

/** A lane server whose workflows are called with personal tokens. */
export async function startMachineServer(...options: Parameters<typeof startLaneServer>) {
  const app = await startLaneServer(...options)
  const { server, post } = app

  /** A user who can't sign in, whose role has these workflows, with a token. */
  async function machine(...flows: Flow[]) {
    const user = await server.buildUser()
    await server.db
      .updateTable('user')
      .set({ password_hash: null })
      .where('id', '=', user.id)
      .execute()
    const { id: roleId } = (await server.stores.users.rolesOf(user.id))[0]!
    await server.stores.workflowAccess.set(
      roleId,
      flows.map(({ id }) => id),
    )
    return { id: user.id, roleId, ...(await tokenFor(user.id)) }
  }

  async function tokenFor(user: number) {
    const made = await post('/admin/token/store', { user })
    const { id, token } = (made.body as { access_token: { id: number; token: string } })
      .access_token
    return { tokenId: id, token }
  }

  interface Call {
    key?: string | null
    headers?: Record<string, string>
    query?: string
  }
  /** Starts a run as a machine does; `key: null` sends none. */
  const start = (
    slug: string,
    token: string,
    body: unknown = {},
    { key = `key-of-test-${++count}`, headers = {}, query = '' }: Call = {},
  ): Promise<Answer> =>
    server.send('POST', `/api/workflows/${slug}/runs${query}`, {
      token,
      headers: {
        'content-type': 'application/json',
        ...(key === null ? {} : { 'idempotency-key': key }),
        ...headers,
      },
      body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
    })

  return { ...app, machine, tokenFor, start }
}

/**
 * A machine that may start two workflows: `invoices`, with a reference and an order key, and `paused`,
 * whose runs stay queued.
 */
export async function startInvoiceMachine() {
  const app = await startMachineServer()
  const post = await app.endpoint({ path: '/post' })
  const steps = [{ endpointId: post, text: '{"n":1}' }]
  const invoices = await app.workflow(steps, {
    kind: 'tax',
    lane: { max_age_minutes: 30 },
    definition: { reference_path: 'no', order_key_path: 'branch' },
  })
  const paused = await app.workflow(steps, { lane: { is_paused: 1 } })
  return { app, post, invoices, paused, erp: await app.machine(invoices, paused) }
}

export const runIn = ({ body }: Answer) => (body as { run: WorkflowRun }).run
export const refusalIn = ({ body }: Answer) => body as ErrorAnswer
