import type { RunSettings } from '@gatehouse/contract'

/** An endpoint that is created together with its API, with the run settings of a profile. */
export interface PlannedEndpoint {
  method_type: 'get' | 'post'
  path: string
  summery: string
  runProfile: RunSettings['profile']
  /** The path of the endpoint before it that is asked for what the authority decides later. */
  asks?: string
}
