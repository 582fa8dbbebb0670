import { Badge } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { SubmittedApi } from '@gatehouse/contract'
import { certificateWarning, signInStateWords } from '../../entities/api/sign-in-words.ts'
import { apiQueries } from './api-queries.ts'

interface SignInBadgesProps {
  apiId: number
  api: Pick<SubmittedApi, 'credential' | 'tls'>
  now: Date
}

/** Kinds whose token is obtained, and so may be refused. */
const tokenKinds: ReadonlySet<string> = new Set([
  'oauth2_client_credentials',
  'oauth2_refresh_token',
  'login_call',
])

/** Beside an API's name: its sign-in was refused, or its client certificate is about to expire. */
export function SignInBadges({ apiId, api: { credential, tls }, now }: SignInBadgesProps) {
  const isObtained = credential !== null && tokenKinds.has(credential.kind)
  const { data } = useQuery({ ...apiQueries.signIn(apiId, 'live'), enabled: isObtained })
  const certificate = tls?.certificate ?? null
  const warning = certificate && certificateWarning(certificate.expires_at, now)
  return (
    <>
      {data?.state === 'refused' && (
        <Badge color={signInStateWords.refused.color} title={data.message}>
          {signInStateWords.refused.text}
        </Badge>
      )}
      {warning && <Badge color={warning.color}>{warning.text}</Badge>}
    </>
  )
}
