import { Badge } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { signInWarnings } from '../../entities/api/sign-in-words.ts'
import { apiQueries } from './api-queries.ts'

/** Beside an API's name: its sign-in was refused, or is about to expire. One call serves all rows. */
export function SignInBadges({ apiId, now }: { apiId: number; now: Date }) {
  const { data } = useQuery(apiQueries.signIns())
  const signIn = data?.find(({ api_id }) => api_id === apiId)
  if (!signIn) return null
  return signInWarnings(signIn, now).map(({ text, color, detail }) => (
    <Badge key={text} color={color} title={detail}>
      {text}
    </Badge>
  ))
}
