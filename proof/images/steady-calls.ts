import { Agent, request } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'

interface Call {
  /** Of the certificate's authority. */
  ca: string
  port: number
  host: string
  path: string
  method?: string
  headers?: Record<string, string>
  agent?: Agent
}

const callers = 16
const pauseMs = 60

/** The status of the answer, or why there is none. */
export const call = ({ ca, host, headers, ...more }: Call): Promise<number | string> =>
  new Promise((settle) => {
    const own = { host: '127.0.0.1', servername: host, headers: { ...headers, host } }
    const sent = request({ ca, ...own, ...more }, (answer) => {
      answer.resume()
      answer.on('error', (error) => settle(error.message))
      answer.on('end', () => settle(answer.statusCode ?? 0))
    })
    sent.on('error', (error) => settle(error.message))
    sent.end()
  })

/** Calls from 16 callers, some 200 a second, over kept connections. A failure is another answer than 200, or none. */
export function startCalls(of: Call) {
  const agent = new Agent({ keepAlive: true, maxSockets: callers })
  let answers = 0
  const failures: string[] = []
  let isStopped = false
  const repeat = async () => {
    while (!isStopped) {
      const outcome = await call({ ...of, agent })
      if (outcome === 200) answers++
      else failures.push(`answered ${outcome}`)
      await sleep(pauseMs)
    }
  }
  const running = Array.from({ length: callers }, repeat)
  return {
    /** Resolves when so many more calls were made. */
    after: async (count: number) => {
      const until = answers + failures.length + count
      while (answers + failures.length < until) await sleep(20)
    },
    stop: async () => {
      isStopped = true
      await Promise.all(running)
      agent.destroy()
      return { answers, failures }
    },
  }
}
