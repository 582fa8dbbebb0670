import { Counter, Gauge, type Registry } from 'prom-client'
import type { GatewayWorker } from '@gatehouse/contract'
import type { GatewayReport } from '../../publishing/gateway-link.ts'

/** Counts the WebSockets of this server's gateway since this process began, for Prometheus. */
export class WebSocketMetrics {
  readonly #opened = counter('opened', 'WebSockets that were opened.')
  readonly #refused = counter(
    'refused',
    'Requests for a WebSocket that were refused, by the gateway or by the upstream.',
  )
  readonly #bytes = new Counter({
    name: 'gateway_websocket_bytes_total',
    help: 'Bytes of frames that were passed on: in from clients, out to them.',
    labelNames: ['direction'],
    registers: [],
  })

  record({ web_sockets: counts }: GatewayReport): void {
    this.#opened.inc(counts.opened)
    this.#refused.inc(counts.refused)
    this.#bytes.inc({ direction: 'in' }, counts.bytes_in)
    this.#bytes.inc({ direction: 'out' }, counts.bytes_out)
  }

  /** Adds them, and how many are open. */
  registerOn(registry: Registry, workers: () => GatewayWorker[]): void {
    registry.registerMetric(this.#opened)
    registry.registerMetric(this.#refused)
    registry.registerMetric(this.#bytes)
    const open = new Gauge({
      name: 'gateway_websockets_open',
      help: 'WebSockets that are open.',
      labelNames: ['worker'],
      registers: [],
      collect() {
        this.reset()
        for (const { id, web_sockets } of workers()) this.set({ worker: id }, web_sockets)
      },
    })
    registry.registerMetric(open)
  }
}

const counter = (what: string, help: string) =>
  new Counter({ name: `gateway_websockets_${what}_total`, help, registers: [] })
