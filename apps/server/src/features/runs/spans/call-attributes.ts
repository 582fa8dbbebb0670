import { redactSecrets } from '@gatehouse/logging/files'

interface Called {
  method: string
  url: string | null
  /** The path as the endpoint has it, with its parameters; null where the endpoint was deleted. */
  template: string | null
}

const databases: Record<string, string> = {
  'mysql:': 'mysql',
  'mssql:': 'microsoft.sql_server',
}

/** What a span says of a call: where it went, without values of the path and without a query. */
export function callAttributes({ method, url, template }: Called) {
  const place = url === null || !URL.canParse(url) ? undefined : new URL(url)
  const port = place?.port ? Number(place.port) : null
  const server = { 'server.address': place?.hostname ?? null, 'server.port': port }
  const database = databases[place?.protocol ?? '']
  if (place && database) {
    const [, namespace = '', name = ''] = place.pathname.split('/').map(decodeURIComponent)
    return {
      'db.system.name': database,
      'db.namespace': namespace,
      'db.stored_procedure.name': name,
      ...server,
    }
  }
  return {
    'http.request.method': method,
    'url.template': template === null ? null : redactSecrets(template),
    ...server,
  }
}

/** The name of the span of a call. */
export function callName(attributes: Record<string, string | number | null>): string {
  const procedure = attributes['db.stored_procedure.name']
  if (procedure !== undefined) return `CALL ${procedure ?? ''}`
  const template = attributes['url.template']
  return [attributes['http.request.method'], template].filter(Boolean).join(' ')
}
