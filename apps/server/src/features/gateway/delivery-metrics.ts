import { Gauge, type Registry } from 'prom-client'
import { sharedReading } from './database-reading.ts'

/** What is measured of the outbox. */
export interface DeliveryMeasure {
  waiting: number
  dead: number
  /** How long the delivery that waits longest has waited; 0 where none waits. */
  oldestSeconds: number
}

const measures: Record<string, { help: string; of: (measure: DeliveryMeasure) => number }> = {
  deliveries_waiting: {
    help: 'Deliveries that wait for their first or next try.',
    of: ({ waiting }) => waiting,
  },
  deliveries_dead: { help: 'Deliveries that were given up.', of: ({ dead }) => dead },
  deliveries_oldest_waiting_seconds: {
    help: 'How long the delivery that waits longest has waited.',
    of: ({ oldestSeconds }) => oldestSeconds,
  },
}

/** Adds the gauges of deliveries. The outbox is read once for all of them. */
export function deliveryMetrics(registry: Registry, read: () => Promise<DeliveryMeasure>) {
  const once = sharedReading(read)
  for (const [name, { help, of }] of Object.entries(measures))
    registry.registerMetric(
      new Gauge({
        name,
        help,
        registers: [],
        async collect() {
          const measure = await once()
          if (measure.ok) this.set(of(measure.value))
          else this.remove()
        },
      }),
    )
}
