import { showFirstSteps, useSample } from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../kernel/clock.ts'
import { mount } from '../../kernel/mount.ts'
import type { Stores } from '../../stores.ts'
import { FirstStepsService } from './first-steps-service.ts'
import { SampleService, type SampleServiceOptions } from './sample-service.ts'

interface FirstStepsOptions extends SampleServiceOptions {
  clock: Clock
  /** On a connection for long queries. */
  reads: Stores['firstSteps']
}

/** Wires the way from an empty product to the first call, and the sample service. */
export function createFirstSteps({ clock, reads, ...options }: FirstStepsOptions) {
  const sample = new SampleService(options)
  const service = new FirstStepsService(reads, clock, sample)
  return {
    /** Start it before the server listens; it stops with the app. */
    sample,
    mountOn: (app: FastifyInstance) => {
      mount(app, showFirstSteps, () => service.show())
      mount(app, useSample, async (_, context) => {
        const { id, name } = await sample.choose(context)
        return { api: { id, name } }
      })
      app.addHook('preClose', () => sample.stop())
    },
  }
}
