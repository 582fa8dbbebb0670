import { PasswordField } from '../../ui/form/password-field.tsx'

interface TokenFieldProps {
  label?: string
  description?: string
  value: string
  onChange: (token: string) => void
  error?: string | undefined
}

/** A token for an upstream, for one request. It is not stored, and password managers ignore it. */
export function TokenField(props: TokenFieldProps) {
  const {
    label = 'Token',
    description = 'Sent as Bearer token. Blank: the one stored with the API, if there is one.',
  } = props
  return (
    <PasswordField
      label={label}
      description={description}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      value={props.value}
      onChange={(event) => props.onChange(event.currentTarget.value)}
      error={props.error}
      autoComplete="off"
      data-1p-ignore
      spellCheck={false}
      visibilityToggleButtonProps={{ 'aria-label': 'Show the token', tabIndex: 0 }}
    />
  )
}
