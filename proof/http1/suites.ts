import { pino } from 'pino'
import type { AddressInfo } from 'node:net'
import { createGateway } from '../../apps/gateway/src/gateway.ts'
import { bareWorker } from '../../apps/gateway/src/testing/bare-worker.ts'
import {
  buildApi,
  buildEndpoint,
  buildSnapshot,
} from '../../apps/gateway/src/testing/build-snapshot.ts'
import { createHttpServer } from '../../apps/server/src/http/http-server.ts'
import { openRecordingUpstream } from '../../packages/http1/src/testing/open-upstream.ts'
import { answerCases } from './answer-cases.ts'
import { openOddUpstream, probeAnswer } from './probe-answer.ts'
import { probe } from './probe-server.ts'
import type { ProbedServer } from './probe-server.ts'
import { requestCases } from './request-cases.ts'

interface Failure {
  name: string
  rule: string
  problem: string
}

interface Score {
  title: string
  cases: number
  failures: Failure[]
  /** Of the failures: those that are known, with their reason. */
  left: ReadonlyMap<string, string>
}

/** What clients send to the gateway. */
export async function probeGateway(): Promise<Score> {
  const upstream = await openRecordingUpstream()
  const { gateway, port } = await startGateway(upstream.url)
  const score = await probeAll('requests to the gateway', {
    which: 'gateway',
    port,
    get: '/sales/orders',
    post: '/sales/orders',
    takeReached: () => [
      ...upstream.requests.splice(0).map(({ requestLine }) => requestLine),
      ...upstream.stray.splice(0).map((text) => `stray bytes ${JSON.stringify(text)}`),
    ],
  })
  await gateway.close()
  await upstream.close()
  return score
}

/** What clients send to the port of the dashboard. */
export async function probeDashboard(): Promise<Score> {
  const app = await createHttpServer(pino({ enabled: false }), [], async () => {})
  app.get('/things', async () => ({}))
  app.post('/things', async () => ({}))
  await app.listen({ port: 0, host: '127.0.0.1' })
  const score = await probeAll('requests to the dashboard’s port', {
    which: 'dashboard',
    port: (app.server.address() as AddressInfo).port,
    get: '/things',
    post: '/things',
    takeReached: null,
  })
  await app.close()
  return score
}

/** What upstreams answer to the gateway. */
export async function probeUpstreams(): Promise<Score> {
  const upstream = await openOddUpstream()
  const { gateway, port } = await startGateway(upstream.url)
  const failures: Failure[] = []
  for (const each of answerCases) {
    const problem = await probeAnswer(port, upstream, each)
    if (problem !== undefined) failures.push({ name: each.name, rule: each.rule, problem })
  }
  await gateway.close()
  await upstream.close()
  return { title: 'answers of upstreams', cases: answerCases.length, failures, left: new Map() }
}

async function probeAll(title: string, server: ProbedServer): Promise<Score> {
  const asked = requestCases.filter(({ only }) => only === undefined || only === server.which)
  const failures: Failure[] = []
  for (const each of asked) {
    const problem = await probe(server, each)
    if (problem !== undefined) failures.push({ name: each.name, rule: each.rule, problem })
  }
  const left = new Map(
    server.which === 'gateway'
      ? []
      : asked.flatMap(({ name, leftAtDashboard: why }) => (why === undefined ? [] : [[name, why]])),
  )
  return { title, cases: asked.length, failures, left }
}

async function startGateway(url: string) {
  const gateway = createGateway({
    ...bareWorker,
  })
  const swapped = gateway.swap(
    buildSnapshot({
      apis: [buildApi({ base_url: url })],
      endpoints: [buildEndpoint(), buildEndpoint({ id: 2, method: 'POST' })],
    }),
  )
  if (!swapped.ok) throw new Error(swapped.reason)
  return { gateway, port: await gateway.listen({ host: '127.0.0.1', port: 0 }) }
}
