import type { ErrorAnswer, WorkflowRun } from '@gatehouse/contract'
import type { NewQueuedRun } from '../src/features/runs/ledger/queue-run.ts'
import type { Answer } from './build-server.ts'
import { startLaneServer } from './lane-server.ts'

export type MachineServer = Awaited<ReturnType<typeof startMachineServer>>

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

export const runIn = ({ body }: Answer) => (body as { run: WorkflowRun }).run
export const refusalIn = ({ body }: Answer) => body as ErrorAnswer
