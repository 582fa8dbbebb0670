import { Counter, Gauge, type Registry } from 'prom-client'
import type { Publisher } from '../../publishing/publisher.ts'

export type PublishedState = Pick<
  Publisher,
  'published' | 'refusedRevision' | 'faults' | 'stepsBack'
>

/** Which configuration this server's gateway runs on, and what keeps it from a newer one. */
export function revisionMetrics(registry: Registry, published: PublishedState): void {
  const single = (name: string, help: string, value: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(value())
      },
    })
  single(
    'gateway_published_revision',
    'Configuration that every worker took over last.',
    () => published.published?.revision ?? 0,
  )
  single(
    'gateway_refused_revision',
    'Configuration that is stored and not in force; 0: none is known.',
    () => published.refusedRevision ?? 0,
  )
  single('gateway_config_in_force', '1 where the gateway runs on what is stored.', () =>
    published.refusedRevision === undefined ? 1 : 0,
  )
  single(
    'gateway_isolated_apis',
    'APIs that can’t be read in whole and are not served in whole.',
    () => new Set(published.faults.map(({ api_id }) => api_id)).size,
  )
  publishedMark(registry, published)
  stepsBack(registry, published)
}

/** Servers on one database run on the same configuration where number and mark are the same. */
const publishedMark = (registry: Registry, published: PublishedState) =>
  new Gauge({
    name: 'gateway_published_configuration',
    help: 'Always 1; the labels name the configuration that every worker took over last.',
    labelNames: ['revision', 'mark'],
    registers: [registry],
    collect() {
      this.reset()
      if (!published.published) return
      const { revision, mark } = published.published
      this.set({ revision, mark }, 1)
    },
  })

const stepsBack = (registry: Registry, published: PublishedState) =>
  new Counter({
    name: 'gateway_database_steps_back_total',
    help: 'How often the database was found to have lost changes of the configuration.',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(published.stepsBack)
    },
  })
