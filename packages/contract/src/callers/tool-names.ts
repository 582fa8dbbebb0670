export type AgentOffer = 'as_api' | 'offered' | 'not_offered'

export const toolNameMaxLength = 64

/** Names of tools that are not of an endpoint begin like this, or are one of these. */
const ownNames = new Set(['run_status'])
const ownPrefix = 'workflow_'

/** Why an endpoint can't have this tool name; undefined: it can (spec: agent-tools). */
export function toolNameProblem(name: string): string | undefined {
  if (!/^[a-z0-9_]+$/.test(name))
    return 'The tool name may hold lower-case letters, digits and underscores.'
  if (ownNames.has(name) || name.startsWith(ownPrefix))
    return `Tool names like ${name} are reserved for Gatehouse itself.`
  return undefined
}

interface NamedEndpoint {
  context: string
  summary: string
  method: string
  path: string
}

/**
 * A free tool name: the context and the summary; where that has no Latin letter, or is taken, the context,
 * the method and the path; and a number behind it where that is taken too. At most 64 characters.
 */
export function freeToolName(
  { context, summary, method, path }: NamedEndpoint,
  isTaken: (name: string) => boolean,
): string {
  const prefix = toolPrefix(context)
  const words = [slug(summary), slug(`${method} ${path}`)].filter((each) => each !== '')
  for (const each of words) {
    const name = `${prefix}${each}`.slice(0, toolNameMaxLength).replace(/_+$/, '')
    if (!isTaken(name)) return name
  }
  for (let number = 2; ; number++) {
    const suffix = `_${number}`
    const name = `${prefix}${words[0]}`.slice(0, toolNameMaxLength - suffix.length) + suffix
    if (!isTaken(name)) return name
  }
}

/** How the given names of all tools of an API begin. */
export function toolPrefix(context: string): string {
  const prefix = `${slug(context).slice(0, 24)}_`
  return toolNameProblem(prefix) === undefined ? prefix : `api_${prefix}`
}

/** Words of Latin letters and digits, joined by underscores. */
const slug = (words: string): string =>
  words
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
