interface TargetSettings {
  baseUrl: string
  weight: number
}

interface TargetState extends TargetSettings {
  isHealthy: boolean
  current: number
}

/**
 * Chooses among the base URLs of one API by smooth weighted round robin, as nginx does: over any
 * stretch each gets its share, and no two calls in a row more to one than need be. Targets that
 * are down get none; where all are down they are chosen among as if none were, because a call may
 * yet succeed and a refusal can't. Weight 0 gets none in either case.
 */
export class Targets {
  readonly #targets: TargetState[]

  constructor(targets: readonly TargetSettings[]) {
    this.#targets = targets.map((target) => ({ ...target, isHealthy: true, current: 0 }))
  }

  get baseUrls(): string[] {
    return this.#targets.map(({ baseUrl }) => baseUrl)
  }

  isHealthy(baseUrl: string): boolean {
    return this.#targets.find((target) => target.baseUrl === baseUrl)?.isHealthy ?? false
  }

  setHealthy(baseUrl: string, isHealthy: boolean): void {
    for (const target of this.#targets) {
      if (target.baseUrl === baseUrl) target.isHealthy = isHealthy
    }
  }

  /** The base URL for a call; another one than `failed`, if there is one, where that was tried already. */
  pick(failed?: string): string {
    const weighted = this.#targets.filter(({ weight }) => weight > 0)
    const isOther = ({ baseUrl }: TargetState) => baseUrl !== failed
    const healthy = weighted.filter(({ isHealthy }) => isHealthy)
    const candidates = [healthy.filter(isOther), healthy, weighted.filter(isOther), weighted]
    const chosen = heaviest(candidates.find((list) => list.length > 0) ?? this.#targets)
    if (chosen === undefined) throw new Error('An API has at least one base URL.')
    return chosen.baseUrl
  }
}

function heaviest(targets: readonly TargetState[]): TargetState | undefined {
  let best: TargetState | undefined
  let total = 0
  for (const target of targets) {
    target.current += target.weight
    total += target.weight
    if (best === undefined || target.current > best.current) best = target
  }
  if (best !== undefined) best.current -= total
  return best
}
