import { baseUrlProblem, pathProblem } from '@gatehouse/contract/request'

interface EndpointUrlInput {
  baseUrl: string
  /** An endpoint's path, like `/orders/{id}`. */
  path: string
  /** Values for the parameters, by name. */
  fields: ReadonlyMap<string, string> | Readonly<Record<string, string>>
}

type EndpointUrl =
  /** `used` names the fields that went into the path, in its order. */
  | { ok: true; url: URL; used: string[] }
  /** `missing` names the parameters without a value; it is empty where something else is wrong. */
  | { ok: false; missing: string[]; message: string }

/**
 * The URL an endpoint is called at. A value fills exactly one segment of the path: it is
 * percent-encoded, and one that is blank, `.` or `..` is refused, because it would lead elsewhere.
 */
export function endpointUrl({ baseUrl, path, fields }: EndpointUrlInput): EndpointUrl {
  const problem = baseUrlProblem(baseUrl, 'base URL') ?? pathProblem(path)
  if (problem) return { ok: false, missing: [], message: problem }
  const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')
  const missing = names.filter((name) => !fieldOf(fields, name))
  if (missing.length > 0) {
    const listed = missing.map((name) => `{${name}}`).join(', ')
    return { ok: false, missing, message: `The path needs a value for ${listed}.` }
  }
  const unfit = names.find((name) => !isFitForSegment(fieldOf(fields, name) ?? ''))
  if (unfit !== undefined) {
    return { ok: false, missing: [], message: `The value of {${unfit}} does not fit into a path.` }
  }
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(fieldOf(fields, name) ?? ''),
  )
  return { ok: true, url: joinUrl(baseUrl, filled), used: names }
}

/**
 * Appends a path to a base URL with exactly one slash between them; the base keeps its own path and
 * loses query and fragment. Throws TypeError where `baseUrl` is not a URL.
 */
export function joinUrl(baseUrl: string, path: string): URL {
  const url = new URL(baseUrl)
  url.search = ''
  url.hash = ''
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${path.replace(/^\/+/, '')}`
  return url
}

function fieldOf(fields: EndpointUrlInput['fields'], name: string): string | undefined {
  if (isMap(fields)) return fields.get(name)
  return Object.hasOwn(fields, name) ? fields[name] : undefined
}

const isMap = (fields: EndpointUrlInput['fields']): fields is ReadonlyMap<string, string> =>
  fields instanceof Map

const isFitForSegment = (value: string) =>
  value !== '.' && value !== '..' && value.isWellFormed() && !/[\x00-\x1f\x7f]/.test(value)
