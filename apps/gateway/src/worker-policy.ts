import { createTrafficPolicies } from './policy/traffic-policies.ts'

/** What this worker makes of the traffic policies of APIs. */
export const trafficPolicies = createTrafficPolicies()

/** How often workers tell each other what their rate limits have let through. */
export const takesEveryMs = 100
