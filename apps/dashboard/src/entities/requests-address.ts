import { paths } from './paths.ts'

/** What the log of gateway requests can be narrowed down by in its address. Moments are ISO 8601. */
export interface RequestsFilter {
  from?: string
  to?: string
  api?: number
  endpoint?: number
  status?: string
}

/** The log of gateway requests, narrowed down. */
export function requestsAddress(filter: RequestsFilter): string {
  const address = new URLSearchParams()
  for (const [name, value] of Object.entries(filter)) {
    if (value !== undefined) address.set(name, String(value))
  }
  return `${paths.gatewayRequests}?${address.toString()}`
}
