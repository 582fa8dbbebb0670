import { hash, timingSafeEqual } from 'node:crypto'
import { hostname } from 'node:os'
import type { GatewayWorker, NodeLimits } from '@gatehouse/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client'
import { AppError } from '../../kernel/app-error.ts'
import { alarmMetrics, type AlarmMeasure } from './alarm-metrics.ts'
import { sharedReading } from './database-reading.ts'
import { deliveryMetrics, type DeliveryMeasure } from './delivery-metrics.ts'
import { laneMetrics, type LaneMeasure } from './lane-metrics.ts'
import { limitMetrics } from './limit-metrics.ts'
import type { RequestMetrics } from './request-metrics.ts'
import { revisionMetrics, type PublishedState } from './revision-metrics.ts'

interface MetricsOptions {
  /** METRICS_TOKEN; undefined: open to this machine only. */
  token: string | undefined
  /** Where this server listens. */
  host: string
  version: string
  requests: RequestMetrics
  workers: () => GatewayWorker[]
  published: PublishedState
  /** How rate limits are counted; undefined: this server runs no gateway. */
  limits: () => NodeLimits | undefined
  /** Requests that the traffic figures lack; absent where this server stores its figures itself. */
  lostRequests?: () => number
  /** Absent where this server has a gateway alone. */
  work?: MeasuredWork
}

/** What the control plane is measured by. */
export interface MeasuredWork {
  countUnknownRuns: () => Promise<number>
  measureLanes: () => Promise<LaneMeasure[]>
  measureDeliveries: () => Promise<DeliveryMeasure>
  measureAlarms: () => Promise<AlarmMeasure>
  /** Absent where spans of runs are off. */
  lostSpans?: (() => number) | undefined
}

/** Created once for the process, since watching garbage collection and event loop has a cost. */
let processMetrics: Registry | undefined

/** Sums of gauges beside them. By the conventions only counters are named `_total`. */
const sumsOfGauges = [
  'nodejs_active_resources_total',
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
]

/** `GET /metrics`, for Prometheus: this process, the gateway's workers and what they answered. */
export function metricsRoutes(app: FastifyInstance, options: MetricsOptions): void {
  const gateway = createGatewayMetrics(options)
  app.get(
    '/metrics',
    { config: { access: 'public' }, schema: { hide: true } },
    async (request, reply) => {
      refuseOthers(request, options)
      if (!processMetrics) {
        processMetrics = new Registry()
        collectDefaultMetrics({ register: processMetrics })
        for (const name of sumsOfGauges) processMetrics.removeSingleMetric(name)
      }
      const parts = [
        await processMetrics.metrics(),
        await gateway.metrics(),
        options.requests.render(),
      ]
      return reply.type(gateway.contentType).send(parts.join('\n'))
    },
  )
}

/** With METRICS_TOKEN, callers need the token. Without, they must be on this machine and not behind a proxy. */
function refuseOthers({ headers, socket }: FastifyRequest, { token, host }: MetricsOptions): void {
  if (token !== undefined) {
    const given = /^Bearer (\S{1,512})$/i.exec(headers.authorization ?? '')?.[1] ?? ''
    const digest = (text: string) => hash('sha256', text, 'buffer')
    if (!timingSafeEqual(digest(given), digest(token)))
      throw new AppError('session.unauthenticated')
    return
  }
  const address = socket.remoteAddress ?? ''
  const isLocal = /^(::ffff:)?127\.|^::1$/.test(address)
  const isForwarded = Object.keys(headers).some((name) =>
    /^(?:x-forwarded-.*|x-real-ip|forwarded|via)$/.test(name),
  )
  if (!isLocal || isForwarded || !isOwnHost(headers.host, host)) {
    throw new AppError('permission.denied', {
      message: 'Set METRICS_TOKEN to read metrics from elsewhere.',
    })
  }
}

/**
 * Whether a request is meant for this machine. Another site can point its name here (DNS rebinding) and would then read
 * the answers to a browser on this machine; `Host` still holds that name.
 */
function isOwnHost(given: string | undefined, own: string): boolean {
  const name = /^(\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i.exec(given ?? '')?.[1]?.toLowerCase()
  if (name === undefined) return false
  if (name === 'localhost' || name === '[::1]' || name === own.toLowerCase()) return true
  return /^127(?:\.\d{1,3}){3}$/.test(name) || name === `[${own.toLowerCase()}]`
}

function createGatewayMetrics(options: MetricsOptions): Registry {
  const registry = new Registry()
  const registers = [registry]
  const perWorker = (name: string, help: string, valueOf: (worker: GatewayWorker) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['worker'],
      registers,
      collect() {
        this.reset()
        for (const worker of options.workers()) this.set({ worker: worker.id }, valueOf(worker))
      },
    })
  perWorker('gateway_in_flight_requests', 'Requests under way.', (worker) => worker.in_flight)
  perWorker('gateway_worker_up', '1 where a worker takes requests.', (worker) =>
    worker.state === 'serving' ? 1 : 0,
  )
  perWorker('gateway_worker_restarts', 'How often a worker died.', (worker) => worker.restarts)
  perWorker('gateway_worker_resident_bytes', 'Memory of a worker.', (worker) => worker.rss_bytes)
  perWorker(
    'gateway_worker_revision',
    'Configuration that a worker runs on.',
    (worker) => worker.revision ?? 0,
  )
  new Gauge({
    name: 'gatehouse_node_info',
    help: 'Always 1; the labels name this server as the list of nodes does.',
    labelNames: ['node', 'version'],
    registers,
  }).set({ node: hostname(), version: options.version }, 1)
  options.requests.webSockets.registerOn(registry, options.workers)
  revisionMetrics(registry, options.published)
  limitMetrics(registry, options.limits)
  if (options.lostRequests) lossMetric(registry, lostRequests, options.lostRequests)
  if (options.work) workMetrics(registry, options.work)
  return registry
}

const lostRequests = {
  name: 'gateway_lost_requests_total',
  help: 'Requests that the traffic figures lack: they could not be reported, and too many were waiting.',
}

const lostSpans = {
  name: 'run_spans_lost_total',
  help: 'Spans of runs that no collector has. A run that was dropped whole counts as one.',
}

function lossMetric(
  registry: Registry,
  named: { name: string; help: string },
  count: () => number,
): void {
  const lost = new Counter({
    ...named,
    registers: [],
    collect() {
      this.reset()
      this.inc(count())
    },
  })
  registry.registerMetric(lost)
}

function workMetrics(registry: Registry, work: MeasuredWork): void {
  const unknown = sharedReading(work.countUnknownRuns)
  const up = new Gauge({
    name: 'gatehouse_database_up',
    help: '1 while the database answers. While it does not, what is read from it is left out.',
    registers: [],
    async collect() {
      const runs = await unknown()
      this.set(runs.ok || runs.trouble === 'busy' ? 1 : 0)
    },
  })
  const unknownRuns = new Gauge({
    name: 'runs_unknown',
    help: 'Runs of which it is not known what became of them.',
    registers: [],
    async collect() {
      const runs = await unknown()
      if (runs.ok) this.set(runs.value)
      else this.remove()
    },
  })
  registry.registerMetric(up)
  registry.registerMetric(unknownRuns)
  laneMetrics(registry, work.measureLanes)
  deliveryMetrics(registry, work.measureDeliveries)
  alarmMetrics(registry, work.measureAlarms)
  if (work.lostSpans) lossMetric(registry, lostSpans, work.lostSpans)
}
