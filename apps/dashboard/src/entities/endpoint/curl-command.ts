const secretName =
  /^(?:cookie|authorization|proxy-authorization|.*(?:token|secret|passw(?:or)?d|api[-_]?key|session|signature|credential).*)$/i

export const isSecretName = (name: string) => secretName.test(name.trim())

interface CurlRequest {
  method: string
  url: string
  /** One “Name: value” a line. */
  headers: string
  body: string
  hasToken: boolean
}

/**
 * The request as a command for a shell. No secret is in it: the token is `$TOKEN`, and the value of a header
 * that is a secret by its name is a variable of that name.
 */
export function toCurl({ method, url, headers, body, hasToken }: CurlRequest): string {
  const lines = headers
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  const hasType = lines.some((line) => /^content-type\s*:/i.test(line))
  const parts = [
    `curl --include --request ${method} ${quoted(url)}`,
    ...(hasToken ? ['--header "Authorization: Bearer $TOKEN"'] : []),
    ...lines.map(toHeader),
    ...(body !== '' && !hasType ? [`--header ${quoted('Content-Type: application/json')}`] : []),
    ...(body === '' ? [] : [`--data-raw ${quoted(body)}`]),
  ]
  return parts.join(' \\\n  ')
}

function toHeader(line: string): string {
  const name = line.slice(0, line.indexOf(':')).trim()
  if (!isSecretName(name)) return `--header ${quoted(line)}`
  return `--header "${name}: $${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}"`
}

/** In single quotes nothing means anything to a shell but the quote itself. */
const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`
