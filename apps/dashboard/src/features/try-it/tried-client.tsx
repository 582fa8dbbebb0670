import { TokenField } from '../../entities/api/token-field.tsx'
import { RoleSelect } from '../../entities/bulk/role-select.tsx'
import { tokenNames } from '../../entities/token/token-names.ts'
import { useCan } from '../../lib/session/session.tsx'
import { NamedSelect } from '../../ui/filters/named-select.tsx'

/** As whom a request is tried: one of these at most. */
export interface Client {
  /** Its text. */
  token: string
  /** Id of a token that is not shown. */
  as_token: number | null
  as_role: number | null
}

export const nobody: Client = { token: '', as_token: null, as_role: null }

interface TriedClientProps extends Client {
  onChange: (client: Partial<Client>) => void
  error: string | undefined
}

/** A client chosen by its token's name, one with a chosen role, one whose token is pasted, or nobody. */
export function TriedClient({ token, as_token, as_role, onChange, error }: TriedClientProps) {
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
          value={as_token === null ? '' : String(as_token)}
          onChange={(id) => onChange({ as_token: id === null ? null : Number(id) })}
          clearable
          clearButtonProps={{ 'aria-label': 'Choose no client' }}
        />
      )}
      {can('role.view') && can('token.create') && can('token.create_any') && (
        <RoleSelect
          label="As role"
          description="The gateway answers as it would a client with this role alone."
          placeholder="No role"
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={as_role === null ? '' : String(as_role)}
          onChange={(id) => onChange({ as_role: id === null ? null : Number(id) })}
          clearable
          clearButtonProps={{ 'aria-label': 'Choose no role' }}
        />
      )}
      {as_token === null && as_role === null && (
        <TokenField
          label="Personal token"
          description="Shown to the gateway as a client’s would be. Blank: none."
          value={token}
          onChange={(typed) => onChange({ token: typed })}
          error={error}
        />
      )}
    </>
  )
}
