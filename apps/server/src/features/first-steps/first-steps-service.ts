import type { FirstSteps } from '@gatehouse/contract'
import type { Clock } from '../../kernel/clock.ts'
import type { Stores } from '../../stores.ts'
import type { SampleService } from './sample-service.ts'

/** Says which of the first steps are done, from what exists. */
export class FirstStepsService {
  readonly #steps: Stores['firstSteps']
  readonly #clock: Clock
  readonly #sample: SampleService

  constructor(steps: Stores['firstSteps'], clock: Clock, sample: SampleService) {
    this.#steps = steps
    this.#clock = clock
    this.#sample = sample
  }

  async show(): Promise<FirstSteps> {
    const steps = this.#steps
    const [api, endpoint, clientRole, hasToken, hasCall, hasRuns] = await Promise.all([
      steps.newestApi(),
      this.#endpoint(),
      steps.clientRole(),
      steps.hasToken(this.#clock.now().toISOString()),
      steps.hasAnswered(),
      steps.hasRuns(),
    ])
    return {
      is_new: !hasCall && !hasRuns,
      api: api ?? null,
      endpoint,
      callers: endpoint ? await steps.rolesThatCall(endpoint.id) : [],
      client_role: clientRole ?? null,
      has_token: hasToken,
      has_call: hasCall,
      sample: this.#sample.state(),
    }
  }

  async #endpoint(): Promise<FirstSteps['endpoint']> {
    const found = await this.#steps.easiestEndpoint()
    if (!found) return null
    const { id, summary, method_type, path, context, api_id, api_name } = found
    return {
      id,
      summery: summary,
      method_type,
      path: `/${context}${path}`,
      is_guarded: found.authentication === 1 || found.api_authentication === 1,
      siblings: await this.#steps.activeOf(api_id),
      api: { id: api_id, name: api_name },
    }
  }
}
