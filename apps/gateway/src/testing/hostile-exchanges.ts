import { openRecordingUpstream } from '@gatehouse/http1/testing/open-upstream'
import { connect } from 'node:net'
import { createGateway } from '../gateway.ts'
import { bareWorker } from './bare-worker.ts'
import { buildApi, buildEndpoint, buildSnapshot } from './build-snapshot.ts'
import { hostileUpstreams } from './hostile-upstreams.ts'
import type { Expected } from './hostile-upstreams.ts'
import { readAnswer } from './read-answer.ts'
import type { RawAnswer } from './read-answer.ts'

interface HostileReport {
  exchanges: number
  /** What was not as it should have been. */
  wrong: string[]
  /** Requests that the gateway still took for being under way in the end. */
  inFlight: number
  /** Heap in use after the first tenth and in the end, after a collection; 0 where `gc` is null. */
  heapBytes: [number, number]
}

/**
 * Goes through the hostile upstreams again and again, some exchanges at once, each over a connection
 * of its own, and compares what the client sees with what it may see.
 */
export async function runHostileExchanges(
  exchanges: number,
  { atOnce, gc }: { atOnce: number; gc: (() => void) | null },
): Promise<HostileReport> {
  const upstreams = await Promise.all(
    hostileUpstreams.map(({ answer }) => openRecordingUpstream(answer)),
  )
  const gateway = createGateway({
    ...bareWorker,
  })
  gateway.swap(
    buildSnapshot({
      apis: upstreams.map(({ url }, at) =>
        buildApi({
          id: at + 1,
          context: `h${at}`,
          base_url: url,
          answer_timeout_ms: hostileUpstreams[at]?.isSlow ? 200 : 20_000,
        }),
      ),
      endpoints: upstreams.map((_, at) => buildEndpoint({ id: at + 1, api_id: at + 1 })),
    }),
  )
  const port = await gateway.listen({ host: '127.0.0.1', port: 0 })
  const wrong: string[] = []
  let next = 0
  const heapUsed = (): number => {
    gc?.()
    return gc === null ? 0 : process.memoryUsage().heapUsed
  }
  async function work(until: number): Promise<void> {
    while (next < until) {
      const at = next++ % hostileUpstreams.length
      const hostile = hostileUpstreams[at]
      const got = await exchange(port, at)
      if (hostile && !isExpected(hostile.expected, got))
        wrong.push(`${hostile.name}: ${shown(got)}`)
      // What they wrote down would be a leak of ours.
      upstreams[at]?.requests.splice(0)
      upstreams[at]?.sockets.splice(0, 20)
    }
  }
  const workers = (until: number) => Promise.all(Array.from({ length: atOnce }, () => work(until)))
  await workers(Math.ceil(exchanges / 10))
  const first = heapUsed()
  await workers(exchanges)
  const inFlight = gateway.report().in_flight
  const last = heapUsed()
  await gateway.close()
  await Promise.all(upstreams.map((upstream) => upstream.close()))
  return { exchanges, wrong, inFlight, heapBytes: [first, last] }
}

async function exchange(port: number, at: number): Promise<RawAnswer | undefined> {
  return new Promise((resolve) => {
    let received = ''
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    const settle = (isEnded: boolean): void => {
      let read = readAnswer(received, isEnded)
      // Interim answers come before the one that counts.
      for (let at = 0; read && read.answer.status < 200;)
        read = readAnswer(received.slice((at += read.length)), isEnded)
      if (!read && !isEnded) return
      socket.destroy()
      resolve(read?.answer)
    }
    socket.setEncoding('latin1')
    socket.on('data', (text: string) => {
      received += text
      settle(false)
    })
    // A reset marks an answer without a length as torn: what came is not the whole.
    socket.on('error', () => {
      received = ''
    })
    socket.on('close', () => settle(true))
    socket.write(`GET /h${at}/orders HTTP/1.1\r\nHost: a\r\n\r\n`)
  })
}

function isExpected(expected: Expected, got: RawAnswer | undefined): boolean {
  if (expected === 'cut') return got === undefined
  if (got === undefined) return false
  if ('body' in expected) return got.body === expected.body
  return got.status === expected.status && got.body.includes(`"code":"${expected.code}"`)
}

const shown = (got: RawAnswer | undefined) =>
  got === undefined ? 'the connection ended' : `${got.status} ${got.body.slice(0, 200)}`
