import { Badge, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { signInWarnings } from '../../../entities/api/sign-in-words.ts'
import { apiQueries } from '../api-queries.ts'

/** Says that a sign-in is that of the test base URL. */
export const TestPlaceBadge = () => (
  <Badge color="grape" variant="outline" miw="max-content" title="At the test base URL">
    test
  </Badge>
)

/** Beside an API's name: a sign-in was refused, or is about to expire. One call serves all rows. */
export function SignInBadges({ apiId, now }: { apiId: number; now: Date }) {
  const { data = [] } = useQuery(apiQueries.signIns())
  const own = data.filter(({ api_id }) => api_id === apiId)
  return own.map((signIn) => {
    const warnings = signInWarnings(signIn, now)
    if (warnings.length === 0) return null
    return (
      <Group key={signIn.which} gap={4} wrap="nowrap">
        {signIn.which === 'test' && <TestPlaceBadge />}
        {warnings.map(({ text, color, detail }) => (
          <Badge key={text} color={color} miw="max-content" title={detail}>
            {text}
          </Badge>
        ))}
      </Group>
    )
  })
}
