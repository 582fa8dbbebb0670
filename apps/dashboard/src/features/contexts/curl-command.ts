import type { ContextRecord } from '@gatehouse/contract'

type ContextEndpoint = ContextRecord['endpoints'][number]

/** A command line that calls the endpoint through the gateway; `$TOKEN` is the caller's own. */
export function curlCommand(endpoint: ContextEndpoint, isGuarded: boolean): string {
  const method = endpoint.method_type.toUpperCase()
  const parts = ['curl', ...(method === 'GET' ? [] : ['-X', method]), quote(endpoint.url)]
  if (isGuarded) parts.push('-H', '"Authorization: Bearer $TOKEN"')
  if (method !== 'GET') parts.push('-H', quote('Content-Type: application/json'), '-d', quote('{}'))
  // Braces are shorthands to curl: parameters like {id} have to reach the reader as they are.
  return endpoint.url.includes('{') ? parts.toSpliced(1, 0, '--globoff').join(' ') : parts.join(' ')
}

/** Single quotes hold everything for a shell but themselves. */
const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
