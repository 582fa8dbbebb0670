import { useCurl } from '../../entities/endpoint/use-curl.ts'
import { CopyButton } from '../../ui/text/copy-button.tsx'
import type { Client } from './tried-client.tsx'
import type { TriedValues } from './tried-values.ts'

interface CurlButtonProps {
  /** As it was sent to the gateway's port. */
  request: { method: string; url: string }
  values: TriedValues & Client
}

/** Copies the request as a client would send it from elsewhere, without a secret. */
export function CurlButton({ request, values }: CurlButtonProps) {
  const { headers, body, token, as_token, as_role } = values
  const hasToken = token !== '' || as_token !== null || as_role !== null
  const command = useCurl(request, { headers, body, hasToken })
  return <CopyButton text={command} label="Copy as curl" description="this request as a command" />
}
