import { z } from 'zod'
import { wireMethodNames, type WireMethod } from '../endpoints/endpoint-methods.ts'
import { clientAddresses } from '../apis/policy/traffic-policy.ts'

/** How many endpoints, and how many workflows, a token may name. */
export const scopeMax = 500

export const quotaMax = 999_999_999

const requests = z.number().int().min(1).max(quotaMax).nullable()
const storedIds = z.array(z.number().int().positive()).max(scopeMax)

/**
 * What a personal token is limited to beside the roles of its user. This is the shape that is stored, shown and
 * published. Where `endpoints` and `workflows` are both empty, neither is limited; else the token opens those alone
 * that they name. An empty list of methods: every method.
 */
export const tokenLimits = z.object({
  endpoints: storedIds,
  workflows: storedIds,
  methods: z.array(z.enum(wireMethodNames)),
  /** From where it may be used, as `client_addresses` of an API. Absent in what was stored first. */
  client_addresses: clientAddresses.nullable().default(null),
  /** How many requests the gateway lets through in a day and in a calendar month, in UTC; null: any number. */
  quota: z.object({ per_day: requests, per_month: requests }).nullable().default(null),
})
export type TokenLimits = z.output<typeof tokenLimits>

export const noTokenLimits: TokenLimits = {
  endpoints: [],
  workflows: [],
  methods: [],
  client_addresses: null,
  quota: null,
}

/** Whether they limit anything at all. */
export const limitsAnything = (limits: TokenLimits): boolean =>
  limits.endpoints.length + limits.workflows.length + limits.methods.length > 0 ||
  limits.client_addresses !== null ||
  limits.quota !== null

/** The endpoints, or the workflows, that a token is limited to; null: no such limit. */
export const scopeOf = (
  limits: TokenLimits,
  what: 'endpoints' | 'workflows',
): ReadonlySet<number> | null =>
  limits.endpoints.length + limits.workflows.length === 0 ? null : new Set(limits[what])

/** Whether a call with this method is within the limits. What opens GET opens HEAD too. */
export const takesMethod = ({ methods }: TokenLimits, method: string): boolean =>
  methods.length === 0 ||
  methods.includes(method as WireMethod) ||
  (method === 'HEAD' && methods.includes('GET'))
