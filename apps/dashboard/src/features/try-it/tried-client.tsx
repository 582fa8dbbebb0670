import { TokenField } from '../../entities/api/token-field.tsx'
import { tokenNames } from '../../entities/token/token-names.ts'
import { useCan } from '../../lib/session.tsx'
import { NamedSelect } from '../../ui/named-select.tsx'

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
          source={tokenNames}
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
