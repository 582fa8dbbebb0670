import type { ModelOptions } from './model-options.ts'

const kinds = [
  'plain',
  'plain',
  'safe',
  'safe',
  'refusing',
  'refusing',
  'later',
  'later',
  'bare',
  'put',
  'read',
] as const

export interface BundleStep {
  endpointId: number
  body: string
}

/** Makes bundles at random; some documents are in several. */
export class BundleMaker {
  readonly #options: ModelOptions
  #content = 0

  constructor(options: ModelOptions) {
    this.#options = options
  }

  bundle(): BundleStep[] {
    const { random, endpoints } = this.#options
    const length = 1 + random.below(3)
    return Array.from({ length }, (_, index): BundleStep => {
      const kind = random.pick(kinds) ?? 'read'
      const body = kind === 'read' ? '' : this.body(kind !== 'bare', index > 0)
      return { endpointId: endpoints[kind], body }
    })
  }

  /** Of a document of its own, or of one that others speak of as well. */
  body(isShared: boolean, mayTake: boolean): string {
    const { random, authority } = this.#options
    const isTaken = isShared && mayTake && random.isLikely(0.3)
    const others = isShared && random.isLikely(0.4) ? authority.reference() : undefined
    const no = isTaken ? '{{steps.1.body.no}}' : (others ?? `U-${++this.#content}`)
    return `{"no":"${no}","n":${++this.#content}${random.isLikely(0.15) ? ',"is":"bad"' : ''}}`
  }
}
