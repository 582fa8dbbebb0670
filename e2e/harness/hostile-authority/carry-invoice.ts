import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Answer, Call } from '../run-product.ts'
import type { AuthorityEndpoints } from './register-endpoints.ts'
import type { MortalServer } from './mortal-server.ts'

interface Run {
  id: number
  state: string
  steps: { position: number; state: string }[]
}

export interface Clerk {
  servers: readonly Pick<MortalServer, 'up'>[]
  /** Signed in at each server, in the same order. */
  calls: readonly Call[]
  endpoints: AuthorityEndpoints
}

/** The most actions for one invoice. A clerk that needs more is in an endless loop. */
const triesMax = 60

/**
 * Carries one invoice through as an impatient clerk would: sends it twice at once, sends it again
 * whenever the server is gone, asks what became of an unknown outcome, corrects what was refused.
 * Answers with the state of its last run.
 */
export async function carryInvoice(
  clerk: Clerk,
  reference: string,
  number: number,
): Promise<string> {
  const isCareful = number % 3 === 0
  const bundle = {
    endpoint_1: {
      end_point: clerk.endpoints.customer,
      body: JSON.stringify({ id: `c-${number}` }),
    },
    endpoint_2: {
      end_point: isCareful ? clerk.endpoints.careful : clerk.endpoints.careless,
      body: `{"reference":"${reference}","total":${number}.10,"customer":"{{steps.1.body.name}}"}`,
    },
  }
  const key = { 'idempotency-key': randomUUID() }
  let at = number
  /** At any of the servers; undefined where it died before it answered. */
  const ask = async (path: string, body: unknown, headers = {}): Promise<Answer | undefined> => {
    const index = at++ % clerk.servers.length
    await clerk.servers[index]?.up()
    return clerk.calls[index]?.('POST', path, body, headers).catch(() => undefined)
  }

  let run: Run | undefined
  for (let tries = 0; tries < triesMax; tries++) {
    if (run?.state === 'succeeded') return run.state
    const answers: (Answer | undefined)[] = []
    if (!run || run.state === 'running') {
      const twice = number % 5 === 0 ? 2 : 1
      answers.push(
        ...(await Promise.all(Array.from({ length: twice }, () => ask('/api/tax', bundle, key)))),
      )
    } else if (run.state === 'unknown') {
      const step = run.steps.find(({ state }) => state === 'unknown')?.position
      const isResent = isCareful && tries % 2 === 0
      answers.push(
        isResent
          ? await ask(`/api/runs/${run.id}/resume`, {})
          : await ask(`/api/runs/${run.id}/status-query`, { step }),
      )
    } else if (run.state === 'rejected') {
      const correction = {
        endpoint_2: { body: bundle.endpoint_2.body.replace('"total"', `"try":${tries},"total"`) },
      }
      answers.push(await ask(`/api/runs/${run.id}/retry`, correction))
    } else {
      answers.push(await ask(`/api/runs/${run.id}/resume`, {}))
    }
    // "Not received" does not count before that moment.
    const wait = (answers[0]?.body as { ask_again_after?: string | null } | undefined)
      ?.ask_again_after
    if (wait) await delay(Math.max(0, Date.parse(wait) - Date.now()))
    for (const answer of answers) {
      const reported = (answer?.body as { run?: Run } | undefined)?.run
      if (reported && (!run || reported.id >= run.id)) run = reported
    }
    // 409: another call runs, or was faster. The newest run of the document has the state.
    if (answers.some((answer) => answer?.status === 409)) {
      const [newest] = await runsOf(clerk, reference).catch(() => [])
      run = newest ?? run
    }
  }
  return run?.state ?? 'none'
}

/** The runs of a document, newest first, as a server that is up now lists them. */
export async function runsOf(clerk: Clerk, reference: string): Promise<Run[]> {
  const [server] = clerk.servers
  await server?.up()
  const answer = await clerk.calls[0]?.('GET', `/api/runs?limit=100&reference=${reference}`)
  const [page] = (answer?.body ?? [{ data: [] }]) as [{ data: Run[] }]
  return page.data
}
