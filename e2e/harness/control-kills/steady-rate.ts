import { Agent, get } from 'node:http'
import type { Socket } from 'node:net'

export interface RateResult {
  requests: number
  /** What became of those that did not get a 200. */
  failures: string[]
  slowestMs: number
}

/** Sends so many requests a second over so many connections that are kept alive, until it is stopped. */
export function startRate(url: string, perSecond: number, connections: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const result: RateResult = { requests: 0, failures: [], slowestMs: 0 }
  const underWay = new Set<Promise<void>>()
  const beganMs = performance.now()
  const send = async () => {
    const sentMs = performance.now()
    const answer = await answerOf(url, agent)
    if (answer !== '200') result.failures.push(answer)
    result.slowestMs = Math.max(result.slowestMs, performance.now() - sentMs)
  }
  const start = () => {
    result.requests++
    const sent = send().finally(() => underWay.delete(sent))
    underWay.add(sent)
  }
  const timer = setInterval(() => {
    // What this process was too busy to send in its time is left out, or it would all come at once.
    const due = Math.floor(((performance.now() - beganMs) / 1_000) * perSecond)
    for (let sent = 0; result.requests < due && sent < perSecond / 10; sent++) start()
  }, 10)
  return {
    get sent(): number {
      return result.requests
    },
    stop: async (): Promise<RateResult> => {
      clearInterval(timer)
      await Promise.all(underWay)
      agent.destroy()
      return result
    },
  }
}

/** Longer unused, a connection may be closed by the gateway (after 5 s) while a request is on its way. */
const idleMaxMs = 2_000
const usedAtMs = new WeakMap<Socket, number>()

/**
 * The status, or the code of what went wrong. A request that meets a connection which was closed for being idle is
 * sent once more, as every client with keep-alive has to (RFC 9110 §9.2.2): over a new connection, because the
 * others of the agent have often been idle for as long.
 */
async function answerOf(url: string, agent: Agent): Promise<string> {
  const answer = await sendOnce(url, agent)
  return answer === 'idle' ? sendOnce(url, false) : answer
}

function sendOnce(url: string, agent: Agent | false): Promise<string> {
  return new Promise((resolve) => {
    let idleMs = 0
    const request = get(url, { agent }, (response) => {
      response.resume()
      response.on('error', fail)
      response.on('end', () => {
        if (request.socket) usedAtMs.set(request.socket, performance.now())
        resolve(String(response.statusCode))
      })
    })
    const fail = ({ code, message }: NodeJS.ErrnoException) =>
      resolve(request.reusedSocket && idleMs > idleMaxMs ? 'idle' : (code ?? message))
    request.on('error', fail)
    request.on('socket', (socket: Socket) => {
      idleMs = performance.now() - (usedAtMs.get(socket) ?? performance.now())
    })
  })
}
