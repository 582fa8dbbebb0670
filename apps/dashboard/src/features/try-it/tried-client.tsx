import { TokenField } from '../../entities/api/token-field.tsx'
import { call } from '../../lib/call.ts'
import { useCan } from '../../lib/session.tsx'
import { NamedSelect, type NameSource } from '../../ui/named-select.tsx'

interface TriedClientProps {
  token: string
  /** Id of a token that is not shown. */
  asToken: number | null
  onChange: (token: string, asToken: number | null) => void
  error: string | undefined
}

/** As whom a request is tried: a client chosen by its token's name, one whose token is pasted, or nobody. */
export function TriedClient({ token, asToken, onChange, error }: TriedClientProps) {
  const can = useCan()
  return (
    <>
      {can('token.view') && can('token.create') && (
        <NamedSelect
          source={tokens}
          label="As client"
          description="The gateway answers as it would the holder of this token. Its text is not needed."
          placeholder="Nobody, or whose token is below"
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={asToken === null ? '' : String(asToken)}
          onChange={(id) => onChange('', id === null ? null : Number(id))}
          clearable
          clearButtonProps={{ 'aria-label': 'Choose no client' }}
        />
      )}
      {asToken === null && (
        <TokenField
          label="Personal token"
          description="Shown to the gateway as a client’s would be. Blank: none."
          value={token}
          onChange={(typed) => onChange(typed, null)}
          error={error}
        />
      )}
    </>
  )
}

const shownMax = 50
const stateWords = { expired: 'expired', revoked: 'revoked' }

/** One that no longer counts is offered too: who tries it sees the refusal that its holder gets. */
const tokens: NameSource = {
  noun: 'token',
  matching: (search) => ({
    queryKey: ['tokens', 'names', search],
    queryFn: async ({ signal }) => {
      const query = { page: 1, limit: shownMax, sort: 'name', search } as const
      const [answer] = await call('GET /api/token', { query, signal })
      return answer.data.map(({ id, name, user, ending, state }) => {
        const label = `${user.name} · ${name} …${ending}`
        return { id, name: state === 'active' ? label : `${label} (${stateWords[state]})` }
      })
    },
  }),
  // One that was chosen is among those that were found before.
  nameOf: (id) => ({
    queryKey: ['tokens', 'name', id],
    queryFn: ({ client }) => {
      const lists = client.getQueriesData<{ id: number; name: string }[]>({
        queryKey: ['tokens', 'names'],
      })
      const found = lists.flatMap(([, list]) => list ?? []).find((each) => String(each.id) === id)
      if (!found) throw new Error(`Token ${id} was not found before.`)
      return found.name
    },
  }),
}
