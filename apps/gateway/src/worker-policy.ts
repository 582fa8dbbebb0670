import { createTrafficPolicies } from './policy/traffic-policies.ts'

/** The traffic policies of APIs, as this worker applies them. */
export const trafficPolicies = createTrafficPolicies()

/** How often workers report to each other what their rate limits have let through. */
export const takesEveryMs = 100
