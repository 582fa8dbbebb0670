import { Gauge, type Registry } from 'prom-client'
import { sharedReading } from './database-reading.ts'

/** What is measured of alarms. */
export interface AlarmMeasure {
  /** How many are not over, by what they are about. */
  open: readonly { kind: string; count: number }[]
  /** Since the last check ended, on any server; 0 before the first one. */
  checkAgeSeconds: number
}

/** Adds the gauges of alarms. They are read once for both. */
export function alarmMetrics(registry: Registry, read: () => Promise<AlarmMeasure>) {
  const once = sharedReading(read)
  registry.registerMetric(
    new Gauge({
      name: 'alarms_open',
      help: 'Alarms that are not over, by what they are about.',
      labelNames: ['what'],
      registers: [],
      async collect() {
        const alarms = await once()
        this.reset()
        if (alarms.ok)
          for (const { kind, count } of alarms.value.open) this.set({ what: kind }, count)
      },
    }),
  )
  registry.registerMetric(
    new Gauge({
      name: 'alarms_check_age_seconds',
      help: 'How long ago the rules of alarms were looked at. Above 60, alarms are late.',
      registers: [],
      async collect() {
        const alarms = await once()
        if (alarms.ok) this.set(alarms.value.checkAgeSeconds)
        else this.remove()
      },
    }),
  )
}
