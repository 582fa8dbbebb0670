import { routes, type Route } from '@gatehouse/contract'
import { endpointOf, httpApi, workflowOf } from './build-server.ts'
import { sendBody } from '../hostile/hostile-bodies.ts'
import { triesMax, turnMaxMs } from '../time/longest-turn.ts'
import { measured, runServerProcess } from './run-server-process.ts'

const password = 'correct horse battery'

/**
 * What the process may grow by over all bodies, one after the other: bodies of 12 MiB take some 250 MB until they
 * are collected, and the thread that reads an input of 1 MiB with 80,000 keys as many again.
 */
const grownMaxBytes = 768 * 1024 * 1024

/** A body that a sweep sends, and to where. */
export interface Hostile {
  name: string
  route: Route
  body: Buffer
  type?: string
}

/** The control plane as a process, whose turns are measured, and the administrator who calls it. */
export async function startMeteredServer() {
  const { url, child } = await runServerProcess({
    isMetered: true,
    environment: { ADMIN_PASSWORD: password },
  })
  const call = async (path: string, body: unknown, token = '') => {
    const answer = await fetch(url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
    return (await answer.json()) as { id: number; token: string }
  }
  const { token } = await call('/api/login', { email: 'admin@example.com', password })
  const { id: api } = await call('/api/apis', httpApi(), token)
  const { id: endpoint } = await call('/api/endpoint', endpointOf(api), token)
  await call('/api/workflows', workflowOf(endpoint), token)
  const before = await measured(child)

  /** Sends each and returns those that held the loop for too long, or that failed. */
  async function unfitOf(all: Iterable<Hostile>): Promise<string[]> {
    const unfit: string[] = []
    for (const { name, route, body, type } of all) {
      let longest = Infinity
      let status = 0
      for (let tries = 0; tries < triesMax && longest > turnMaxMs; tries++) {
        status = await sendBody(route, body, { url, token, ...(type ? { type } : {}) })
        longest = Math.min(longest, (await measured(child)).longestTurnMs)
      }
      if (longest <= turnMaxMs && isRefusedOrTaken(status)) continue
      unfit.push(`${route.method} ${route.path}, ${name}: ${status} in ${longest.toFixed()} ms`)
    }
    return unfit
  }

  async function hasGrownTooMuch(): Promise<boolean> {
    const { peakBytes } = await measured(child)
    return peakBytes - before.peakBytes > grownMaxBytes
  }
  /** The longest turn since it was last asked, in ms of CPU time. */
  const longestTurn = async () => (await measured(child)).longestTurnMs

  return {
    unfitOf,
    hasGrownTooMuch,
    longestTurn,
    sending: { url, token },
    call: (path: string, body?: unknown) => call(path, body, token),
  }
}

/** A body that was not read has proved nothing. */
const isRefusedOrTaken = (status: number) => status < 500 && ![403, 415, 429].includes(status)

export const uploadRoute: Route = routes.find(
  ({ path }) => path === '/api/workflows/:slug/batches/check',
)!
