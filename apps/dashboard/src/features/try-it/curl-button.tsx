import { useQuery } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { useCan } from '../../lib/session.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { toCurl } from './curl-command.ts'
import type { Client } from './tried-client.tsx'
import type { TriedValues } from './tried-values.ts'

interface CurlButtonProps {
  /** As it was sent to the gateway's port. */
  request: { method: string; url: string }
  values: TriedValues & Client
}

/** Copies the request as a client would send it from elsewhere, without a secret. */
export function CurlButton({ request, values }: CurlButtonProps) {
  const can = useCan()
  const { data: gateway } = useQuery({
    queryKey: ['gateway'],
    queryFn: ({ signal }) => call('GET /api/gateway', { signal }),
    enabled: can('dashboard.view'),
  })
  const { method, url } = request
  const { pathname, search } = new URL(url)
  const base = gateway?.gateway_url ?? new URL(url).origin
  const { headers, body, token, as_token, as_role } = values
  const sentBody = method === 'GET' ? '' : body
  const command = toCurl({
    method,
    url: base + pathname + search,
    headers,
    body: sentBody,
    hasToken: token !== '' || as_token !== null || as_role !== null,
  })
  return <CopyButton text={command} label="Copy as curl" description="this request as a command" />
}
