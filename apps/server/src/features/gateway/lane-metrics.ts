import { Gauge, type Registry } from 'prom-client'
import { sharedReading } from './database-reading.ts'

/** What is measured of a lane. */
export interface LaneMeasure {
  name: string
  depth: number
  running: number
  /** How long the run that waits longest has waited; 0 where none waits. */
  oldestSeconds: number
  isOutage: boolean
  isPaused: boolean
}

const measures: Record<string, { help: string; of: (lane: LaneMeasure) => number }> = {
  lane_queued_runs: { help: 'Runs that wait in a lane.', of: ({ depth }) => depth },
  lane_running_runs: { help: 'Runs of a lane that are under way.', of: ({ running }) => running },
  lane_oldest_queued_seconds: {
    help: 'How long the run that waits longest has waited.',
    of: ({ oldestSeconds }) => oldestSeconds,
  },
  lane_outage: {
    help: '1 while the authority of a lane does not work.',
    of: ({ isOutage }) => (isOutage ? 1 : 0),
  },
  lane_paused: { help: '1 while a lane starts no run.', of: ({ isPaused }) => (isPaused ? 1 : 0) },
}

/** Adds the gauges of lanes. The lanes are read once for all of them. */
export function laneMetrics(registry: Registry, read: () => Promise<LaneMeasure[]>) {
  const once = sharedReading(read)
  for (const [name, { help, of }] of Object.entries(measures)) {
    const gauge = new Gauge({
      name,
      help,
      labelNames: ['lane'],
      registers: [],
      async collect() {
        const lanes = await once()
        this.reset()
        if (lanes.ok) for (const lane of lanes.value) this.set({ lane: lane.name }, of(lane))
      },
    })
    registry.registerMetric(gauge)
  }
}
