import type { TrailEvent, TrailSource } from '@gatehouse/contract'
import { paths } from '../../entities/paths.ts'

export const trailSourceWords: Record<TrailSource, string> = {
  gateway: 'Gateway',
  admin_log: 'Log of the server',
  run_log: 'Log of the runs',
  run: 'Run',
  attempt: 'Attempt',
  delivery: 'Delivery',
  document: 'Document',
  audit: 'Audit trail',
  token: 'Token',
}

const searchIn = (path: string, search: string) =>
  `${path}?${new URLSearchParams({ search }).toString()}`

/** The screen that shows more of an event. */
export function addressOfEvent({ source, id, line, request_id }: TrailEvent): string {
  if (line)
    return `${paths.logs}?${new URLSearchParams({ l: line.file, entry: String(line.entry) }).toString()}`
  if (source === 'gateway') return searchIn(paths.gatewayRequests, request_id)
  if (source === 'audit') return searchIn(paths.audit, request_id)
  if (id === null) return paths.search
  if (source === 'delivery') return paths.delivery(id)
  if (source === 'document') return paths.document(id)
  return source === 'token' ? paths.tokenLimits(id) : paths.run(id)
}
