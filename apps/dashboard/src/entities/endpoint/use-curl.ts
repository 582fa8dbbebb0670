import { useQuery } from '@tanstack/react-query'
import { call } from '../../lib/calls/call.ts'
import { useCan } from '../../lib/session/session.tsx'
import { toCurl } from './curl-command.ts'

interface Sent {
  headers: string
  body: string
  hasToken: boolean
}

/** A request to the gateway's port, as a client would send it from elsewhere. */
export function useCurl({ method, url }: { method: string; url: string }, sent: Sent): string {
  const can = useCan()
  const { data: gateway } = useQuery({
    queryKey: ['gateway'],
    queryFn: ({ signal }) => call('GET /api/gateway', { signal }),
    enabled: can('dashboard.view'),
  })
  const { pathname, search, origin } = new URL(url)
  const base = gateway?.gateway_url ?? origin
  const body = method === 'GET' ? '' : sent.body
  return toCurl({ method, url: base + pathname + search, ...sent, body })
}
