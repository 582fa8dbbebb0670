import type { AccessEndpoint } from '@gatehouse/contract'

/** More than these are not shown at once: a longer list is not read, and drawing it takes time. */
export const shownMax = 50

/** How an endpoint is called where a line must do. */
export const endpointLine = ({ api, method_type, path }: AccessEndpoint) =>
  `${api} · ${method_type.toUpperCase()} ${path}`

/** The description is the display name (spec: entities); without one, what the endpoint is. */
export const endpointName = (endpoint: AccessEndpoint) =>
  endpoint.description || endpoint.summery || endpointLine(endpoint)

/** Holds every word that is sought, in whatever order: name, summery, method, path, API. */
export function matchesEndpoint(endpoint: AccessEndpoint, search: string): boolean {
  const text = `${endpoint.description} ${endpoint.summery} ${endpointLine(endpoint)}`.toLowerCase()
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

export interface Found<T> {
  shown: T[]
  /** How many more there are. */
  hidden: number
}

/** Counts all that match and hands over the first few. */
export function takeFirst<T>(items: readonly T[], isMatch: (item: T) => boolean): Found<T> {
  const matches = items.filter(isMatch)
  return { shown: matches.slice(0, shownMax), hidden: Math.max(0, matches.length - shownMax) }
}
