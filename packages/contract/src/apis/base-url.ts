/**
 * A base URL that requests may be sent to: http or https, a host, no credentials, query or fragment.
 * Returns what is wrong with it, or undefined.
 */
export function baseUrlProblem(value: string, label: string): string | undefined {
  const url = URL.parse(value)
  if (!url || !/^https?:\/\//i.test(value))
    return `The ${label} must be a URL that starts with http:// or https://.`
  if (url.username || url.password) return `The ${label} may not contain a user name or password.`
  if (url.port === '0') return `The ${label} needs a port from 1 to 65535.`
  if (/[?#]/.test(value)) return `The ${label} may not contain a query or a fragment.`
  return undefined
}
