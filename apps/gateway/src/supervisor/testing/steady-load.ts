import { Agent, get } from 'node:http'

export interface LoadResult {
  requests: number
  /** What became of those that did not get a 200. */
  failures: string[]
  /** How often each body was answered. */
  bodies: Map<string, number>
}

interface Load {
  /** Settles after this many more requests have been answered or failed. */
  after(requests: number): Promise<void>
  stop(): Promise<LoadResult>
}

/** Keeps this many connections busy with one request after the other, as clients with keep-alive do. */
export function startLoad(url: string, connections: number): Load {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const result: LoadResult = { requests: 0, failures: [], bodies: new Map() }
  let waiting: { at: number; resolve: () => void }[] = []
  let isStopped = false

  async function run(): Promise<void> {
    while (!isStopped) {
      const { status, text } = await request(url, agent)
      result.requests++
      if (status === 200) result.bodies.set(text, (result.bodies.get(text) ?? 0) + 1)
      else result.failures.push(`${status} ${text}`)
      for (const each of waiting) if (result.requests >= each.at) each.resolve()
      waiting = waiting.filter((each) => result.requests < each.at)
    }
  }
  const running = Array.from({ length: connections }, run)
  return {
    after: (requests) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.push({ at: result.requests + requests, resolve })
      return promise
    },
    stop: async () => {
      isStopped = true
      await Promise.all(running)
      agent.destroy()
      return result
    },
  }
}

/** One request; a failure has status 0. */
export function request(url: string, agent?: Agent): Promise<{ status: number; text: string }> {
  return new Promise((resolve) => {
    const fail = (error: NodeJS.ErrnoException) =>
      resolve({ status: 0, text: error.code ?? error.message })
    get(url, { agent: agent ?? false }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => (text += chunk))
      response.on('error', fail)
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    }).on('error', fail)
  })
}
