import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../lib/calls/call.ts'
import { language } from '../../lib/format/language.ts'

type Missing = 'access' | 'permission'

/** Who was refused, and who may change that. With a token, the user that the token belongs to. */
export const refusalQuery = (missing: Missing, token?: number) => ({
  queryKey: ['access', 'refusal', missing, token ?? null],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    call('GET /api/access/refusal', {
      query: { missing, ...(token === undefined ? {} : { token }) },
      signal,
    }),
})

/** The users who may give what was refused. Shows nothing until they are known. */
export function GrantersNote({ missing }: { missing: Missing }) {
  const { data } = useQuery(refusalQuery(missing))
  if (!data) return null
  const names = [...data.granters, ...(data.has_more ? ['others'] : [])]
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      {names.length === 0 ? (
        'No user may give it.'
      ) : (
        <>
          {missing === 'access' ? 'Users who may give access: ' : 'Users who manage roles: '}
          <bdi>{new Intl.ListFormat(language, { type: 'conjunction' }).format(names)}</bdi>.
        </>
      )}
    </Text>
  )
}
