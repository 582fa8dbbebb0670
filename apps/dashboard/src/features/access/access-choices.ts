import type { AccessEndpoint, AccessWorkflow } from '@gatehouse/contract'

/** More than these are not shown at once: a longer list is not read, and drawing it takes time. */
export const shownMax = 50

/** How an endpoint is called where a line must do. */
export const endpointLine = ({ api, method_type, path }: AccessEndpoint) =>
  `${api} · ${method_type.toUpperCase()} ${path}`

/** The description is the display name (spec: entities); without one, what the endpoint is. */
export const endpointName = (endpoint: AccessEndpoint) =>
  endpoint.description || endpoint.summery || endpointLine(endpoint)

export const workflowLine = ({ slug, kind, status }: AccessWorkflow) =>
  `${slug} · ${kind}${status === 'paused' ? ' · paused' : ''}`

/** Something that a role may be given. */
export interface AccessChoice {
  id: string
  name: string
  /** What tells it apart from its namesakes. */
  line: string
  /** What a search looks through, in small letters. */
  searched: string
}

export const endpointChoices = (endpoints: readonly AccessEndpoint[]): AccessChoice[] =>
  endpoints.map((endpoint) => {
    const line = endpointLine(endpoint)
    const searched = `${endpoint.description} ${endpoint.summery} ${line}`.toLowerCase()
    return { id: String(endpoint.id), name: endpointName(endpoint), line, searched }
  })

export const workflowChoices = (workflows: readonly AccessWorkflow[]): AccessChoice[] =>
  workflows.map((workflow) => {
    const line = workflowLine(workflow)
    const { id, name } = workflow
    return { id: String(id), name, line, searched: `${name} ${line}`.toLowerCase() }
  })

/** Holds every word that is sought, in whatever order. */
export const matchesChoice = ({ searched }: AccessChoice, search: string): boolean =>
  search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => searched.includes(word))

interface Found<T> {
  shown: T[]
  /** How many more there are. */
  hidden: number
}

/** Counts all that match and hands over the first few. */
export function takeFirst<T>(items: readonly T[], isMatch: (item: T) => boolean): Found<T> {
  const matches = items.filter(isMatch)
  return { shown: matches.slice(0, shownMax), hidden: Math.max(0, matches.length - shownMax) }
}
